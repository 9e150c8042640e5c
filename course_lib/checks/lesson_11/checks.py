"""The checks of exercise 11: sectors, atoms, lines and hints, judged by counters; rules and second reads by recorded times."""

from collections.abc import Iterator
from math import isclose
from operator import index
from typing import Any

from course_lib.checks.lesson_11.questions import (
    MIB,
    RowPattern,
    RowsQuestion,
    address_array,
    hint_questions,
    losses,
    rows_questions,
    rule_questions,
    second_questions,
    single_rows,
)
from course_lib.checks.lesson_11.slips import hints_slip, second_slip, sectors_slip, traffic_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import as_integer, as_two, must_be
from course_lib.draw import Bar, Picture, cost_bars, row_cost_picture
from course_lib.model.cost.traffic import starts_traffic


@check("every row asks for what the H200 was asked for.")
def check_sectors_of(answer: Answer, seed: int) -> None:
    """Task 1: `sectors_of(start, row_bytes)` gives the number of sectors that a row touches."""
    for start, row_bytes, by in single_rows(seed):
        got, right = as_integer(ask(answer, start, row_bytes), "a number"), starts_traffic([start], row_bytes)
        if got != right.requested_sectors:
            picture = row_cost_picture([start], row_bytes, title=f"A row at {start}")
            case = f"a row of {row_bytes} bytes at {start}: you say {got}; {by}"
            raise Wrong(f"{case}. {sectors_slip(got, start, row_bytes)}", picture)


@check("every number of bytes is what the H200 read.")
def check_dram_bytes_of(answer: Answer, seed: int) -> None:
    """Task 2: `dram_bytes_of(starts, row_bytes, promotion)` for NONE, 64B and 128B."""
    for asked in rows_questions(seed):
        got = as_integer(
            ask(answer, address_array(asked.starts), asked.row_bytes, asked.promotion), "a number of bytes"
        )
        if got != asked.traffic.dram_bytes:
            raise Wrong(f"{answer_words(asked, got)} {traffic_slip(got, asked)}", rows_picture(asked))


@check("every hint is counted where an H200 follows one.")
def check_dram_bytes_256b(answer: Answer, seed: int) -> None:
    """Task 3: `dram_bytes_256b(starts, row_bytes)`."""
    for asked in hint_questions(seed):
        got = as_integer(ask(answer, address_array(asked.starts), asked.row_bytes), "a number of bytes")
        if got != asked.traffic.dram_bytes:
            raise Wrong(f"{answer_words(asked, got)} {hints_slip(got, asked)}", rows_picture(asked))


@check("every rule fails where you say, and nowhere else.")
def check_where_it_fails(answer: Answer, seed: int) -> None:
    """Task 4: `where_it_fails(rule, times, tolerance)` gives the patterns on which a rule loses more than that."""
    for name, rule, times, tolerance in rule_questions(seed):
        found = losses(rule, times)
        got = as_patterns(ask(answer, rule, {p: dict(by) for p, by in times.items()}, tolerance))
        for pattern, loss in found.items():
            if (loss > tolerance) != (pattern in got):
                said = "you leave it out" if loss > tolerance else "you name it"
                case = f"{name}, tolerance {tolerance:.1%}: rows of {pattern[0]}, pitch {pattern[1]}: {said}"
                raise Wrong(f"{case}, and it takes {loss:.1%} longer than the best.", loss_picture(name, found, got))
        extra = got - set(found)
        if extra:
            raise Wrong(f"{name}: {sorted(extra)[0]} is none of the patterns.")


@check("every part that was kept and every rate is what was recorded.")
def check_second_read_of(answer: Answer, seed: int) -> None:
    """Task 5: `second_read_of(x_bytes, y_bytes, dram_bytes, second_ns)` gives the part kept and GB/s."""
    for read in second_questions(seed):
        got = ask(answer, read.x_bytes, read.y_bytes, read.dram_bytes, read.second_ns)
        kept, rate = as_two_numbers(got)
        right = max(0.0, 1 - read.again_bytes / read.x_bytes), read.x_bytes / read.second_ns
        for what, mine, its in (("part kept", kept, right[0]), ("rate", rate, right[1])):
            if not isclose(mine, its, rel_tol=1e-3, abs_tol=1e-3):
                case = f"X {read.x_bytes // MIB} MiB, Y {read.y_bytes // MIB} MiB: {what}: you say {mine:.6g}, not {its:.6g}"
                raise Wrong(f"{case}. {second_slip(what, mine, its, read)}", kept_picture(mine, its, what))


def answer_words(asked: RowsQuestion, got: int) -> str:
    """The question, what was said, and what is right."""
    right = asked.traffic.dram_bytes
    return f"{asked.words}: you say {got}; {asked.by}, so {right / len(asked.starts):.5g} a row, {right} in all."


def rows_picture(asked: RowsQuestion) -> Picture:
    """The rows of a question."""
    return row_cost_picture(asked.starts, asked.row_bytes, asked.promotion, "The rows")


def as_patterns(got: Any) -> set[RowPattern]:
    """Pairs of integers; Wrong where they are none."""
    with must_be(got, "pairs (row_bytes, pitch_bytes)"):
        return {(index(row), index(pitch)) for row, pitch in got}


def as_two_numbers(got: Any) -> tuple[float, float]:
    """Two numbers; Wrong where there are none."""
    what = "(part kept, GB/s)"
    kept, rate = as_two(got, what)
    with must_be(got, f"two numbers {what}", (TypeError, ValueError, OverflowError)):
        return float(kept), float(rate)


def loss_picture(name: str, found: dict[RowPattern, float], got: set[RowPattern]) -> Picture:
    """What the rule loses on each pattern, and which are named."""
    return cost_bars(list(loss_bars(found, got)), "%", f"How much longer than the best: {name}", digits=1)


def loss_bars(found: dict[RowPattern, float], got: set[RowPattern]) -> Iterator[Bar]:
    """A bar for each pattern."""
    for (row, pitch), loss in found.items():
        named = (row, pitch) in got
        yield Bar(f"rows of {row}, pitch {pitch}", 100 * loss, "(you name it)" * named, "moved" if named else "element")


def kept_picture(mine: float, its: float, what: str) -> Picture:
    """Both numbers as bars."""
    return cost_bars([Bar("yours", max(mine, 0.0)), Bar("recorded", its)], "", f"The {what}", digits=3)
