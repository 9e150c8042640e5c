"""What a reader sees after one copy: by __syncthreads alone, and with the bytes expected before or after the copy.

Each block of a launch is one run, with a tile of its own ("dram") or the same as all ("l2").
"""

from collections.abc import Iterator
from ctypes import Structure, c_uint32
from itertools import product
from statistics import median

import numpy as np

from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import MIB, filled_buffer, map_argument
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.rows.row import Row

WAYS = ("syncthreads", "expect, copy", "copy, expect")
ROW_BYTES, THREADS, RUNS = 128, 256, 1056
TILE_ROWS = (1, 8, 128)
DELAYS = (0, 200, 400, 600, 800, 1000, 1500, 2000, 4000)  # cycles


class OrderRequest(Structure):
    """The kernel's struct request."""

    _fields_ = tuple((name, c_uint32) for name in ("how", "delay", "tile_bytes", "rows_apart"))


def order_launch(
    gpu: Gpu, memory: int, memory_bytes: int, way: str, rows: int, delay: int, source: str, runs: int
) -> Launch:
    """``runs`` blocks, each with one copy of ``rows`` rows."""
    shape = (ROW_BYTES, memory_bytes // ROW_BYTES, ROW_BYTES, ROW_BYTES, rows)
    request = OrderRequest(WAYS.index(way), delay, ROW_BYTES * rows, rows if source == "dram" else 0)
    arguments = (map_argument(memory, *shape), request, pointer(gpu.buffer("sights", 16 * RUNS)))
    return Launch(gpu.function("measure_order"), arguments, (runs, 1), THREADS, ROW_BYTES * rows)


def count_old(sights: "np.typing.NDArray[np.uint32]", way: str) -> Row:
    """In how many runs was something old, in how many did the phase end?"""
    old_words, old_threads, cycles, ended = sights.reshape(-1, 4).T.tolist()
    row: Row = {"runs": len(old_words), "runs_with_old_bytes": sum(words > 0 for words in old_words)}
    row |= {"old_words_median": median(old_words), "old_threads_median": median(old_threads)}
    row |= {"cycles_median": median(cycles), "cycles_min": min(cycles), "cycles_max": max(cycles)}
    return row | ({} if way == "syncthreads" else {"ended": sum(ended)})


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Every way, tile, delay and source once."""
    memory_bytes = 64 * MIB
    runs = 64 if quick else RUNS
    for way, rows, delay, source in list(product(WAYS, TILE_ROWS, DELAYS, ("dram", "l2")))[:: 17 if quick else 1]:
        memory = filled_buffer(gpu, "tiles", memory_bytes, 9)
        if source == "dram":
            filled_buffer(gpu, "other", 256 * MIB)  # pushes the tiles out of L2
        order_launch(gpu, memory, memory_bytes, way, rows, delay, source, runs)()
        finish()
        sights = gpu.read(gpu.buffer("sights", 16 * RUNS), 16 * runs).view(np.uint32)
        row: Row = {"kernel": "measure_order", "way": way, "tile_bytes": rows * ROW_BYTES, "delay_cycles": delay}
        yield row | {"from": source, "threads": THREADS} | count_old(sights, way)
