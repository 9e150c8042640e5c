"""When TMA is not worth it: rows a nanosecond by row width, small tiles, rows that no descriptor can describe."""

from collections.abc import Iterator
from typing import NamedTuple

from course_lib.gpu.context import Gpu
from course_lib.gpu.measure.buffers import GIB, MIB, filled_buffer
from course_lib.gpu.measure.timing import summarize, time_interleaved
from course_lib.gpu.measure.ways import STAGES_MAX, How, MemoryRows, ThreadWay, TileWay
from course_lib.rows.row import Row
from maintain.hardware.measure.traffic.bandwidth import gb_per_s
from maintain.hardware.measure.traffic.reads import MemoryRead, MemoryReader

WIDTHS = (16, 32, 64, 128, 256, 512)
ODD_WIDTHS = (36, 100, 132, 260)  # no multiples of 16: whole 4-byte elements
IN_FLIGHT_BYTES = 64 * 1024
READERS = 16  # warps that share the tiles: a small tile costs a reader far more than its bytes
THREADS = (ThreadWay(32, 4), ThreadWay(32, 2, 4), ThreadWay(8, 1, 6), ThreadWay(8, 4))


class NarrowRead(NamedTuple):
    """One way to read one memory."""

    part: str
    memory: MemoryRows
    how: How


def ring(row_bytes: int, box_rows: int, linear: int = 0) -> TileWay:
    """A ring of such tiles with 64 KiB in flight, or as near as 256 stages come."""
    tile_bytes = row_bytes * box_rows
    return TileWay(
        row_bytes, box_rows, max(2, min(STAGES_MAX, IN_FLIGHT_BYTES // max(tile_bytes, 128))), READERS, linear=linear
    )


def by_width(size_bytes: int) -> Iterator[NarrowRead]:
    """Rows of each width in ``size_bytes`` of memory: one every 512 or 256 bytes, and one behind the other."""
    for width in WIDTHS:
        for pitch in sorted({width, 256, 512} - set(range(width))):
            memory = MemoryRows(width, pitch, size_bytes // max(pitch, 128))
            tall, flat = ring(width, min(256, 16384 // width)), ring(width, 8)
            hows: list[How] = [tall, flat]
            hows += [ring(width, 1, linear=1)] if pitch > width else []
            hows += THREADS
            yield from (NarrowRead("width", memory, how) for how in hows)


def by_tile(size_bytes: int) -> Iterator[NarrowRead]:
    """Tiles of 1 to 256 rows of 128 bytes, one behind the other: what one small copy costs."""
    memory = MemoryRows(128, 128, size_bytes // 128)
    for box_rows in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        yield NarrowRead("tile", memory, ring(128, box_rows))
        yield NarrowRead("tile", memory, ring(128, box_rows)._replace(linear=1))
        yield NarrowRead("tile", memory, ring(128, box_rows)._replace(fence=0))
        for blocks in (2, 3, 4, 8):  # as many threads that issue
            few = max(2, ring(128, box_rows).stages // blocks)
            how = ring(128, box_rows)._replace(stages=few, warps=3, blocks_per_sm=blocks)
            yield from [NarrowRead("tile", memory, how)] if how.fits else []


def by_pitch(size_bytes: int) -> Iterator[NarrowRead]:
    """Dense rows whose pitch is no multiple of 16, as they are by 4-byte copies, and by TMA once they are padded."""
    for width in ODD_WIDTHS:
        rows = size_bytes // 512
        dense, padded = MemoryRows(width, width, rows), -(-width // 16) * 16
        for how in (ThreadWay(32, 4, 0, 4), ThreadWay(32, 8, 0, 4), ThreadWay(32, 4, 4, 4)):
            yield NarrowRead("unaligned", dense, how)
        yield NarrowRead("padded", MemoryRows(padded, padded, rows), ring(padded, 64))
        yield NarrowRead("padded", MemoryRows(padded, padded, rows), ThreadWay(32, 4))


def try_descriptors(gpu: Gpu, address: int) -> Iterator[Row]:
    """The driver's answer to a descriptor of such rows."""
    for width in ODD_WIDTHS:
        row: Row = {"part": "refused", "row_bytes": width, "pitch_bytes": width}
        try:
            MemoryReader(gpu, address, MemoryRows(width, width, 4096))(TileWay(width, 64, 2, 4))
        except ValueError as error:
            yield row | {"refused": str(error).split(":")[0]}
        else:
            yield row | {"refused": None}


def rates_by_row(row: Row, memory: MemoryRows) -> Row:
    """Bytes and rows a nanosecond."""
    return gb_per_s(row, memory.useful_bytes) | {"rows_per_ns": round(memory.rows / row["us_median"] / 1e3, 3)}


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """All cases, interleaved; the sums of one memory must agree."""
    size_bytes = 64 * MIB if quick else 2 * GIB
    source = filled_buffer(gpu, "rows", size_bytes)
    cases = [*by_width(size_bytes), *by_tile(size_bytes // 2), *by_pitch(size_bytes)][:: 7 if quick else 1]
    reads: list[MemoryRead] = [MemoryReader(gpu, source, case.memory)(case.how) for case in cases]
    sums = [read.sum(gpu) for read in reads]
    right = {case.memory: found for case, found in zip(cases, sums, strict=True)}
    times = time_interleaved([read.launch for read in reads], 2 if quick else 7)
    for case, read, found, spent in zip(cases, reads, sums, times, strict=True):
        row = {"part": case.part} | read.row | {"sum_is_right": found == right[case.memory]} | summarize(spent)
        yield rates_by_row(row, case.memory)
    yield from try_descriptors(gpu, source)
