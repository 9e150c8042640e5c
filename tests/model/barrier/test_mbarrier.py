"""The barrier: recorded scripts step by step, and the laws of counts and phases."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib import Deadlock, DeviceFault, TiledTensorMap
from course_lib.model.barrier.countdown import endings, land, pieces, sums
from course_lib.model.barrier.mbarrier import WORD, MBarrier, State
from course_lib.model.facts.bits import overlaps
from course_lib.model.facts.enums import DataType
from course_lib.recordings import committed, read_rows
from course_lib.recordings.times.barriers import explains, paths, pieces_of
from course_lib.rows.calls import tensor_map_of

BYTES_MAX = 2**20 - 1
OPERAND_OUT_OF_RANGE = 2**20


def rows(name):
    return list(read_rows(committed(f"{name}.jsonl.xz")))


def on_a_barrier(row):
    """Scripts whose barrier stays set up: the others do what documents forbid, and the model refuses."""
    return row["count"] > 0 and ["inval"] not in row["steps"]


def copied(row):
    return pieces_of(tensor_map_of(row["map"]), row["steps"][1][1])


def box(row_bytes, box_rows, coordinate=0):
    """The pieces of a copy out of 256 rows of 256 bytes."""
    m = TiledTensorMap(
        data_type=DataType.UINT8,
        global_address=0,
        global_dim=(256, 256),
        global_strides=(256,),
        box_dim=(row_bytes, box_rows),
    )
    return pieces(m, (coordinate, 0))


SCRIPTS = [*rows("barriers"), *filter(on_a_barrier, rows("barrier_misuse"))]


def test_every_recorded_script_goes_as_the_model_permits_step_by_step():
    assert len(SCRIPTS) > 220
    assert sum("fault" in row for row in SCRIPTS) > 40
    unexplained = []
    for row in SCRIPTS:
        seen = row if "ended" in row else row | {"ended": []}  # some faults were recorded without the steps before
        if not any(explains(path, seen) for path in paths(row)):
            unexplained.append(row)
    assert unexplained == []


def test_most_scripts_have_one_outcome_only():
    assert sum(len(list(paths(row))) == 1 for row in SCRIPTS) > 0.7 * len(SCRIPTS)


def test_an_arrival_returns_the_word_of_the_state_before_it():
    upper = []
    for row in rows("barriers"):
        path = next(path for path in paths(row) if explains(path, row))
        taken = zip(path.states, row["tokens"][1:], strict=False)
        upper += [(f"{state.word >> 32:08x}", token) for state, token in taken if token]
    assert len(upper) > 500
    assert [pair for pair in upper if pair[0] != pair[1]] == []


def test_the_word_has_room_for_every_count():
    assert overlaps(WORD) == []
    left_in_memory = {0x7FFFF800001FFFFE: State(0, 1, 1, 0), 0xFFFFF800081FFFFE: State(1, 1, 1, -64)}
    assert {state.word: state for state in left_in_memory.values()} == left_in_memory  # as barriers left them behind


def test_a_plain_load_does_not_see_what_the_barrier_counts():
    assert all(set(row["memory"]) <= {"1" * 16} for row in rows("barriers"))  # what it held before the barrier


def test_every_count_that_was_hit_early_is_a_sum_of_pieces():
    for row in rows("barrier_steps"):
        hit, runs, expected = row["completed"], row["runs"], row["expected"]
        total = sum(copied(row))
        permitted = {state.phase for state in endings(State(0, 0, 1, expected), copied(row))} if expected else {1}
        assert hit in (0, runs) or permitted == {0, 1}, row["name"]
        assert (hit > 0) <= (1 in permitted), row["name"]
        assert (hit == runs) or 0 in permitted, row["name"]
        assert expected not in (0, total) or hit == runs, row["name"]


def test_pieces_are_the_sectors_of_global_memory_wherever_the_row_starts():
    for row in rows("barrier_pieces"):
        x = row["coordinates"][0]
        sectors = [min(s + 32, x + row["row_bytes"]) - max(s, x) for s in range(x // 32 * 32, x + row["row_bytes"], 32)]
        hits = {int(count): times for count, times in row["hits"].items()}
        assert set(hits) <= sums(tuple(sectors * row["rows"]))
        assert hits[0] == hits[row["row_bytes"] * row["rows"]] == row["runs"]
        if row["copy"] == "tile":
            assert sorted(box(row["row_bytes"], row["rows"], x)) == sorted(sectors * row["rows"])


def test_a_count_that_is_no_sum_of_pieces_can_only_be_missed():
    assert [state.phase for state in endings(State(0, 0, 1, 16), (32, 32))] == [0]
    assert [state.phase for state in endings(State(0, 0, 1, 32), (32, 32))] == [0, 1]
    assert [state.phase for state in endings(State(0, 0, 1, 64), (32, 32))] == [1]
    assert [state.phase for state in endings(State(0, 1, 1, 32), (32, 32))] == [0]  # an arrival is still pending


def test_what_the_older_recording_says_of_256_bytes_holds():
    for row in (row for row in rows("traps") if row["kind"] == "byte_count"):
        phases = {state.phase for state in endings(State(0, 0, 1, row["expected"]), box(64, 4))}
        assert row["first_phase_completed"] in {phase == 1 for phase in phases} or row["expected"] == 0


def test_pieces_cover_the_box():
    assert box(80, 1) == (32, 32, 16)
    assert box(64, 1, 16) == (16, 32, 16)
    assert box(64, 2, -16) == (16, 32, 16) * 2


@given(st.integers(1, 16), st.integers(1, 8), st.integers(-20, 20))
def test_pieces_sum_to_the_bytes_of_the_box(units, box_rows, start):
    found = box(16 * units, box_rows, 16 * start)
    assert sum(found) == 16 * units * box_rows
    assert set(found) <= {16, 32}


@given(st.lists(st.sampled_from([16, 32]), min_size=1, max_size=10))
def test_sums_are_those_of_every_subset(of):
    every = {sum(piece for i, piece in enumerate(of) if chosen >> i & 1) for chosen in range(1 << len(of))}
    assert sums(tuple(of)) == every


@given(st.lists(st.sampled_from([16, 32]), min_size=1, max_size=8), st.integers(0, 300), st.randoms())
def test_any_order_of_landing_ends_as_permitted(of, expected, random):
    before = State(0, 0, 1, expected)
    if not expected:
        return
    assert land(before, random.sample(of, len(of))) in endings(before, of)


counts = st.integers(1, 50)
operations = st.lists(st.tuples(st.sampled_from(["arrive", "expect_tx", "complete_tx", "arrive_drop"]), counts))


@given(counts, operations)
def test_a_phase_completes_exactly_when_arrivals_and_bytes_are_both_zero(count, script):
    """A slow bookkeeper: totals since the last completion, no state."""
    barrier, phase, expected, arrived, awaited = MBarrier(count), 0, count, 0, 0
    for name, number in script:
        arrivals = number if name.startswith("arrive") else 0
        if arrived + arrivals > expected or not expected:
            break
        getattr(barrier, name)(number)
        arrived += arrivals
        awaited += {"expect_tx": number, "complete_tx": -number}.get(name, 0)
        dropped = number if name == "arrive_drop" else 0
        needed, expected = expected, expected - dropped
        arrived -= dropped
        if arrived == expected and needed and awaited == 0:
            phase, arrived = phase + 1, 0
        assert barrier.state == State(phase, expected - arrived, expected, awaited)


@given(counts, operations)
def test_events_tell_the_whole_story(count, script):
    barrier = MBarrier(count)
    for name, number in script:
        before = barrier.state
        try:
            events = getattr(barrier, name)(number)
        except DeviceFault:
            assert barrier.state == before
            return
        assert events[-1].state == barrier.state
        assert [event.what for event in events[1:]] == ["phase complete"] * (barrier.state.phase - before.phase)
        assert str(barrier.state) in str(events[-1])


@given(st.integers(1, 20), st.permutations(["expect", "copy", "arrive"]))
def test_copy_and_expect_may_come_in_any_order_but_not_both_after_the_arrival(pieces_of_16, order):
    size = 16 * pieces_of_16
    barrier = MBarrier(1)
    steps = {"expect": (barrier.expect_tx, size), "copy": (barrier.complete_tx, size), "arrive": (barrier.arrive, 1)}
    phases = []
    for step in order:
        operation, number = steps[step]
        operation(number)
        phases.append(barrier.state.phase)
    assert phases == ([1, 1, 1] if order[0] == "arrive" else [0, 0, 1])


def test_expecting_after_the_arrival_ends_the_phase_early_and_the_bytes_land_in_the_next():
    barrier = MBarrier(1)
    assert [event.what for event in barrier.arrive()] == ["arrive", "phase complete"]
    barrier.complete_tx(256)
    assert str(barrier.state) == "phase 1: 1 of 1 arrivals pending, -256 bytes awaited"


@pytest.mark.parametrize("parity", [0, 1])
def test_a_wait_passes_when_the_latest_phase_of_its_parity_is_complete(parity):
    barrier = MBarrier(1)
    seen = []
    for _ in range(4):
        seen.append(barrier.test_wait(parity))
        barrier.arrive()
    assert seen == [bool(parity), not parity] * 2


def test_a_fresh_barrier_lets_a_wait_for_parity_1_pass():
    assert MBarrier(1).wait(1) == ()


def test_a_wait_takes_the_pieces_that_it_needs():
    barrier, landing = MBarrier(1), deque([32] * 8)
    barrier.arrive_expect_tx(128)
    assert [str(event) for event in barrier.wait(0, landing)][-1].startswith("phase complete 0")
    assert list(landing) == [32] * 4  # the wait is over, and half of the box is still on its way


@pytest.mark.parametrize("expected", [16, 240, 255, 257, 512])
def test_a_wait_that_nothing_ends_is_a_deadlock_that_says_who_waits_for_what(expected):
    barrier = MBarrier(1, "full[0]")
    barrier.arrive_expect_tx(expected)
    left = expected - 256
    sentence = rf"^consumer waits for full\[0\] to complete a phase of parity 0 .*0 of 1 arrivals pending, {left} bytes"
    with pytest.raises(Deadlock, match=sentence) as caught:
        barrier.wait(0, deque([32] * 8), "consumer")
    assert caught.value.waits[0][0] == "consumer"


def test_arrivals_missing_are_a_deadlock_too():
    barrier = MBarrier(2)
    barrier.arrive_expect_tx(64)
    with pytest.raises(Deadlock, match="1 of 2 arrivals pending, 0 bytes"):
        barrier.wait(0, deque([64]))


def test_an_arrival_too_many_traps_with_719_and_changes_nothing():
    barrier = MBarrier(1)
    barrier.arrive_expect_tx(128)
    before = barrier.state
    with pytest.raises(DeviceFault, match="an arrival too many") as caught:
        barrier.arrive()
    assert (caught.value.code, barrier.state) == (719, before)


def test_bytes_count_from_minus_1048575_to_1048576():
    barrier = MBarrier(1)
    barrier.expect_tx(BYTES_MAX)
    barrier.expect_tx(1)
    with pytest.raises(DeviceFault, match="expect_tx 1 "):
        barrier.expect_tx(1)
    below = MBarrier(1)
    below.complete_tx(BYTES_MAX)
    with pytest.raises(DeviceFault, match="complete_tx 1 "):
        below.complete_tx(1)
    with pytest.raises(DeviceFault, match="719"):
        MBarrier(1).expect_tx(OPERAND_OUT_OF_RANGE)


def test_dropping_lowers_what_the_next_phases_need():
    barrier = MBarrier(3)
    barrier.arrive_drop()
    barrier.arrive(2)
    assert barrier.state == State(1, 2, 2, 0)


def test_setting_a_live_barrier_up_again_forgets_its_phase():
    barrier = MBarrier(1)
    barrier.arrive()
    (event,) = barrier.init(3)
    assert "undefined" in event.note
    assert not barrier.test_wait(0)
    barrier.inval()
    assert barrier.init(1)[0].note == ""


def test_an_invalidated_barrier_is_no_barrier():
    barrier = MBarrier(1)
    barrier.inval()
    with pytest.raises(ValueError, match="invalidated"):
        barrier.arrive()


@pytest.mark.parametrize("count", [0, -1, 2**20])
def test_a_count_of_arrivals_is_1_to_1048575(count):
    with pytest.raises(ValueError, match="1 to 1048575"):
        MBarrier(count)
    with pytest.raises(ValueError, match="1 to 1048575"):
        MBarrier(1).arrive(count)


def test_a_wait_knows_two_parities():
    with pytest.raises(ValueError, match="parity = 2"):
        MBarrier(1).test_wait(2)
