"""How a barrier's script reaches the kernel, and how a clock's cycles are counted."""

import pytest

pytest.importorskip("cuda.bindings", reason="cuda-python is not installed")

from course_lib.gpu.asked import banks, barriers


def test_a_script_is_handed_over_step_by_step():
    script = barriers.script_of({"count": 2, "steps": [["arrive_expect", 48], ["copy", 0], ["arrive"]]})
    assert (script.count, script.steps) == (2, 3)
    assert [tuple(step) for step in script.step[:3]] == [(2, 48), (3, 0), (0, 0)]


def test_a_clock_that_wraps_still_counts_cycles():
    import numpy as np

    start, end = 2**32 - 100, 924
    times = np.array([start, end], np.uint32).view(np.uint8)
    assert banks.cycles_each(times, 1) == 1024 / banks.LOADS_A_WARP
