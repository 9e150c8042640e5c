"""The checks of exercise 01: a tile shared out among threads and counted, who issues its copy, and the registers it leaves."""

from collections import Counter
from collections.abc import Iterable
from math import isclose
from numbers import Real
from typing import Any

import numpy as np

from course_lib.checks.lesson_01.questions import (
    OUTCOMES,
    TILE_BYTES,
    Box,
    Issue,
    budgets,
    differing_bytes,
    edge_boxes,
    inside_boxes,
    issues,
    tiles,
)
from course_lib.checks.shared.answers import as_integer, as_word, quote_all
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.draw import Picture
from course_lib.draw.charts.barrier_steps import barrier_picture
from course_lib.draw.charts.register_budget import budget_picture
from course_lib.draw.copies.thread_copies import MOST_ROWS, shown_rows, thread_picture
from course_lib.model.barrier.script import run
from course_lib.model.call.sizes import ceil_div
from course_lib.model.cost.thread_copy import ThreadCopy, most_copies
from course_lib.model.cost.tile_cost import N_MAX, N_STEP, registers_of_a_thread, widest_tile
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES, WARP_LANES


@check("every tile is counted in all three ways.")
def check_count_copies(answer: Answer, seed: int) -> None:
    """Task 1: `count_copies(rows, row_bytes, threads)` gives (by thread, of the busiest thread, by warp)."""
    for rows, row_bytes, threads in tiles(seed):
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
        examine(answer, box, ("source", "target"))


@check("guards and order are right: 256 threads can stand in for the engine.")
def check_pieces(answer: Answer, seed: int) -> None:
    """Task 3: `pieces(thread, threads, tensor_map, start, place)` gives (source, inside, target), edges included."""
    for box in edge_boxes(seed):
        examine(answer, box, ("source", "inside", "target"), box.place)


def examine(answer: Answer, box: Box, fields: tuple[str, ...], *more: Any) -> None:
    """Thread after thread; then all their copies against the tensor copy."""
    done, copies = [], box.copies
    for thread in range(box.threads):
        own = sorted((copy for copy in copies if copy.thread == thread), key=by_target)
        got = as_pieces(ask(answer, thread, box.threads, box.tensor_map, box.start, *more), fields)
        right = [told(copy, fields) for copy in own]
        if [without_source(piece) for piece in got] != [without_source(piece) for piece in right]:
            raise Wrong(f"{box.words}, thread {thread}: {piece_slip(got, own, fields, box)}", shown(box, thread))
        done += [copy._replace(source=piece[0]) for copy, piece in zip(own, got, strict=True)]
    if wrong := differing_bytes(box, done):
        raise Wrong(f"{box.words}: {wrong} bytes of the tile differ from the engine's.")


def by_target(copy: ThreadCopy) -> int:
    """The order in which pieces are compared."""
    return copy.target


def told(copy: ThreadCopy, fields: tuple[str, ...]) -> tuple[int, ...]:
    """A copy as the learner gives it."""
    return tuple(getattr(copy, name) for name in fields)


def without_source(piece: tuple[int, ...]) -> tuple[int, ...]:
    """A piece; its source does not count where nothing is copied from it."""
    return (0, *piece[1:]) if len(piece) == 3 and piece[1] == 0 else piece


@check("you know what each way to issue does.")
def check_outcome(answer: Answer, seed: int) -> None:
    """Task 4: `outcome(announces, copies, threads)` says what happens in two tiles."""
    for issue in issues(seed):
        said = ask(answer, issue.announces, issue.copies, issue.threads)
        got = as_word(said, OUTCOMES, f"; it is one of {quote_all(OUTCOMES)}.")
        if got != issue.outcome:
            raise Wrong(
                f"{issue.words}: you say {got!r}, and it {issue.outcome}. {issue_slip(issue)}", two_tiles(issue)
            )


@check("each tile is the widest that the registers allow.")
def check_widest(answer: Answer, seed: int) -> None:
    """Task 5: `widest(tile_m, threads, fetching, others)` gives (columns, operations a byte)."""
    for budget in budgets(seed):
        got = ask(answer, *budget)
        columns, rate = as_pair(got)
        right = widest_tile(*budget)
        if columns != right:
            raise Wrong(
                f"{budget_words(budget)}: you say {columns} columns. {width_slip(columns, right, budget)}",
                spent(columns, budget),
            )
        operations = budget[0] * right / (budget[0] + right)
        if not isclose(rate, operations, rel_tol=1e-6):
            raise Wrong(
                f"{budget_words(budget)}, {right} columns: you say {rate} operations a byte. {rate_slip(rate, operations)}"
            )


def as_pair(got: Any) -> tuple[int, float]:
    """Columns and operations a byte; Wrong where they are not."""
    if not isinstance(got, (tuple, list)) or len(got) != 2 or not isinstance(got[1], Real):
        raise Wrong(f"the function returned {got!r}, not a pair (columns, operations a byte).")
    return as_integer(got[0], "a number of columns"), float(got[1])


