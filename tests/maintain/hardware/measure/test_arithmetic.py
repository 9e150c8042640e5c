"""What the measurements compute from what they saw, and what they ask for, against the model and by hand."""

import numpy as np
import pytest

pytest.importorskip("cuda.bindings.driver", reason="cuda-python is not installed")

from course_lib.gpu.measure import timing
from course_lib.gpu.measure.ways import MemoryRows, ThreadWay, TileWay
from course_lib.model.cost.banks import access, ldmatrix
from course_lib.model.cost.gemm import gemm_traffic
from course_lib.model.facts.swizzle import pattern_of
from course_lib.rows.memory import source_bytes
from maintain.hardware.measure import clocks
from maintain.hardware.measure.arithmetic import fma
from maintain.hardware.measure.order import order
from maintain.hardware.measure.traffic import bandwidth, hints, latency, multicast, narrow, transpose

LANES = np.arange(32)


def test_a_summary_tells_median_quartiles_and_range():
    told = timing.summarize([5.0, 1.0, 2.0, 4.0, 3.0])
    assert told == {"us_median": 3, "us_q1": 1.5, "us_q3": 4.5, "us_min": 1, "us_max": 5, "runs": 5}
    assert timing.summarize([7.0], "cycles")["cycles_q3"] == 7


def test_bytes_in_flight_are_what_an_sm_asked_for_and_has_not_got():
    assert TileWay(128, 128, 4, 4).in_flight_bytes == 65536
    assert TileWay(128, 64, 3, 4, blocks_per_sm=2).in_flight_bytes == 49152
    assert ThreadWay(8, 4).in_flight_bytes == ThreadWay(2, 4, 4).in_flight_bytes == 8 * 32 * 16 * 4
    assert ThreadWay(8, 4).shared_bytes == 0
    assert ThreadWay(8, 4, 2).shared_bytes == 8 * 32 * 16 * 4 * 2


def test_a_stage_begins_where_the_copy_may_write():
    assert TileWay(16, 1, 2, 4).stage_bytes == 128
    assert TileWay(128, 12, 2, 4, swizzle=3).stage_bytes == 2048
    assert not TileWay(128, 256, 7, 4).fits


def test_slow_ways_read_less_but_still_many_times_l2():
    assert bandwidth.memory_for(ThreadWay(1, 1), 4 << 30).useful_bytes == 256 << 20
    assert bandwidth.memory_for(TileWay(128, 128, 4, 4), 4 << 30).useful_bytes == 4 << 30


def test_the_ways_to_read_differ_and_all_fit():
    ways = [*bandwidth.tile_ways(), *bandwidth.thread_ways()]
    assert len(set(map(repr, ways))) == len(ways)
    assert all(way.fits for way in ways)
    assert {way.stages for way in bandwidth.tile_ways()} >= set(range(1, 7))


def test_the_contest_takes_the_fastest_of_each_kind():
    rates = [("a", 1.0), ("b", 5.0), ("a", 3.0), ("a", 2.0)]
    rows = [{"kernel": kernel, "gb_per_s": rate} for kernel, rate in rates]
    assert bandwidth.best(rows, 2) == [1, 2, 3]
    assert bandwidth.gb_per_s({"us_median": 2.0}, 8000)["gb_per_s"] == 4.0


