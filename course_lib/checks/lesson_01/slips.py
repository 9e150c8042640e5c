"""What went wrong with counts, issuers and tiles, where a wrong answer tells it: one sentence each."""

from collections import Counter
from math import isclose

from course_lib.checks.lesson_01.questions import IssueQuestion
from course_lib.model.call.sizes import ceil_div
from course_lib.model.cost.tile_cost import N_MAX, N_STEP, registers_of_a_thread
from course_lib.model.facts.limits import WARP_LANES


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


def issue_slip(issue: IssueQuestion) -> str:
    """The counts behind an outcome."""
    counts = Counter(announced=issue.count(issue.announces), copied=issue.count(issue.copies))
    return f"The tile is announced {counts['announced']} times and copied {counts['copied']} times; the barrier awaits one arrival."


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
