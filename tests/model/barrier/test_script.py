"""Scripts on barriers: how each mistake ends, with which order of landing, and what the recordings say of the same steps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.model.barrier.countdown import sums
from course_lib.model.barrier.script import HANGS, LANDINGS, THROUGH, TRAPS, UNDEFINED, as_step, linear_pieces, run
from course_lib.recordings import committed, read_rows

RIGHT = [("init", 1), ("arrive_expect", 256), ("copy", 256), ("wait", 0), ("read",)]


def told(expected, size=256, count=1):
    return [("init", count), ("arrive_expect", expected), ("copy", size), ("wait", 0), ("read",)]


@pytest.mark.parametrize("landing", LANDINGS)
def test_a_right_script_comes_through_however_the_bytes_land(landing):
    done = run(RIGHT, landing)
    assert done.is_right
    assert done.missing == (0,)
    assert sum(moment.completed for moment in done.moments) == 1
    assert done.moments[-1].in_flight == 0


@pytest.mark.parametrize("landing", LANDINGS)
def test_an_announcement_may_come_after_the_bytes_but_not_after_the_last_arrival(landing):
    tail = [("wait", 0), ("read",)]
    assert run([("init", 1), ("copy", 64), ("arrive_expect", 64), *tail], landing).is_right
    assert run([("init", 1), ("copy", 64), ("expect", 64), ("arrive",), *tail], landing).is_right
    assert not run([("init", 1), ("arrive",), ("expect", 64), ("copy", 64), *tail], "pieces").is_right


@pytest.mark.parametrize("landing", LANDINGS)
def test_a_byte_too_many_announced_hangs(landing):
    done = run(told(272), landing)
    assert done.ending == HANGS
    assert "16 bytes awaited" in done.why
    assert done.left == ("read",)


def test_a_sum_of_pieces_is_early_piece_by_piece_and_hangs_all_at_once():
    assert run(told(64)).missing == (192,)
    assert "192 bytes are not there" in run(told(64)).sentence
    assert [run(told(64), landing).ending for landing in ("together", "at once")] == [HANGS, HANGS]


@given(st.integers(1, 64), st.integers(0, 16 * 70))
def test_one_of_the_landings_hits_only_sums_of_pieces(units, expected):
    size = 16 * units
    done = run(told(expected, size))
    if done.ending == THROUGH:
        assert expected in sums(tuple(linear_pieces(size)))
    assert done.is_right == (expected == size)


def test_pieces_are_those_that_an_h200_showed_of_a_linear_copy_from_the_start_of_a_sector():
    rows = [row for row in read_rows(committed("barrier_pieces.jsonl.xz")) if row["copy"] == "bulk"]
    rows = [row for row in rows if row["coordinates"][0] % 32 == 0]
    assert len(rows) >= 6
    for row in rows:
        assert {int(hit) for hit in row["hits"]} <= sums(tuple(linear_pieces(row["row_bytes"])))


def test_a_size_is_cut_to_whole_16_bytes_so_that_the_full_size_never_comes():
    assert linear_pieces(40) == [32]
    assert linear_pieces(15) == []
    assert run(told(24, 24)).ending == HANGS
    assert run(told(16, 24)).is_right


def test_a_missing_arrival_hangs_and_one_too_many_traps_while_bytes_are_awaited():
    assert "1 of 2 arrivals pending, 0 bytes" in run(told(256, count=2)).why
    done = run([("init", 1), ("arrive_expect", 64), ("arrive",), ("copy", 64)])
    assert (done.ending, done.moments[-1].note) == (TRAPS, "traps, 719")
    assert "CUresult 719" in done.sentence


def test_an_arrival_too_many_after_the_bytes_ends_the_next_phase_too():
    done = run([("init", 1), ("arrive_expect", 64), ("copy", 64), ("arrive",), ("wait", 0)], "at once")
    assert done.ending == HANGS
    assert "phase 2" in done.why


def test_the_parity_of_the_phase_before_passes_at_once():
    twice = [("arrive_expect", 64), ("copy", 64), ("wait", 0), ("read",)] * 2
    assert run([("init", 1), *twice]).missing == (0, 64)
    assert run([("init", 1), ("wait", 1)]).moments[-1].note == "passes at once"


def test_set_up_again_forgets_the_phase():
    steps = [*told(64, 64), ("init", 1), ("copy", 64), ("wait", 1), ("read",)]
    assert run(steps).missing == (0, 64)
    assert "a live barrier set up again" in run(steps).moments[-4].note


def test_an_announcement_on_another_barrier_hangs_with_a_count_below_zero():
    steps = [("init", 1, "a"), ("init", 1, "b"), ("arrive_expect", 64, "b"), ("copy", 64, "a"), ("wait", 0, "a")]
    assert "a to complete a phase of parity 0 (phase 0: 1 of 1 arrivals pending, -64" in run(steps).why


def test_a_read_looks_at_its_own_barrier_or_at_all():
    start = [("init", 1, "a"), ("init", 1, "b"), ("copy", 64, "a"), ("copy", 32, "b")]
    assert run([*start, ("read", None, "a"), ("read", None, "b"), ("read",)]).missing == (64, 32, 96)


def test_a_barrier_that_is_not_set_up_is_undefined():
    done = run([("arrive",)])
    assert (done.ending, done.left) == (UNDEFINED, ())
    assert "undefined" in done.sentence


def test_syncthreads_waits_for_no_byte():
    assert run([("init", 1), ("copy", 64), ("sync",), ("read",)]).missing == (64,)


def test_an_early_read_is_told_even_where_the_script_traps_later():
    steps = [("init", 1), ("arrive_expect", 64), ("copy", 64), ("wait", 1), ("read",), ("arrive_expect", 64)]
    assert run(steps).sentence.startswith("Read 1 is early: 64 bytes are not there. It traps")


@pytest.mark.parametrize(
    "step", [(), ("copy",), ("jump", 1), ("wait", "0"), ("init", 1, "a", 2), "init", ("expect", 1.5)]
)
def test_what_is_no_step_is_refused(step):
    with pytest.raises(ValueError, match="step="):
        run([step])


def test_other_nonsense_is_refused():
    with pytest.raises(ValueError, match="landing='soon'"):
        run(RIGHT, "soon")
    with pytest.raises(ValueError, match="copy -16"):
        run([("init", 1), ("copy", -16)])
    with pytest.raises(ValueError, match="parity = 2"):
        run([("init", 1), ("wait", 2)])


def test_an_arrival_without_a_number_is_one():
    assert as_step(["arrive"]) == ("arrive", 1, "mbarrier")
    assert as_step(("read",)) == ("read", None, "")
