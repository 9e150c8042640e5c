"""Stores and additions by promotion: what is asked, and what makes a result right. Needs no GPU."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cuda.bindings", reason="cuda-python is not installed")

from course_lib.gpu.measure.ways import MemoryRows
from maintain.hardware.measure import counters
from maintain.hardware.measure.traffic import stores

CASE = stores.WriteRun(MemoryRows(64, 512, stores.MEMORY_BYTES // 512), 2, 0)
BOX_BYTES = stores.BOX_ROWS * 512


class Written:
    """A device whose last two boxes hold ``words``."""

    def __init__(self, words):
        self.words = words

    def read(self, address, size_bytes):
        assert address == stores.MEMORY_BYTES - 2 * BOX_BYTES
        return self.words.reshape(-1).view(np.uint8)


def boxes():
    """Two boxes of rows of 16 words, 128 words apart: the tile, and zeros between."""
    words = np.zeros((2, stores.BOX_ROWS, 128), np.uint32)
    words[:, :, :16] = (np.arange(1, 1025) * 2654435761 % 2**32).reshape(stores.BOX_ROWS, 16)
    return words


def spoilt(place):
    words = boxes()
    words[place] += 1
    return words


@pytest.fixture
def quiet(monkeypatch):
    """Nothing is launched."""
    for name in ("zero", "finish"):
        monkeypatch.setattr(stores, name, lambda *_: None)
    monkeypatch.setattr(stores, "write_launch", lambda *_: lambda: None)


@pytest.mark.parametrize(
    ("words", "right"), [(boxes(), True), (spoilt((1, 63, 15)), False), (spoilt((0, 3, 16)), False)]
)
def test_a_result_is_right_if_every_word_is_the_tiles_and_nothing_lies_between_the_rows(quiet, words, right):
    assert stores.is_right(Written(words), 0, CASE) is right


def test_every_shape_is_stored_and_added_through_every_promotion():
    asked = stores.write_runs(False)
    assert len(asked) == len(set(asked)) == len(stores.SHAPES) * 4 * 2
    assert {case.row["op"] for case in asked} == {"store", "add"}
    assert all(case.memory.rows % stores.BOX_ROWS == 0 for case in asked)


def test_the_profiler_counts_what_is_written_too():
    assert counters.METRICS["dram_write_bytes"] == "dram__bytes_write.sum"
    assert any("lts__t_sectors_op_write.sum" in word for word in counters.command(Path("log.csv")))
