"""What the promotion of a map does when tiles are stored or added through it: times, and (profiled) DRAM and L2 traffic."""

from collections.abc import Iterator
from ctypes import Structure, c_uint32
from itertools import product
from typing import NamedTuple

import numpy as np

from course_lib.gpu.context import Gpu
from course_lib.gpu.measure.buffers import MIB, map_argument, multiprocessors, zero
from course_lib.gpu.measure.timing import Launch, finish, summarize, time_interleaved
from course_lib.gpu.measure.ways import MemoryRows
from course_lib.model.facts.enums import DataType
from course_lib.rows.row import Row

MEMORY_BYTES, BOX_ROWS, THREADS = 512 * MIB, 64, 128
SHAPES = ((32, 512), (64, 512), (128, 512), (256, 512), (64, 64), (256, 256))


class WriteRequest(Structure):
    """The kernel's struct request."""

    _fields_ = tuple((name, c_uint32) for name in ("tiles", "box_rows", "tile_bytes"))


class WriteRun(NamedTuple):
    """Rows to write, the promotion, and whether they are stored (0) or added (1)."""

    memory: MemoryRows
    l2_promotion: int
    reduce: int

    @property
    def tile_bytes(self) -> int:
        """Bytes of a box."""
        return self.memory.row_bytes * BOX_ROWS

    @property
    def row(self) -> Row:
        """What tells of it."""
        own = {"l2_promotion": self.l2_promotion, "op": "add" if self.reduce else "store", "box_rows": BOX_ROWS}
        return {"kernel": "measure_store", "macros": {"REDUCE": self.reduce}} | self.memory._asdict() | own


def write_runs(quick: bool) -> list[WriteRun]:
    """Every shape through every promotion, stored and added."""
    shapes = [MemoryRows(row, pitch, MEMORY_BYTES // pitch) for row, pitch in SHAPES]
    return [WriteRun(*way) for way in product(shapes, range(4), (0, 1))][:: 7 if quick else 1]


def write_launch(gpu: Gpu, address: int, case: WriteRun) -> Launch:
    """All SMs, a block each."""
    memory = case.memory
    shape = (memory.row_bytes, memory.rows, memory.pitch_bytes, memory.row_bytes, BOX_ROWS)
    tensor_map = map_argument(address, *shape, l2_promotion=case.l2_promotion, data_type=DataType.UINT32)
    arguments = (tensor_map, WriteRequest(memory.rows // BOX_ROWS, BOX_ROWS, case.tile_bytes))
    function = gpu.function("measure_store", macros={"REDUCE": case.reduce})
    return Launch(function, arguments, (multiprocessors(gpu), 1), THREADS, case.tile_bytes)


def is_right(gpu: Gpu, address: int, case: WriteRun) -> bool:
    """Clear the memory, launch once: do the last two boxes hold the tile, and nothing between the rows?"""
    zero(address, MEMORY_BYTES)
    write_launch(gpu, address, case)()
    finish()
    pitch, row_words, rows = case.memory.pitch_bytes // 4, case.memory.row_bytes // 4, 2 * BOX_ROWS
    end = gpu.read(address + MEMORY_BYTES - rows * pitch * 4, rows * pitch * 4).view(np.uint32).reshape(rows, pitch)
    tile = (np.arange(1, BOX_ROWS * row_words + 1, dtype=np.uint64) * 2654435761).astype(np.uint32)
    wanted = np.zeros((2, BOX_ROWS, pitch), np.uint32)
    wanted[:, :, :row_words] = tile.reshape(BOX_ROWS, row_words)
    return bool((end == wanted.reshape(end.shape)).all())


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """All cases, interleaved; between two launches of one shape lie many others, so little of it is in L2."""
    address, todo = gpu.buffer("rows", MEMORY_BYTES), write_runs(quick)
    right = [is_right(gpu, address, case) for case in todo]
    times = time_interleaved([write_launch(gpu, address, case) for case in todo], 2 if quick else 9)
    for case, fine, spent in zip(todo, right, times, strict=True):
        row = case.row | {"result_is_right": fine} | summarize(spent)
        yield row | {"gb_per_s": round(case.memory.useful_bytes / row["us_median"] / 1e3, 1)}


def profile(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Each case once, for the profiler. What L2 still holds at the end is not among the bytes that DRAM was written."""
    address = gpu.buffer("rows", MEMORY_BYTES)
    zero(address, MEMORY_BYTES)
    for case in write_runs(quick):
        write_launch(gpu, address, case)()
        finish()
        yield case.row
