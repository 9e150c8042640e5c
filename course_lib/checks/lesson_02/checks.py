"""The checks of exercise 02: bytes to announce, a barrier's books, parities, scripts to mend, states to diagnose."""

from operator import index
from typing import Any

from course_lib.checks.lesson_02.questions import (
    BROKEN,
    DIAGNOSES,
    Copy,
    SickBarrier,
    Steps,
    book_questions,
    broken,
    copy_lists,
    counted_bytes,
    first_wrong_landing,
    right_diagnosis,
    sick_barriers,
    states_after,
)
from course_lib.checks.lesson_02.slips import books_slip, bytes_slip, diagnosis_slip, parity_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import as_integer, as_word, must_be, quote_all
from course_lib.checks.shared.pictures import draw_if_it_fits
from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.compare import ComparedRow, compare_rows
from course_lib.draw.steps.barrier_steps import barrier_picture, spell_step
from course_lib.model.barrier.script import as_step, run

TILES = 13
FORBIDDEN = ("settle", "complete")


@check("every announcement is the number of bytes that its barrier counts.")
def check_expected_bytes(answer: Answer, seed: int) -> None:
    """Task 1: `expected_bytes(copies)` gives what to announce for copies on one barrier."""
    for copies in copy_lists(seed):
        got, right = as_integer(ask(answer, list(copies))), counted_bytes(copies)
        if got != right:
            rows = [ComparedRow(copy_words(copy), "", str(counted_bytes([copy]))) for copy in copies]
            rows.append(ComparedRow("sum", str(got), str(right)))
            said = f"For {'; '.join(map(copy_words, copies))}: you announce {got} bytes, {right} are counted."
            picture = compare_rows("What each copy counts", rows, ("yours", "counted"), said)
            raise Wrong(f"{said} {bytes_slip(got, right)}", picture)


@check("your books agree with the barrier after every step, in recorded scripts too.")
def check_state_after(answer: Answer, seed: int) -> None:
    """Task 2: `state_after(count, steps)` gives (phase, pending, awaited bytes)."""
    for count, steps in book_questions(seed):
        states, rows = states_after(count, steps), []
        for at, state in enumerate(states, 1):
            got, right = as_triple(ask(answer, count, steps[:at])), (state.phase, state.pending, state.awaited_bytes)
            rows.append(ComparedRow(f"{at}. {spell_step(' '.join(map(str, steps[at - 1])))}", str(got), str(right)))
            if got != right:
                said = f"init {count}, then {at} steps, the last {steps[at - 1]}: (phase, pending, bytes) is {right}, not {got}."
                title = "Your books beside the barrier, up to the first difference"
                raise Wrong(f"{said} {books_slip(got, state)}", compare_rows(title, rows, ("yours", "barrier"), said))


@check("each wait asks for the right parity, for every tile and every ring.")
def check_parities(answer: Answer, seed: int) -> None:
    """Task 3: `parities(tile, slots)` gives (slot, parity of the wait on full, parity of the wait on empty)."""
    for slots in (1, 2, 3, 4, 5 + seed % 4):
        rows = []
        for tile in range(TILES):
            use = tile // slots
            got, right = as_triple(ask(answer, tile, slots)), (tile % slots, use % 2, (use + 1) % 2)
            rows.append(ComparedRow(f"tile {tile}", str(got), str(right), f"use {use + 1} of slot {tile % slots}"))
            if got != right:
                said = f"tile {tile} of a ring of {slots}: (slot, full, empty) is {right}, not {got}."
                title = f"A ring of {slots}, up to the first difference"
                picture = compare_rows(title, rows, ("yours", "right"), said)
                raise Wrong(f"{said} {parity_slip(got, right, tile)}", picture)


@check("every script comes through, however the bytes land, and every read finds its bytes.")
def check_mend(answer: Answer, seed: int) -> None:
    """Task 4: `mend(name, tile_bytes)` gives a right script in place of a broken one."""
    for name in BROKEN:
        for tile_bytes in (128, 192 + 64 * (seed % 7)):
            got = as_script(ask(answer, name, tile_bytes), name)
            before = broken(name, tile_bytes)
            if copies_and_reads(got) != copies_and_reads(before):
                told = f"{name!r}: the mended script must do the same copies and reads, in the same order, on the same barriers."
                raise Wrong(f"{told} Yours does {copies_and_reads(got)}, wanted is {copies_and_reads(before)}.")
            landing = first_wrong_landing(got)
            if landing:
                done = run(got, landing)
                raise Wrong(
                    f"{name!r}, tiles of {tile_bytes} bytes, landing {landing!r}: {done.sentence}",
                    draw_if_it_fits(barrier_picture, done),
                )


@check("every state is diagnosed, the recorded ones too.")
def check_diagnose(answer: Answer, seed: int) -> None:
    """Task 5: `diagnose(phase, pending, awaited_bytes, meant)` gives one of DIAGNOSES."""
    for sick in sick_barriers(seed):
        state = sick.state
        said = ask(answer, state.phase, state.pending, state.awaited_bytes, sick.meant)
        got, right = as_word(said, DIAGNOSES, f", none of {quote_all(DIAGNOSES)}."), right_diagnosis(state, sick.meant)
        if got != right:
            said = f"Meant is phase {sick.meant}; {state} ({sick.by}): you say {got!r}, it is {right!r}."
            raise Wrong(f"{said} {diagnosis_slip(state, sick)}", state_picture(sick, got, right))


def copy_words(copy: Copy) -> str:
    """A copy in a few words."""
    if copy[0] == "linear":
        return f"linear, {copy[1]} bytes"
    m = copy[1]
    steps = f", element strides {m.element_strides}" if max(m.element_strides) > 1 else ""
    return f"box {' × '.join(map(str, m.box_dim))} {m.data_type.name} at {copy[2]}{steps}"


def state_picture(sick: SickBarrier, got: Any, right: str) -> Picture:
    """The state, and both diagnoses."""
    s = sick.state
    facts = [("phase that is meant", sick.meant), ("phase that goes on", s.phase), ("arrivals pending", s.pending)]
    rows = [ComparedRow(name, str(value), str(value)) for name, value in [*facts, ("bytes awaited", s.awaited_bytes)]]
    rows.append(ComparedRow("diagnosis", str(got), right))
    return compare_rows("A barrier and what is wrong with it", rows, ("yours", "right"), f"It is {right!r}.")


def copies_and_reads(steps: Steps) -> list[tuple[str, int | None, str]]:
    """The copies and reads of a script."""
    return [step for step in map(as_step, steps) if step[0] in ("copy", "read")]


def as_script(got: Any, name: str) -> Steps:
    """A learner's script; Wrong where it is none."""
    try:
        steps = [as_step(step) for step in got]
        run(steps)
    except (TypeError, ValueError) as error:
        raise Wrong(f"{name!r}: that is no script ({error}).") from None
    used = [step[0] for step in steps if step[0] in FORBIDDEN]
    if used:
        raise Wrong(f"{name!r}: {used[0]!r} is no step of a kernel here; the copy engine counts for itself.")
    set_up = [step[2] for step in steps if step[0] == "init"]
    if len(set_up) != len(set(set_up)):
        raise Wrong(
            f"{name!r}: a barrier is set up twice: undefined (PTX ISA, mbarrier.init), whatever the model does."
        )
    return list(steps)


def as_triple(got: Any) -> tuple[int, int, int]:
    """Three numbers of a learner; Wrong where they are none."""
    with must_be(got, "three integers"):
        first, second, third = map(index, got)
    return first, second, third
