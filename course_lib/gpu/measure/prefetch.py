"""What a tensor prefetch and a promotion change while few copies or many are in flight: times, and DRAM bytes (profiled)."""

from collections.abc import Iterator
from ctypes import Structure, c_uint32
from itertools import product
from typing import NamedTuple

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu
from course_lib.gpu.measure.buffers import MIB, filled_buffer, map_argument, multiprocessors
from course_lib.gpu.measure.timing import Launch, finish, summarize, time_interleaved
from course_lib.gpu.measure.ways import MemoryRows
from course_lib.rows.row import Row

MEMORY_BYTES, BOX_ROWS = 512 * MIB, 64
NO_PREFETCH = -1


class PrefetchRequest(Structure):
    """The kernel's struct request."""

    _fields_ = tuple((name, c_uint32) for name in ("tiles", "box_rows", "tile_bytes", "stage_bytes", "stages", "ahead"))


class PrefetchRun(NamedTuple):
    """Rows to read, how many copies a block keeps in flight, and how many tiles before its copy a tile is prefetched."""

    memory: MemoryRows
    l2_promotion: int
    stages: int
    ahead: int = NO_PREFETCH

    @property
    def tile_bytes(self) -> int:
        """Bytes of a box."""
        return self.memory.row_bytes * BOX_ROWS

    @property
    def macros(self) -> Macros:
        """The kernel's macros."""
        return {"PREFETCH": int(self.ahead != NO_PREFETCH)}

    @property
    def row(self) -> Row:
        """What tells of it."""
        own = {"l2_promotion": self.l2_promotion, "stages": self.stages, "ahead": self.ahead, "box_rows": BOX_ROWS}
        return {"kernel": "measure_prefetch", "macros": self.macros} | self.memory._asdict() | own


def rows_to_fill(row_bytes: int, pitch_bytes: int, size_bytes: int = MEMORY_BYTES) -> MemoryRows:
    """Rows that fill the memory."""
    return MemoryRows(row_bytes, pitch_bytes, size_bytes // pitch_bytes)


def prefetch_runs() -> list[PrefetchRun]:
    """Promotion by copies in flight, sparse and dense; then prefetch by its distance, at one copy in flight and at four."""
    shapes = [rows_to_fill(*shape) for shape in ((16, 512), (64, 512), (128, 512), (64, 64), (128, 128), (256, 256))]
    ways = [PrefetchRun(*way) for way in product(shapes, range(4), (1, 2, 4, 8))]
    ahead = (NO_PREFETCH, 0, 1, 2, 4, 8)
    early = [
        PrefetchRun(*way) for way in product((rows_to_fill(64, 512), rows_to_fill(256, 256)), (0, 2), (1, 4), ahead)
    ]
    return list(dict.fromkeys([*ways, *early]))


def prefetch_launch(gpu: Gpu, address: int, case: PrefetchRun) -> Launch:
    """All SMs, a block each."""
    memory, stage_bytes = case.memory, -(-case.tile_bytes // 128) * 128
    tiles = memory.rows // BOX_ROWS
    request = PrefetchRequest(tiles, BOX_ROWS, case.tile_bytes, stage_bytes, case.stages, max(case.ahead, 0))
    shape = (memory.row_bytes, memory.rows, memory.pitch_bytes, memory.row_bytes, BOX_ROWS)
    arguments = (map_argument(address, *shape, l2_promotion=case.l2_promotion), request)
    function = gpu.function("measure_prefetch", macros=case.macros)
    return Launch(function, arguments, (multiprocessors(gpu), 1), 32, case.stages * stage_bytes)


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """All cases, interleaved; between two launches of one memory lie many others, so nothing of it is in L2."""
    address, todo = filled_buffer(gpu, "rows", MEMORY_BYTES), prefetch_runs()[:: 9 if quick else 1]
    times = time_interleaved([prefetch_launch(gpu, address, case) for case in todo], 2 if quick else 9)
    for case, spent in zip(todo, times, strict=True):
        row = case.row | summarize(spent)
        yield row | {"gb_per_s": round(case.memory.useful_bytes / row["us_median"] / 1e3, 1)}


def profile(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Each case once, for the profiler, which empties the caches before."""
    address = filled_buffer(gpu, "rows", MEMORY_BYTES)
    for case in prefetch_runs()[:: 9 if quick else 1]:
        prefetch_launch(gpu, address, case)()
        finish()
        yield case.row


def live_rates(row_bytes: int, pitch_bytes: int, gpu: Gpu | None = None) -> list[float]:
    """Useful GB/s of such rows through each promotion, on this device now; GpuError where there is none."""
    gpu = gpu or Gpu()
    address = filled_buffer(gpu, "live", MEMORY_BYTES)
    reads = [PrefetchRun(rows_to_fill(row_bytes, pitch_bytes), promotion, 8) for promotion in range(4)]
    times = time_interleaved([prefetch_launch(gpu, address, case) for case in reads])
    return [reads[0].memory.useful_bytes / summarize(spent)["us_median"] / 1e3 for spent in times]
