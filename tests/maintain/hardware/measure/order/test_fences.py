"""How runs without a fence are counted. Needs no GPU."""

import numpy as np
import pytest

pytest.importorskip("cuda.bindings", reason="cuda-python is not installed")

from course_lib.gpu import compile
from maintain.hardware.measure.order import fences


def test_a_tile_of_another_round_is_stale_in_every_word_and_its_own_in_none():
    stored = np.stack([fences.numbered_tiles(4), fences.numbered_tiles(4)])
    stored[1, 2] = stored[1, 1]
    assert fences.count_stale(stored).tolist() == [0, 0, 0, 0, 0, 0, fences.WORDS, 0]


def test_runs_are_told_by_what_went_wrong():
    row = fences.count_wrong(np.array([0, 3, 5, fences.NEVER, 0], np.uint32))
    assert row == {"runs": 5, "runs_with_wrong_words": 2, "wrong_words_median": 4.0, "never_ended": 1}
    assert fences.count_wrong(np.zeros(3, np.uint32))["wrong_words_median"] == 0


@pytest.mark.parametrize("case", range(len(fences.CASES)))
@pytest.mark.parametrize("fence", range(len(fences.FENCES)))
def test_each_case_compiles_with_each_fence(case, fence):
    assert compile.cubin("measure_fences", "sm_90a", CASE=case, FENCE=fence)


def test_the_fences_are_what_the_kernel_spells():
    text = compile.source("measure_fences")
    assert all(fence in text for fence in fences.FENCES[1:])
    assert f"#define WORDS {fences.WORDS}\n" in text
    assert f"#define ROUNDS {fences.ROUNDS}\n" in text
