"""The checks of exercise 01: a tile shared out among threads and counted, who issues its copy, and the registers it leaves."""

from math import isclose
from numbers import Real
from typing import Any

from course_lib.checks.lesson_01.pieces import as_numbers, as_pieces, piece_of, piece_slip, target_of, without_source
from course_lib.checks.lesson_01.questions import (
    OUTCOMES,
    TILE_BYTES,
    Box,
    IssueQuestion,
    budgets,
    differing_bytes,
    edge_boxes,
    inside_boxes,
    issue_questions,
    tile_sizes,
)
from course_lib.checks.lesson_01.slips import count_slip, issue_slip, rate_slip, width_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import as_integer, as_word, quote_all
from course_lib.draw import Picture
from course_lib.draw.charts.register_budget import budget_picture
from course_lib.draw.copies.thread_copies import MOST_ROWS, shown_rows, thread_picture
from course_lib.draw.steps.barrier_steps import barrier_picture
from course_lib.model.barrier.script import run
from course_lib.model.call.sizes import ceil_div
from course_lib.model.cost.thread_copy import most_copies
from course_lib.model.cost.tile_cost import N_MAX, registers_of_a_thread, widest_tile
from course_lib.model.facts.limits import INNER_UNIT_BYTES, WARP_LANES


@check("every tile is counted in all three ways.")
def check_count_copies(answer: Answer, seed: int) -> None:
    """Task 1: `count_copies(rows, row_bytes, threads)` gives (by thread, of the busiest thread, by warp)."""
    for rows, row_bytes, threads in tile_sizes(seed):
        pieces = rows * row_bytes // INNER_UNIT_BYTES
        right = (pieces, most_copies(rows, row_bytes, threads), ceil_div(pieces, WARP_LANES))
        got = as_numbers(ask(answer, rows, row_bytes, threads), 3, "three counts")
        if got != right:
            case = f"{rows} rows of {row_bytes} bytes, {threads} threads"
            place = next(i for i in range(3) if got[i] != right[i])
            name = ("copies of 16 bytes", "copies of the busiest thread", "warp instructions")[place]
            raise Wrong(
                f"{case}: you say {got[place]} {name}, and it is {right[place]}. {count_slip(place, got, right, threads)}"
            )


@check("every thread brings its pieces, and together they leave what the engine leaves.")
def check_pieces_inside(answer: Answer, seed: int) -> None:
    """Task 2: `pieces_inside(thread, threads, tensor_map, start)` gives (source, target) of each piece of a thread."""
    for box in inside_boxes(seed):
        examine_box(answer, box, ("source", "target"))


@check("guards and order are right: 256 threads can stand in for the engine.")
def check_pieces(answer: Answer, seed: int) -> None:
    """Task 3: `pieces(thread, threads, tensor_map, start, place)` gives (source, inside, target), edges included."""
    for box in edge_boxes(seed):
        examine_box(answer, box, ("source", "inside", "target"), box.place)


def examine_box(answer: Answer, box: Box, fields: tuple[str, ...], *more: Any) -> None:
    """Thread after thread; then all their copies against the tensor copy."""
    done, copies = [], box.copies
    for thread in range(box.threads):
        own = sorted((copy for copy in copies if copy.thread == thread), key=target_of)
        got = as_pieces(ask(answer, thread, box.threads, box.tensor_map, box.start, *more), fields)
        right = [piece_of(copy, fields) for copy in own]
        if [without_source(piece) for piece in got] != [without_source(piece) for piece in right]:
            raise Wrong(
                f"{box.words}, thread {thread}: {piece_slip(got, own, fields, box)}", copies_picture(box, thread)
            )
        done += [copy._replace(source=piece[0]) for copy, piece in zip(own, got, strict=True)]
    if wrong := differing_bytes(box, done):
        raise Wrong(f"{box.words}: {wrong} bytes of the tile differ from the engine's.")


@check("you know what each way to issue does.")
def check_outcome(answer: Answer, seed: int) -> None:
    """Task 4: `outcome(announces, copies, threads)` says what happens in two tiles."""
    for issue in issue_questions(seed):
        said = ask(answer, issue.announces, issue.copies, issue.threads)
        got = as_word(said, OUTCOMES, f"; it is one of {quote_all(OUTCOMES)}.")
        if got != issue.outcome:
            raise Wrong(
                f"{issue.words}: you say {got!r}, and it {issue.outcome}. {issue_slip(issue)}", two_tiles_picture(issue)
            )


@check("each tile is the widest that the registers allow.")
def check_widest(answer: Answer, seed: int) -> None:
    """Task 5: `widest(tile_m, threads, fetching, others)` gives (columns, operations a byte)."""
    for budget in budgets(seed):
        got = ask(answer, *budget)
        columns, rate = as_width_and_rate(got)
        right = widest_tile(*budget)
        if columns != right:
            raise Wrong(
                f"{budget_words(budget)}: you say {columns} columns. {width_slip(columns, right, budget)}",
                registers_picture(columns, budget),
            )
        operations = budget[0] * right / (budget[0] + right)
        if not isclose(rate, operations, rel_tol=1e-6):
            raise Wrong(
                f"{budget_words(budget)}, {right} columns: you say {rate} operations a byte. {rate_slip(rate, operations)}"
            )


def as_width_and_rate(got: Any) -> tuple[int, float]:
    """Columns and operations a byte; Wrong where they are not."""
    if not isinstance(got, (tuple, list)) or len(got) != 2 or not isinstance(got[1], Real):
        raise Wrong(f"the function returned {got!r}, not a pair (columns, operations a byte).")
    return as_integer(got[0], "a number of columns"), float(got[1])


def copies_picture(box: Box, thread: int) -> Picture | None:
    """Who copies what, as it should be."""
    copies = box.copies
    if not any(copy.thread == thread for copy in copies) or len(shown_rows(copies, thread)) > MOST_ROWS:
        return None
    return thread_picture(copies, thread, f"{box.words}: as it should be")


def two_tiles_picture(issue: IssueQuestion) -> Picture:
    """The barrier in two tiles; more than four copies of a tile are drawn as four, which end the same way."""
    steps: list[tuple[str, int]] = [("init", 1)]
    for tile in (0, 1):
        steps += [("arrive_expect", TILE_BYTES)] * min(issue.count(issue.announces), 2)
        steps += [("complete", TILE_BYTES)] * min(issue.count(issue.copies), 4) + [("wait", tile)]
    return barrier_picture(run(steps), "The barrier in two tiles")


def budget_words(budget: tuple[int, int, int, int]) -> str:
    """A budget in words."""
    tile_m, threads, fetching, others = budget
    return f"{tile_m} rows, {threads} threads, {fetching} registers to fetch, {others} others"


def registers_picture(columns: int, budget: tuple[int, int, int, int]) -> Picture | None:
    """The registers that a tile of so many columns takes."""
    tile_m, threads, fetching, others = budget
    if not 0 <= columns <= 4 * N_MAX:
        return None
    uses = {"accumulators": ceil_div(tile_m * columns, threads), "fetching": fetching, "others": others}
    return budget_picture(uses, registers_of_a_thread(threads), f"{columns} columns")
