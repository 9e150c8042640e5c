"""What is asked where fences are left out close to the copy, or in a cluster, and how it is counted. Needs no GPU."""

import numpy as np
import pytest

pytest.importorskip("cuda.bindings", reason="cuda-python is not installed")

from course_lib.gpu import compile
from course_lib.gpu.measure import timing
from maintain.hardware.measure.order import fences, fences_close

ASKED = list(fences_close.fence_runs())


@pytest.mark.parametrize("kernel", ["measure_fences_close", "measure_fences_cluster"])
def test_words_and_rounds_are_those_of_the_kernel(kernel):
    text = compile.source(kernel)
    assert f"#define WORDS {fences.WORDS}\n" in text
    assert f"#define ROUNDS {fences.ROUNDS}\n" in text


def test_every_case_is_asked_without_a_fence_and_with_each_of_its_own():
    by_case = {}
    for _, case, fence, how, _ in ASKED:
        by_case.setdefault((case, how), set()).add(fence)
    assert len(by_case) == 8
    assert all("none" in names and len(names) == (2 if case == "shared" else 3) for (case, _), names in by_case.items())


def test_barriers_without_a_fence_are_asked_last_of_their_kind():
    assert [fence for _, case, fence, _, _ in ASKED if case == "init"][2::3] == ["none", "none"]


def test_the_two_spellings_of_one_case_differ_in_the_fence_alone():
    kernel, *_, macros = next(a for a in ASKED if a[1:4] == ("shared", "none", "quiet"))
    without, with_fence = (compile.cubin(kernel, "sm_90a", **macros | {"FENCE": fence}) for fence in (0, 1))
    assert without != with_fence


class Stored:
    """A device whose memory holds every tile but one, which is that of the round before."""

    def function(self, *_, **__):
        return "function"

    def buffer(self, name, size_bytes):
        return 1 if name == "target" else 2

    def read(self, address, size_bytes):
        if address == 2:
            return np.arange(size_bytes // 4, dtype=np.uint32).view(np.uint8)
        tiles = fences.numbered_tiles(fences.ROUNDS)
        words = np.stack([tiles] * (size_bytes // tiles.nbytes))
        words[-1, 5] = words[-1, 4]
        return words.reshape(-1).view(np.uint8)


@pytest.fixture
def stored(monkeypatch):
    """Launches do nothing."""
    for name in ("zero", "finish"):
        monkeypatch.setattr(fences_close, name, lambda *_: None)
    monkeypatch.setattr(timing.Launch, "__call__", lambda self: None)
    return Stored()


def test_a_stored_tile_of_another_round_is_counted_where_it_lies(stored):
    wrong = fences_close.launch_close(stored, "measure_fences_cluster", {}, 4, 256, True)
    assert wrong.size == 4 * fences.ROUNDS
    assert np.flatnonzero(wrong).tolist() == [3 * fences.ROUNDS + 5]


def test_what_the_kernel_counts_is_taken_as_it_is(stored):
    wrong = fences_close.launch_close(stored, "measure_fences_close", {}, 2, 32, False)
    assert wrong.tolist() == list(range(2 * fences.ROUNDS))
