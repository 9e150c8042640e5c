"""Tensor cores: what is computed from what was seen, the operands' layout, and what stands in the machine code."""

import time
from collections import Counter
from ctypes import sizeof

import numpy as np
import pytest

pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from course_lib import Swizzle
from course_lib.gpu import compile, sass
from course_lib.model.facts.swizzle import pattern_of
from maintain.hardware.measure import meter
from maintain.hardware.measure.arithmetic import tensor_core
from maintain.hardware.measure.arithmetic.tensor_core import (
    DEPTH,
    WAYS,
    bfloat16,
    error,
    exact,
    expected_tile,
    mma,
    operand,
    product_rates,
    wgmma,
)
from maintain.hardware.measure.meter import Sample, summary
from tests.maintain.hardware.cases.test_asked_again import parameter_bytes

SHARED_LIMIT = 226 * 1024


def test_bfloat16_rounds_to_nearest_even():
    values = np.array([1.0, 1 + 2**-8, 1 + 3 * 2**-8, -2.5, 0.0, 3.0e38], np.float32)
    assert bfloat16(values).tolist() == [0x3F80, 0x3F80, 0x3F82, 0xC020, 0x0000, 0x7F62]
    assert exact(bfloat16(values[:1])).tolist() == [1.0]


def test_operands_are_random_or_zeros_and_always_the_same():
    assert np.array_equal(operand("random", 64, 1), operand("random", 64, 1))
    assert abs(exact(operand("random", 256, 1)).std() - 1) < 0.02
    assert not operand("zeros", 64, 1).any()


def test_the_wanted_tile_is_the_product_times_the_steps():
    a, b = operand("random", 128, 1), operand("random", 256, 2)
    right = exact(a) @ exact(b).T
    assert np.allclose(expected_tile(wgmma(256, 2), a, b, 3), 3 * right)
    few = exact(a[:, :16]) @ exact(b[:, :16]).T
    assert np.allclose(expected_tile(mma(0, 8), a, b, 3), 3 * few * (DEPTH // 16))


def test_an_error_is_relative_and_nan_is_none():
    right = np.full((2, 2), 2.0)
    found = np.full((2, 2), 2.002, np.float32)
    assert error(found.view(np.uint8), right) == pytest.approx(1e-3, rel=1e-3)
    found[0, 0] = np.nan
    assert error(found.view(np.uint8), right) is None
    assert error(np.zeros((2, 2), np.float32).view(np.uint8), np.zeros((2, 2))) == 0


def test_shares_are_of_the_peak_at_the_loops_own_clock_and_of_the_published_one():
    way, steps = wgmma(256, 2), 1000
    cycles = way.flop(steps) // 4096 * 2  # half of the peak
    told = product_rates(way, 132, steps, cycles / 1.5e3, (cycles, int(cycles / 1.5)))
    assert told["flop_per_cycle"] == 2048
    assert told["loop_mhz"] == pytest.approx(1500, abs=0.1)
    assert told["share_of_clocked_peak"] == pytest.approx(0.5, abs=1e-3)
    assert told["clocked_peak_tflop_per_s"] == pytest.approx(132 * 4096 * 1.5e9 / 1e12, rel=1e-4)
    assert told["share_of_published_peak"] == pytest.approx(told["tflop_per_s"] / 989.4, abs=1e-3)
    assert (
        pytest.approx(tensor_core.PUBLISHED_TFLOP_PER_S, rel=1e-3) == 132 * tensor_core.FLOP_PER_CYCLE * 1.83e9 / 1e12
    )


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_all_ways_do_the_same_number_of_operations_and_fit_an_sm(way):
    assert way.flop(way.steps) == WAYS[0].flop(WAYS[0].steps)
    assert (way.rows + way.columns) * DEPTH * 2 <= SHARED_LIMIT
    assert way.rows <= 256 >= way.columns
    assert (way.rows * 128) % 1024 == 0  # so that both operands begin where the swizzle does


def test_the_row_and_unit_that_a_lane_reads_are_where_the_128_byte_swizzle_put_them():
    swizzled = pattern_of(Swizzle.B128)
    for row in range(64):
        for unit in range(8):
            assert row * 128 + ((unit ^ row * 128 // 128 % 8) << 4) == swizzled(row * 128 + unit * 16)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_kernel_takes_two_maps_the_steps_and_two_addresses(way):
    sizes = parameter_bytes(way.kernel, "run", tuple(way.macros.items()))
    assert sizes == [128, 128, sizeof(tensor_core.c_uint32), 8, 8]


def test_power_is_the_energy_between_the_first_sample_and_the_last():
    seconds, watts = np.arange(5) * 0.5, 600
    samples = [Sample(t, int(t * watts * 1000), 500_000 + i, 1700 + i, 4 if i else 0) for i, t in enumerate(seconds)]
    told = summary(samples)
    assert (told["samples"], told["watts"]) == (5, 600)
    assert told["sm_mhz"] == [1700, 1702, 1704]
    assert (told["power_capped"], told["slowed"]) == (0.8, 0)


def test_without_nvml_nothing_is_seen_and_nothing_fails(monkeypatch):
    def missing(gpu):
        raise OSError("libnvidia-ml.so.1")

    monkeypatch.setattr(meter, "reader", missing)
    with meter.Meter(None) as watching:
        pass
    assert watching.row() == {"samples": 0}


def test_a_meter_reads_until_its_block_ends(monkeypatch):
    monkeypatch.setattr(meter, "reader", lambda gpu: lambda: Sample(time.monotonic(), 0, 0, 0, 0))
    monkeypatch.setattr(meter, "EVERY_S", 0.001)
    with meter.Meter(None) as watching:
        while len(watching.samples) < 3:
            time.sleep(0.001)
    seen = len(watching.samples)
    time.sleep(0.01)
    assert len(watching.samples) == seen


def has_disassembler():
    try:
        return bool(sass.disassembler())
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not has_disassembler(), reason="nvidia-cuda-nvdisasm is not installed")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_the_machine_code_multiplies_on_the_path_that_the_way_names(way):
    text = sass.sass(compile.cubin(way.kernel, "sm_90a", **way.macros))
    counted = Counter(name.split(".")[0] for name in sass.opcodes(text))
    loading = way.depth == DEPTH and way.kernel == "measure_mma_sync"
    assert (counted["HGMMA"] > 0) == (way.kernel == "measure_mma_wgmma")
    assert (counted["HMMA"] > 0) == (way.kernel == "measure_mma_sync")
    assert (counted["LDSM"] > 90) == loading
