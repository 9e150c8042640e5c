"""What went wrong with a barrier's bytes, books, parities and diagnoses: where to look, in one sentence each."""

from course_lib.checks.lesson_02.questions import SickBarrier
from course_lib.model.barrier.mbarrier import State


def bytes_slip(got: int, right: int) -> str:
    """What such a number usually is."""
    if 0 < got < right:
        return "Parts of a box outside the tensor count too; and elements are not bytes."
    return "Skipped rows do not count, ceil(box / stride) do; a linear size is cut down to 16."


def books_slip(got: tuple[int, ...], state: State) -> str:
    """Which of the three parts first."""
    right = (state.phase, state.pending, state.awaited_bytes)
    part = next(number for number, (a, b) in enumerate(zip(got, right, strict=True)) if a != b)
    return (
        "A phase ends when both counts are zero, and only then.",
        "After a phase all arrivals are pending again; expect_tx alone is no arrival.",
        "Expect adds, complete subtracts; below zero is allowed.",
    )[part]


def parity_slip(got: tuple[int, ...], right: tuple[int, ...], tile: int) -> str:
    """What such an answer usually is."""
    if got[1] == tile % 2 != right[1]:
        return "That is the parity of the tile; the barrier counts its own uses."
    if got[1] == right[1] and got[2] == got[1]:
        return "A slot is empty before its first use: the producer's first wait must pass on a fresh barrier."
    return "How often was this slot used before?"


def diagnosis_slip(state: State, sick: SickBarrier) -> str:
    """Where to look first."""
    if state.phase != sick.meant:
        return "Compare the phases first: the wait passes exactly if the phase that goes on has the other parity."
    return "The phase that is meant is going on. Which of the two counts is not zero?"