def test_rows_of_every_width_lie_inside_the_memory_that_was_filled():
    size = 2 << 30
    cases = [*narrow.by_width(size), *narrow.by_tile(size // 2), *narrow.by_pitch(size)]
    assert all(case.memory.rows * case.memory.pitch_bytes <= size for case in cases)
    assert all(case.how.fits for case in cases)
    assert {case.memory.row_bytes for case in cases if case.part == "width"} == set(narrow.WIDTHS)
    assert all(case.memory.rows % getattr(case.how, "box_rows", 1) == 0 for case in cases)


def test_rates_count_rows_and_useful_bytes():
    row = narrow.rates_by_row({"us_median": 10.0}, MemoryRows(64, 256, 420_000))
    assert row["rows_per_ns"] == 42.0
    assert row["gb_per_s"] == 2688.0


def test_every_launch_of_a_latency_case_reads_bytes_of_its_own():
    launches = 6 * len(list(latency.latency_cases()))
    assert launches * latency.COPIES * latency.STEP_BYTES <= 4 << 30
    assert max(latency.SIZES) <= latency.STEP_BYTES
    assert latency.latency_macros(65536, "loads", "l2")["PIECES"] == 16
    assert "PIECES" not in latency.latency_macros(128, "tma", "prefetched")


@pytest.mark.parametrize("size", [256, 1024])
def test_the_asked_operand_bytes_are_the_models(size):
    for across, down in multicast.SHAPES:
        if size % (128 * across) == 0 and size % (128 * down) == 0:
            wanted = gemm_traffic(size, size, size, 128, 128, cluster_m=down, cluster_n=across)
            assert multicast.operand_bytes(size, (across, down)) == wanted.operand_bytes


@pytest.mark.parametrize("element_bytes", [2, 4])
def test_a_column_of_the_matrix_is_computed_from_the_formula(element_bytes):
    size = 64
    memory = source_bytes(transpose.SEED, size * size * element_bytes).view(f"<u{element_bytes}").reshape(size, size)
    for number in (0, 1, 3, 33, 63):
        assert (
            transpose.expected_row(number, size, element_bytes).view(f"<u{element_bytes}") == memory[:, number]
        ).all()


def float_read(how, column):
    """The 32 byte addresses of a warp's read in measure_transpose.cu."""
    if how == 4:
        column = column // 4 * 4 + (column + LANES // 8) % 4
    plain = (LANES * (33 if how == 1 else 32) + column) * 4
    return plain if how < 3 else pattern_of(3)(plain)


@pytest.mark.parametrize(("how", "degree"), [(0, 32), (1, 1), (2, 32), (3, 4), (4, 1)])
def test_a_column_of_float32_conflicts_as_the_model_says(how, degree):
    assert {access(float_read(how, column), 4).degree for column in range(32)} == {degree}


@pytest.mark.parametrize(("how", "degree"), [(0, 32), (1, 2), (2, 32), (3, 8)])
def test_a_column_of_16_bit_elements_conflicts_as_the_model_says(how, degree):
    for column in (0, 1, 9, 63):
        plain = (LANES * 2 * (66 if how == 1 else 64) + column) * 2
        where = pattern_of(3)(plain) if how == 3 else plain
        assert access(where // 4 * 4, 4).degree == degree


def test_ldmatrix_reads_a_swizzled_tile_without_conflicts():
    for block_row, block in ((0, 0), (4, 5)):
        plain = ((block_row + LANES // 8) * 8 + LANES % 8) * 128 + block * 16
        assert ldmatrix(pattern_of(3)(plain)).degree == 1


def test_the_operands_of_fma_are_all_triples_of_the_values_and_the_fill():
    table = fma.fma_operands((0x3C00, 0x7E00), 16)
    lower, upper = table & 0xFFFF, table >> 16
    assert table.shape == (3, 27)
    assert lower[:, 0].tolist() == [fma.FILL] * 3
    assert (upper[:, ::-1] == lower).all()
    assert fma.fma_operands((1,), 32)[:, 0].tolist() == [0x7FF77FF7] * 3


def test_what_readers_saw_is_counted_over_all_runs():
    sights = np.array([[32, 8, 400, 0], [0, 0, 500, 0], [4, 1, 600, 0]], np.uint32)
    row = order.count_old(sights, "syncthreads")
    assert row["runs_with_old_bytes"] == 2
    assert row["old_words_median"] == 4
    assert "ended" not in row
    assert order.count_old(sights, "copy, expect")["ended"] == 0


def test_policies_become_macros():
    assert hints.policy_macros((None, "evict_first")) == {"Y_POLICY": '"evict_first"'}
    assert hints.policy_macros((None, None)) == {}


def test_clocks_are_read_from_what_nvidia_smi_prints():
    row = clocks.clocks_row("1980, 3201, 120.50, 36\n1965, 3201, [N/A], 37\nbroken\n")
    assert row["samples"] == 2
    assert row["sm_mhz"] == [1965, 1972.5, 1980]
    assert row["power_w"] == [120.5, 120.5, 120.5]
    assert clocks.clocks_row("")["samples"] == 0
