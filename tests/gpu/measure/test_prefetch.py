"""The reads by promotion and prefetch without a device: every case fits, covers its memory, and says what it is."""

import pytest

pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from course_lib.gpu.measure.prefetch import (
    BOX_ROWS,
    MEMORY_BYTES,
    NO_PREFETCH,
    live_rates,
    prefetch_launch,
    prefetch_runs,
)
from tests.maintain.hardware.measure.test_launches import SHARED_LIMIT, pretended  # noqa: F401


def test_no_two_cases_are_the_same_and_each_covers_its_memory():
    assert len(set(prefetch_runs())) == len(prefetch_runs()) == 136
    assert {case.memory.rows * case.memory.pitch_bytes for case in prefetch_runs()} == {MEMORY_BYTES}
    assert all(case.memory.rows % BOX_ROWS == 0 for case in prefetch_runs())
    assert {case.ahead for case in prefetch_runs()} == {NO_PREFETCH, 0, 1, 2, 4, 8}


def test_the_kernel_has_a_barrier_for_each_stage_and_shared_memory_holds_the_ring():
    assert max(case.stages for case in prefetch_runs()) <= 64
    assert max(case.stages * case.tile_bytes for case in prefetch_runs()) <= SHARED_LIMIT - 1024


def test_a_case_without_prefetch_runs_a_kernel_without_one(pretended):  # noqa: F811
    for case in prefetch_runs():
        prefetch_launch(pretended, 1 << 34, case)
    asked = {dict(macros)["PREFETCH"] for kernel, macros in pretended.asked if kernel == "measure_prefetch"}
    assert asked == {0, 1}
    assert {case.macros["PREFETCH"] for case in prefetch_runs() if case.ahead == NO_PREFETCH} == {0}


def test_live_rates_are_one_for_each_promotion(pretended):  # noqa: F811
    rates = live_rates(64, 512, pretended)
    assert len(rates) == 4
    assert min(rates) > 0


def test_a_row_tells_how_it_was_read():
    row = prefetch_runs()[-1].row
    assert (row["kernel"], row["ahead"], row["stages"], row["l2_promotion"]) == ("measure_prefetch", 8, 4, 2)
