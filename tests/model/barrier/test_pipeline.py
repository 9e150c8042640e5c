"""Pipelines: the laws of throughput, Little's law, the cause of every stall, and the classic ways to get it wrong."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib import Deadlock, DeviceFault
from course_lib.model.barrier.pipeline import Pipeline, stages_that_fit
from course_lib.model.barrier.stepping import Stepper, run

RIGHT = Pipeline(tiles=12, stages=3, box_bytes=4096, latency_cycles=100, compute_cycles=40, issue_cycles=2)
times = st.integers(0, 60)


@st.composite
def pipelines(draw, least_tiles=1):
    """Right pipelines of all kinds."""
    producers = draw(st.integers(1, 3))
    return Pipeline(
        tiles=draw(st.integers(least_tiles, least_tiles + 20)),
        stages=producers * draw(st.integers(1, 3)),
        box_bytes=draw(st.sampled_from([64, 1024, 4096])),
        latency_cycles=draw(times),
        compute_cycles=draw(times),
        issue_cycles=draw(st.integers(1, 20)),
        producers=producers,
        consumers=draw(st.integers(1, 3)),
        bytes_per_cycle=draw(st.sampled_from([None, 32, 128])),
        chunks=draw(st.sampled_from([1, 4])),
    )


def consumers_of(p):
    return [f"consumer {i}" for i in range(p.consumers)]


def hung(pipeline):
    """The machine of a pipeline that hangs, and its Deadlock."""
    machine = Stepper(pipeline)
    with pytest.raises(Deadlock) as caught:
        machine.run()
    return machine, caught.value


@given(pipelines())
def test_a_right_pipeline_gives_every_tile_to_every_consumer_in_order_and_whole(p):
    timeline = run(p)
    assert timeline.hazards == ()
    assert [span.tile for span in timeline.of("in flight")] == sorted(range(p.tiles))
    for who in consumers_of(p):
        assert [span.tile for span in timeline.of("compute", who)] == list(range(p.tiles))


@given(pipelines())
def test_the_same_pipeline_gives_the_same_timeline_stepped_or_run(p):
    machine = Stepper(p)
    cycles = []
    while machine.step():
        cycles.append(machine.cycle)
    assert machine.timeline == run(p)
    assert cycles == sorted(cycles)


@given(pipelines())
def test_little_s_law_bytes_in_flight_are_throughput_times_latency(p):
    timeline = run(p)
    expected = timeline.bytes_per_cycle * timeline.average_flight_cycles
    assert timeline.average_bytes_in_flight == pytest.approx(expected)


@given(pipelines())
def test_bytes_in_flight_are_never_more_than_the_slots_hold_and_end_at_none(p):
    cycles, in_flight = run(p).bytes_in_flight()
    assert (in_flight >= 0).all()
    assert in_flight.max() <= p.stages * p.box_bytes
    assert in_flight[-1] == 0
    assert (cycles[1:] > cycles[:-1]).all()


@given(pipelines(least_tiles=60))
def test_once_full_a_tile_takes_what_the_slowest_part_takes(p):
    short, long = run(p), run(replace(p, tiles=p.tiles + 60))
    assert (long.cycles - short.cycles) / 60 == pytest.approx(p.steady_cycles_per_tile, rel=0.02, abs=1)


@given(pipelines())
def test_no_pipeline_beats_its_slowest_part(p):
    assert run(p).cycles >= p.tiles * max(p.compute_cycles, p.transfer_cycles)
    one = replace(p, stages=1, producers=1)
    assert run(one).cycles == one.tiles * one.slot_cycles


@given(pipelines(), st.integers(0, 5))
def test_more_stages_never_cost_time_where_one_producer_issues(p, more):
    one = replace(p, producers=1)
    assert run(replace(one, stages=p.stages + more)).cycles <= run(one).cycles


@given(pipelines())
def test_a_consumer_is_always_busy_or_stalled_until_its_last_tile(p):
    timeline = run(p)
    for who in consumers_of(p):
        spans = [span for span in timeline.spans if span.who == who]
        assert sum(span.cycles for span in spans) == max(span.end for span in spans)
        assert 0 <= timeline.utilisation(who) <= 1


def test_overlapping_copies_keep_the_engine_busy_once():
    timeline = run(replace(RIGHT, tiles=3, compute_cycles=0))
    assert timeline.cycles == 2 * 3 + 100
    assert timeline.utilisation("copy engine") == pytest.approx((4 + 100) / 106)


def test_one_stage_takes_issue_latency_and_compute_one_after_the_other():
    timeline = run(replace(RIGHT, stages=1))
    assert timeline.cycles == 12 * (2 + 100 + 40)
    assert timeline.utilisation("consumer 0") == pytest.approx(40 / 142)
    assert timeline.stalls("producer 0") == {"slot not empty": 11 * 140}
    assert timeline.stalls("consumer 0") == {"copy not issued": 12 * 2, "bytes in flight": 12 * 100}


def test_throughput_grows_with_the_stages_until_compute_is_the_limit():
    rates = [run(replace(RIGHT, tiles=240, stages=s)).bytes_per_cycle for s in range(1, 7)]
    for stages in (1, 2, 3):
        assert rates[stages - 1] == pytest.approx(stages * 4096 / 142, rel=0.02)
    assert rates[3:] == pytest.approx([4096 / 40] * 3, rel=0.02)
    assert run(replace(RIGHT, tiles=240, stages=4)).stalls("consumer 0") == {
        "copy not issued": 2,
        "bytes in flight": 100,
    }


def test_bandwidth_is_the_limit_where_memory_is_slower_than_compute():
    timeline = run(replace(RIGHT, tiles=240, stages=8, bytes_per_cycle=64))
    assert timeline.bytes_per_cycle == pytest.approx(64, rel=0.02)
    assert timeline.utilisation("consumer 0") == pytest.approx(40 / 64, rel=0.02)


def test_a_slow_producer_is_the_limit_and_a_second_one_helps():
    slow = replace(RIGHT, tiles=240, stages=8, issue_cycles=80)
    assert run(slow).bytes_per_cycle == pytest.approx(4096 / 80, rel=0.02)
    assert run(replace(slow, producers=2)).bytes_per_cycle == pytest.approx(4096 / 40, rel=0.02)


def test_consumers_that_never_arrive_hang_producer_and_consumer_and_say_so():
    machine, deadlock = hung(replace(RIGHT, consumers_arrive=False))
    assert [who for who, _ in deadlock.waits] == ["producer 0", "consumer 0"]
    assert "empty[0] to complete a phase of parity 0 (phase 0: 1 of 1 arrivals pending" in str(deadlock)
    assert "full[0] to complete a phase of parity 1 (phase 1: 1 of 1 arrivals pending, 0 bytes" in str(deadlock)
    assert [span.tile for span in machine.timeline.of("compute")] == [0, 1, 2]


def test_as_many_tiles_as_slots_hide_that_nobody_arrives():
    assert len(run(replace(RIGHT, consumers_arrive=False, tiles=3)).of("compute")) == 3


def test_a_producer_that_starts_with_parity_0_waits_for_a_slot_that_nobody_has_filled():
    machine, deadlock = hung(replace(RIGHT, producer_parity=0))
    assert deadlock.waits[0][0] == "producer 0"
    assert machine.timeline.of("in flight") == ()


def test_a_consumer_that_starts_with_parity_1_reads_before_anything_has_landed():
    machine = Stepper(replace(RIGHT, consumer_parity=1))
    with suppress(Deadlock, DeviceFault):
        machine.run()
    first = machine.timeline.hazards[0]
    assert (first.cycle, first.tile, first.why) == (
        0,
        0,
        "consumer 0 reads tile 0 when 0 of its 4096 bytes have landed",
    )


@pytest.mark.parametrize("expected", [4000, 4097, 8192])
def test_a_wrong_count_that_is_not_hit_hangs_the_consumer(expected):
    _, deadlock = hung(replace(RIGHT, expected_bytes=expected, chunks=4))
    assert f"{expected - 4096} bytes awaited" in dict(deadlock.waits)["consumer 0"]


def test_a_count_that_is_hit_early_lets_the_consumer_read_half_a_tile():
    wrong = replace(RIGHT, expected_bytes=2048, chunks=4, bytes_per_cycle=64)
    machine = Stepper(wrong)
    machine.step()
    while not machine.timeline.hazards and machine.step():
        pass
    assert machine.timeline.hazards[0].why == "consumer 0 reads tile 0 when 2048 of its 4096 bytes have landed"


def test_a_slot_called_empty_by_one_of_two_consumers_is_overwritten_while_they_read():
    machine, _ = hung(replace(RIGHT, tiles=6, stages=1, consumers=2, empty_count=1, latency_cycles=0))
    why = [hazard.why for hazard in machine.timeline.hazards]
    assert why[:2] == [f"tile 2 lands in slot 0 while consumer {i} reads tile 1" for i in (0, 1)]
    assert why[-2:] == [f"consumer {i} reads tile 3 from slot 0, which already holds tile 5" for i in (0, 1)]


def test_a_slot_that_waits_for_more_consumers_than_there_are_is_never_empty():
    _, deadlock = hung(replace(RIGHT, empty_count=2))
    assert "1 of 2 arrivals pending" in dict(deadlock.waits)["producer 0"]


def test_two_producers_that_share_a_slot_are_two_phases_apart_and_parity_can_not_tell():
    machine = Stepper(replace(RIGHT, stages=1, producers=2))
    with pytest.raises(DeviceFault, match=r"full\[0\]: an arrival too many"):
        machine.run()
    assert [span.tile for span in machine.timeline.of("issue")] == [0, 2]  # tile 1 was passed over


def test_stages_fit_by_bytes():
    assert stages_that_fit(32 * 1024) == 7
    assert stages_that_fit(227 * 1024) == 0
    assert stages_that_fit(16 * 1024, shared_bytes=3 * (16 * 1024 + 16)) == 3


@pytest.mark.parametrize("field", ["tiles", "stages", "box_bytes", "producers", "consumers", "chunks"])
def test_counts_are_one_or_more(field):
    with pytest.raises(ValueError, match="counts are 1 or more"):
        replace(RIGHT, **{field: 0})
