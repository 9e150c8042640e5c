"""Streaming read bandwidth: TMA, cp.async, ordinary loads, the vendor's copy; by warps, stages, tile and row width.

First every way on its own settings (``part`` "sweep"), then the best of each once more, side by side ("contest").
GB/s count useful bytes; the vendor's copy counts what it reads and what it writes.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

from cuda.bindings import driver

from course_lib.gpu.context import Gpu, driver_value
from course_lib.gpu.measure.buffers import GIB, MIB, filled_buffer
from course_lib.gpu.measure.timing import Work, summarize, time_interleaved
from course_lib.gpu.measure.ways import How, MemoryRows, ThreadWay, TileWay
from course_lib.rows.row import Row
from maintain.hardware.measure.traffic.reads import MemoryRead, MemoryReader

MATRIX_ROW_BYTES = 16384  # 8,192 elements of 16 bits
FEW_BYTES_IN_FLIGHT = 6144  # below this a sixteenth of the memory is enough to read
SEED = 1
TILES = ((128, 16), (128, 32), (128, 64), (128, 128), (128, 256))
WIDTHS = ((32, 256), (64, 256), (128, 128), (256, 64), (512, 32), (1024, 16))
CONTESTANTS_EACH, CONTEST_ROUNDS = 3, 31


def tile_ways() -> list[TileWay]:
    """Reads by TMA: stages by tile, warps, row widths, then one change at a time."""
    ways = [TileWay(*tile, stages, 4) for tile, stages in product(TILES, range(1, 7))]
    ways += [TileWay(*tile, 4, warps) for tile, warps in product(((128, 32), (128, 128)), (1, 2, 8, 16))]
    ways += [TileWay(*tile, stages, 4) for tile, stages in product(WIDTHS, (4, 6, 8, 12))]
    ways += [TileWay(1024, kib, stages, 4, linear=1) for kib, stages in product((2, 4, 8, 16, 32), (2, 4, 6))]
    base = TileWay(128, 128, 4, 4)
    ways += [
        base._replace(swizzle=3),
        TileWay(128, 64, 4, 4, blocks_per_sm=2),
        TileWay(128, 128, 3, 4, blocks_per_sm=2),
    ]
    ways += [TileWay(*tile, stages, 4, fence=0) for tile, stages in product(TILES, (4, 6))]
    ways += [base._replace(l2_promotion=promotion) for promotion in (1, 2, 3)]
    return [way for way in dict.fromkeys(ways) if way.fits]


def thread_ways() -> list[ThreadWay]:
    """Reads by cp.async (stages of one or four 16-byte pieces a thread) and by loads into registers."""
    ways = [ThreadWay(w, u, s) for w, u, s in product((1, 2, 4, 8, 16, 32), (1, 4), (1, 2, 3, 4, 6))]
    ways += [ThreadWay(w, u) for w, u in product((1, 2, 4, 8, 16, 32), (1, 2, 4, 8))]
    ways += [ThreadWay(w, u, 0, 16, 2) for w, u in product((24, 32), (1, 2, 4))]
    return [way for way in ways if way.fits]


def memory_for(how: How, total_bytes: int) -> MemoryRows:
    """The matrix to read. What has little in flight is slow and reads less of it, still many times L2."""
    size = total_bytes // 16 if how.in_flight_bytes < FEW_BYTES_IN_FLIGHT else total_bytes
    return MemoryRows(MATRIX_ROW_BYTES, MATRIX_ROW_BYTES, size // MATRIX_ROW_BYTES)


def vendor_copy(gpu: Gpu, source: int, size_bytes: int) -> Work:
    """cuMemcpyDtoDAsync."""
    target = gpu.buffer("copy", size_bytes)
    return lambda: driver_value(driver.cuMemcpyDtoDAsync(target, source, size_bytes, 0), "copy")


def gb_per_s(row: Row, moved_bytes: int) -> Row:
    """The row with its rate, from the median time."""
    return row | {"moved_bytes": moved_bytes, "gb_per_s": round(moved_bytes / row["us_median"] / 1e3, 1)}


def kernel_kind(row: Row) -> str:
    """The kernel, linear bulk copies apart."""
    return str(row["kernel"]) + (" linear" if row.get("linear") else "")


def sweep_reads(gpu: Gpu, reads: list[MemoryRead], rounds: int) -> Iterator[Row]:
    """Each read checked and timed."""
    right: dict[Any, int] = {}
    sums = [read.sum(gpu) for read in reads]
    for read, found in zip(reads, sums, strict=True):
        right.setdefault(read.row["rows"], found)
    times = time_interleaved([read.launch for read in reads], rounds)
    for read, found, spent in zip(reads, sums, times, strict=True):
        row = {"part": "sweep"} | read.row | {"sum_is_right": found == right[read.row["rows"]]} | summarize(spent)
        yield gb_per_s(row, read.row["rows"] * read.row["row_bytes"])


def best(rows: list[Row], each: int) -> list[int]:
    """The indices of the fastest ``each`` of every kind."""
    order = sorted(range(len(rows)), key=lambda index: -rows[index]["gb_per_s"])
    kinds: dict[str, list[int]] = {}
    for index in order:
        kinds.setdefault(kernel_kind(rows[index]), []).append(index)
    return [index for kind in kinds.values() for index in kind[:each]]


def contest(gpu: Gpu, reads: list[MemoryRead], source: int, size_bytes: int, rounds: int) -> Iterator[Row]:
    """The best of each kind and the vendor's copy, interleaved."""
    works: list[Work] = [*(read.launch for read in reads), vendor_copy(gpu, source, size_bytes)]
    rows = [*(read.row for read in reads), {"kernel": "cuMemcpyDtoDAsync"}]
    for row, spent in zip(rows, time_interleaved(works, rounds, 2), strict=True):
        moved = 2 * size_bytes if row["kernel"].startswith("cu") else row["rows"] * row["row_bytes"]
        yield gb_per_s({"part": "contest"} | row | summarize(spent), moved)


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """The sweep, then the contest."""
    size_bytes = 256 * MIB if quick else 4 * GIB
    source = filled_buffer(gpu, "matrix", size_bytes, SEED)
    ways: list[How] = []
    ways += thread_ways()
    ways += tile_ways()
    reads = [MemoryReader(gpu, source, memory_for(how, size_bytes))(how) for how in ways[:: 9 if quick else 1]]
    rows = list(sweep_reads(gpu, reads, 2 if quick else 7))
    yield from rows
    chosen = [reads[index] for index in best(rows, CONTESTANTS_EACH)]
    yield from contest(gpu, chosen, source, size_bytes, 3 if quick else CONTEST_ROUNDS)