def as_numbers(got: Any, count: int, what: str) -> tuple[int, ...]:
    """So many integers; Wrong where they are not."""
    if not isinstance(got, (tuple, list, np.ndarray)) or len(got) != count:
        raise Wrong(f"the function returned {got!r}, not {what} as a tuple.")
    return tuple(as_integer(number, "a count") for number in got)


def as_pieces(got: Any, fields: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The learner's pieces, in the order of their targets; Wrong where they are none."""
    if isinstance(got, (str, bytes, dict)) or not isinstance(got, Iterable):
        raise Wrong(f"the function returned {got!r}, not a list of ({', '.join(fields)}).")
    pieces = (as_numbers(sourced(piece), len(fields), f"({', '.join(fields)})") for piece in got)
    return sorted(pieces, key=lambda piece: piece[-1])


def sourced(piece: Any) -> Any:
    """A piece of which nothing is copied may have any source, None too: 0 stands for it."""
    none_copied = isinstance(piece, (tuple, list)) and len(piece) == 3 and piece[0] is None and piece[1] == 0
    return (0, *piece[1:]) if none_copied else piece


def shown(box: Box, thread: int) -> Picture | None:
    """Who copies what, as it should be."""
    copies = box.copies
    if not any(copy.thread == thread for copy in copies) or len(shown_rows(copies, thread)) > MOST_ROWS:
        return None
    return thread_picture(copies, thread, f"{box.words}: as it should be")


def count_slip(place: int, got: tuple[int, ...], right: tuple[int, ...], threads: int) -> str:
    """What a wrong count looks like."""
    if place == 1:
        return (
            "The last turn may not have work for all: round up."
            if got[1] == right[0] // threads
            else "Share the pieces out."
        )
    if place == 2 and got[2] == right[1] * threads // WARP_LANES:
        return "Warps that have no piece in the last turn issue nothing."
    return "One warp instruction is up to 32 pieces, neighbours." if place == 2 else "A piece is 16 bytes."


def piece_slip(got: list[tuple[int, ...]], own: list[ThreadCopy], fields: tuple[str, ...], box: Box) -> str:
    """The first piece that differs, and how."""
    if len(got) != len(own):
        return f"you give {len(got)} pieces; it has {len(own)}."
    pairs = ((piece, told(copy, fields), copy) for piece, copy in zip(got, own, strict=True))
    ours, right, copy = next(pair for pair in pairs if without_source(pair[0]) != without_source(pair[1]))
    differing = {name: (is_, said) for name, is_, said in zip(fields, right, ours, strict=True) if is_ != said}
    name = "inside" if "inside" in differing else next(iter(differing))  # without bytes to copy a source is anything
    is_, said = differing[name]
    said_of = f"the piece in row {copy.row}, unit {copy.unit} of the box has {name} {is_}; you say {said}."
    return f"{said_of} {made_of(name, copy, box)}".strip()


def made_of(name: str, copy: ThreadCopy, box: Box) -> str:
    """How a source or a target comes about."""
    m, unit = box.tensor_map, copy.unit * INNER_UNIT_BYTES
    size = DataType(m.data_type).size_bytes
    if name == "source":
        at = f"Row {box.start[1] + copy.row} of the tensor, {box.start[0] * size + unit} bytes into it"
        return f"{at}; the tensor begins at {m.global_address}, and a row at each {m.global_strides[0]} bytes."
    meant = copy.row * m.box_dim[0] * size + unit
    return f"It is `place({meant})`." if name == "target" and copy.target != meant else ""


def issue_slip(issue: Issue) -> str:
    """The counts behind an outcome."""
    counts = Counter(announced=issue.count(issue.announces), copied=issue.count(issue.copies))
    return f"The tile is announced {counts['announced']} times and copied {counts['copied']} times; the barrier awaits one arrival."


def two_tiles(issue: Issue) -> Picture:
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


def spent(columns: int, budget: tuple[int, int, int, int]) -> Picture | None:
    """The registers that a tile of so many columns takes."""
    tile_m, threads, fetching, others = budget
    if not 0 <= columns <= 4 * N_MAX:
        return None
    uses = {"accumulators": ceil_div(tile_m * columns, threads), "fetching": fetching, "others": others}
    return budget_picture(uses, registers_of_a_thread(threads), f"{columns} columns")


def width_slip(columns: int, right: int, budget: tuple[int, int, int, int]) -> str:
    """Why a width is not the one."""
    tile_m, threads, fetching, others = budget
    limit = registers_of_a_thread(threads)
    if columns % N_STEP or not 0 <= columns <= N_MAX:
        return f"It is a multiple of {N_STEP} up to {N_MAX}."
    need = ceil_div(tile_m * columns, threads) + fetching + others
    return (
        f"It needs {need} registers of {limit}."
        if need > limit
        else f"It needs {need} of {limit}, and {right} columns fit too."
    )


def rate_slip(got: float, right: float) -> str:
    """What a wrong rate looks like."""
    if isclose(got, right / 2, rel_tol=1e-6):
        return "A multiplication and an addition are two operations."
    return f"It is {right:.2f}: two operations for each element of C and step of K, over the bytes of A and B that they need."
