"""The checks of exercise 02, proved four ways: untouched, mistaken, solved, and solved in other words."""

import numpy as np
import pytest

from course_lib.checks.lesson_02 import checks as lesson_02
from course_lib.checks.lesson_02.questions import (
    BROKEN,
    DIAGNOSES,
    broken,
    copy_lists,
    counted_bytes,
    first_wrong_landing,
    right_diagnosis,
    sick_barriers,
)
from course_lib.model.barrier.mbarrier import MBarrier
from course_lib.model.copy.transfer import load
from tests.checks.four_ways import FourWays

# Task 1: what to announce


def expected_bytes(copies):
    total = 0
    for kind, what, *_ in copies:
        if kind == "linear":
            total += what // 16 * 16
        else:
            positions = [-(-box // step) for box, step in zip(what.box_dim, what.element_strides, strict=True)]
            total += int(np.prod(positions)) * what.data_type.size_bytes
    return total


def expected_by_copying(copies):
    memory, shared = np.zeros(2**20, np.uint8), np.zeros(2**17, np.uint8)
    return np.int64(
        sum(c[1] & ~15 if c[0] == "linear" else load(c[1], c[2], memory, shared).transaction_bytes for c in copies)
    )


def expected_elements(copies):
    return sum(c[1] // 16 * 16 if c[0] == "linear" else int(np.prod(c[1].box_dim)) for c in copies)


def expected_without_strides(copies):
    whole = [c[1].box_dim[0] * c[1].box_dim[1] * c[1].data_type.size_bytes for c in copies if c[0] == "tensor"]
    return sum(whole) + sum(c[1] // 16 * 16 for c in copies if c[0] == "linear")


def expected_inside_only(copies):
    total = expected_bytes([c for c in copies if c[0] == "linear"])
    for _, m, (x, y) in (c for c in copies if c[0] == "tensor"):
        columns = max(0, min(256, x + m.box_dim[0]) - max(0, x))
        rows = sum(0 <= y + i < 256 for i in range(0, m.box_dim[1], m.element_strides[1]))
        total += columns * rows * m.data_type.size_bytes
    return total


def expected_full_sizes(copies):
    return sum(c[1] if c[0] == "linear" else expected_bytes([c]) for c in copies)


def expected_touching_only(copies):
    return sum(
        expected_bytes([copy])
        for copy in copies
        if copy[0] == "linear" or all(-box < at < 256 for at, box in zip(copy[2], copy[1].box_dim, strict=True))
    )


BYTES_MISTAKES = [
    (expected_elements, "you announce 4096 bytes, 8192 are counted. Parts of a box outside", "sum  4096   ≠ 8192"),
    (
        expected_without_strides,
        "box 16 × 5 FLOAT32 at (0, 0), element strides (1, 2): you announce 320 bytes, 192 are counted.",
    ),
    (expected_inside_only, "box 64 × 64 BFLOAT16 at (224, -16): you announce 3072 bytes, 8192 are counted."),
    (expected_full_sizes, "you announce 772 bytes, 736 are counted. Skipped rows do not count"),
    (lambda copies: "8 KiB", "the function returned '8 KiB', not an integer."),
    (lambda copies: copies.clear() or 0, "you announce 0 bytes, 8192 are counted."),
    (expected_touching_only, "you announce 0 bytes, 16384 are counted."),
]

# Task 2: the books


def state_after(count, steps):
    phase, pending, awaited = 0, count, 0
    for what, number in steps:
        awaited += {"expect": number, "arrive_expect": number, "complete": -number}.get(what, 0)
        pending -= {"arrive": number, "arrive_expect": 1}.get(what, 0)
        if not pending and not awaited:
            phase, pending = phase + 1, count
    return phase, pending, awaited


def state_by_the_model(count, steps):
    barrier = MBarrier(count)
    for what, number in steps:
        getattr(
            barrier,
            {"expect": "expect_tx", "arrive_expect": "arrive_expect_tx", "complete": "complete_tx"}.get(what, what),
        )(number)
    return [np.int64(barrier.state.phase), barrier.state.pending, barrier.state.awaited_bytes]


def state_that_ends_on_bytes(count, steps):
    phase, pending, awaited = 0, count, 0
    for what, number in steps:
        awaited += {"expect": number, "arrive_expect": number, "complete": -number}.get(what, 0)
        pending -= {"arrive": number, "arrive_expect": 1}.get(what, 0)
        if not awaited:
            phase, pending = phase + 1, count
    return phase, pending, awaited


def state_that_never_goes_below_zero(count, steps):
    phase, pending, awaited = 0, count, 0
    for what, number in steps:
        awaited = max(0, awaited + {"expect": number, "arrive_expect": number, "complete": -number}.get(what, 0))
        pending -= {"arrive": number, "arrive_expect": 1}.get(what, 0)
        if not pending and not awaited:
            phase, pending = phase + 1, count
    return phase, pending, awaited


def state_whose_expect_arrives(count, steps):
    return state_after(count, [("arrive_expect" if what == "expect" else what, number) for what, number in steps])


def state_without_new_arrivals(count, steps):
    phase, pending, awaited = state_after(count, steps)
    return phase, pending if not phase else 0, awaited


BOOK_MISTAKES = [
    (state_that_ends_on_bytes, "A phase ends when both counts are zero, and only then."),
    (
        state_that_never_goes_below_zero,
        "the last ('complete', 128): (phase, pending, bytes) is (0, 1, -128), not (0, 1, 0). Expect adds",
        "1. complete_tx 128  (0, 1, 0)  ≠ (0, 1, -128)",
    ),
    (state_whose_expect_arrives, "expect_tx alone is no arrival."),
    (
        state_without_new_arrivals,
        "init 1, then 3 steps, the last ('complete', 160): (phase, pending, bytes) is (1, 1, 0), not (1, 0, 0).",
    ),
    (lambda count, steps: 7, "the function returned 7, not three integers."),
]

# Task 3: parities


def parities(tile, slots):
    return tile % slots, tile // slots % 2, 1 - tile // slots % 2


def parities_by_counting(tile, slots):
    uses = [0] * slots
    for earlier in range(tile):
        uses[earlier % slots] += 1
    bit = uses[tile % slots] & 1
    return [np.int64(tile % slots), bit, bit ^ 1]


def parities_of_the_tile(tile, slots):
    return tile % slots, tile % 2, 1 - tile % 2


def parities_that_start_alike(tile, slots):
    return tile % slots, tile // slots % 2, tile // slots % 2


def parities_of_the_slot(tile, slots):
    return tile % slots, tile % slots % 2, 1 - tile % slots % 2


PARITY_MISTAKES = [
    (
        parities_of_the_tile,
        "tile 1 of a ring of 2: (slot, full, empty) is (1, 0, 1), not (1, 1, 0). That is the parity of the tile",
        "tile 1  (1, 1, 0)  ≠ (1, 0, 1)",
    ),
    (parities_that_start_alike, "the producer's first wait must pass on a fresh barrier."),
    (parities_of_the_slot, "How often was this slot used before?"),
    (lambda tile, slots: (tile, slots), "not three integers"),
]

# Task 4: scripts


def tile(n, parity, on=()):
    return [("arrive_expect", n, *on), ("copy", n, *on), ("wait", parity, *on), ("read", None, *on)]


def mend(name, n):
    if name == "slice":
        return [("init", 1), ("arrive_expect", 2 * n), ("copy", n), ("copy", n), ("wait", 0), ("read",)]
    if name == "ring":
        start = [("init", 1, "full0"), ("init", 1, "full1")]
        issue = [(what, n, f"full{i}") for i in (0, 1) for what in ("arrive_expect", "copy")]
        return start + issue + [step for i in (0, 1) for step in (("wait", 0, f"full{i}"), ("read", None, f"full{i}"))]
    return [("init", 1), *tile(n, 0), *tile(n, 1)]


def mend_otherwise(name, n):
    if name == "slice":
        return [
            ["init", np.int64(2)],
            ["expect", n],
            ["copy", n],
            ["copy", n],
            ["arrive_expect", n],
            ["arrive"],
            ["wait", 0],
            ["read"],
        ]
    if name == "ring":
        start = [("init", 1, "full1"), ("init", 1, "full0")]
        late = [(what, n, f"full{i}") for i in (0, 1) for what in ("copy", "arrive_expect")]
        return start + late + [step for i in (0, 1) for step in (("wait", 0, f"full{i}"), ("read", None, f"full{i}"))]
    count = {"branch": 2, "lanes": 2}.get(name, 1)
    steps = [("init", count)]
    for parity in (0, 1):
        steps += [("arrive_expect", n), ("copy", n), *[("arrive",)] * (count - 1), ("wait", parity), ("read",)]
    return steps


def mend_all_but(spoiled, steps):
    def mended(name, n):
        return steps(n) if name == spoiled else mend(name, n)

    return mended


untouched_scripts = broken
with_settle = mend_all_but(
    "slice", lambda n: [("init", 1), ("expect", n), ("copy", n), ("copy", n), ("settle",), ("read",)]
)
without_reads = mend_all_but("flip", lambda n: [("init", 1), *tile(n, 0)[:3], *tile(n, 1)[:3]])
half_announced = mend_all_but(
    "slice", lambda n: [("init", 1), ("arrive_expect", n), ("copy", n), ("copy", n), ("wait", 0), ("read",)]
)
waits_too_early = mend_all_but(
    "slice",
    lambda n: [
        ("init", 1),
        ("arrive_expect", n),
        ("copy", n),
        ("wait", 0),
        ("arrive_expect", n),
        ("copy", n),
        ("read",),
    ],
)


def set_up_again(name, n):
    tile = [("init", 1), ("arrive_expect", n), ("copy", n), ("wait", 0), ("read",)]
    return tile * 2 if name == "loop" else mend(name, n)


MEND_MISTAKES = [
    (
        untouched_scripts,
        "'slice', tiles of 128 bytes, landing 'pieces': It comes through, but read 1 is early: 128 bytes",
        "2. arrive.expect_tx 128 → phase 0",
    ),
    (with_settle, "'slice': 'settle' is no step of a kernel here"),
    (without_reads, "'flip': the mended script must do the same copies and reads"),
    (half_announced, "landing 'pieces'"),
    (waits_too_early, "read 1 is early"),
    (lambda name, n: [("jump", n)], "'slice': that is no script (step=('jump', 128)"),
    (lambda name, n: 5, "'slice': that is no script"),
    (set_up_again, "'loop': a barrier is set up twice: undefined (PTX ISA, mbarrier.init)"),
]

# Task 5: diagnoses


def diagnose(phase, pending, awaited, meant):
    if phase != meant:
        return {-1: "early", 1: "passes"}.get(phase - meant, "lapped")
    if awaited > 0:
        return "bytes missing"
    if awaited < 0:
        return "not announced" if pending else "bytes too many"
    return "arrival missing"


def diagnose_by_a_wait(phase, pending, awaited, meant):
    passes = phase % 2 != meant % 2
    if passes:
        return "passes" if phase > meant else "early"
    if phase > meant:
        return "lapped"
    words = {(False, True): "arrival missing", (True, True): "not announced"}
    return words.get((bool(awaited), bool(pending)), "bytes missing" if awaited > 0 else "bytes too many")


def diagnose_without_phases(phase, pending, awaited, meant):
    return diagnose(meant, pending, awaited, meant)


def diagnose_the_wrong_way_round(phase, pending, awaited, meant):
    return diagnose(phase, pending, -awaited, meant)


def diagnose_laps_as_passes(phase, pending, awaited, meant):
    return "passes" if phase > meant else diagnose(phase, pending, awaited, meant)


DIAGNOSIS_MISTAKES = [
    (diagnose_without_phases, "Compare the phases first", "arrival missing  ≠ passes"),
    (
        diagnose_the_wrong_way_round,
        "(an H200, the script 'every phase expects 272'): you say 'bytes too many', it is 'bytes missing'.",
    ),
    (diagnose_laps_as_passes, "you say 'passes', it is 'lapped'."),
    (lambda *_: "broken", "the function returned 'broken', none of 'passes', 'early'"),
]


TASKS = [
    (lesson_02.check_expected_bytes, [expected_bytes, expected_by_copying], BYTES_MISTAKES),
    (lesson_02.check_state_after, [state_after, state_by_the_model], BOOK_MISTAKES),
    (lesson_02.check_parities, [parities, parities_by_counting], PARITY_MISTAKES),
    (lesson_02.check_mend, [mend, mend_otherwise], MEND_MISTAKES),
    (lesson_02.check_diagnose, [diagnose, diagnose_by_a_wait], DIAGNOSIS_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("tile_bytes", [64, 128, 4096])
def test_every_broken_script_is_broken_with_some_landing(name, tile_bytes):
    assert first_wrong_landing(broken(name, tile_bytes))


@pytest.mark.parametrize("seed", [0, 7])
def test_every_diagnosis_is_asked_and_is_the_one_of_the_case(seed):
    sick = list(sick_barriers(seed))
    assert {case.diagnosis for case in sick} == set(DIAGNOSES)
    assert [case for case in sick if right_diagnosis(case.state, case.meant) != case.diagnosis] == []
    assert sum("H200" in case.by for case in sick) == 5


def test_the_announced_bytes_are_those_that_the_copies_count():
    for copies in copy_lists(3):
        assert counted_bytes(copies) == expected_by_copying(copies)
