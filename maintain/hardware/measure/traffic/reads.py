"""Three kernels that read a whole memory and add up its words: by TMA, by cp.async, by ordinary loads."""

from ctypes import Structure, c_uint32
from functools import cached_property
from typing import Any, NamedTuple

from cuda.bindings import driver

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, driver_value, pointer
from course_lib.gpu.encode import as_argument
from course_lib.gpu.measure.buffers import DWORD_BYTES, map_argument, multiprocessors, read_words, zero
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.gpu.measure.ways import How, MemoryRows, ThreadWay, TileWay
from course_lib.rows.row import Row


class TileRequest(Structure):
    """The kernel's struct request, field by field."""

    _fields_ = tuple(
        (name, c_uint32)
        for name in (
            "tiles",
            "across",
            "box_elements",
            "box_rows",
            "tile_bytes",
            "stage_bytes",
            "stages",
            "source_step",
        )
    )


class MemoryRead(NamedTuple):
    """One way to read one memory: the launch and the row that tells of it."""

    launch: Launch
    row: Row
    sink: int

    def sum(self, gpu: Gpu) -> int:
        """Launch once; the sum of all 32-bit words that were read, modulo 2**32."""
        zero(self.sink, DWORD_BYTES)
        self.launch()
        finish()
        return int(read_words(gpu, self.sink, 1)[0])


class MemoryReader:
    """Makes reads of one memory."""

    def __init__(self, gpu: Gpu, address: int, memory: MemoryRows):
        self.gpu, self.address, self.memory = gpu, address, memory

    @cached_property
    def sink(self) -> int:
        """Where the sums go."""
        return self.gpu.buffer("sink", 256)

    def __call__(self, how: How) -> MemoryRead:
        name, macros, arguments, blocks, threads = (
            self.by_tiles(how) if isinstance(how, TileWay) else self.by_threads(how)
        )
        function = self.gpu.function(name, macros=macros)
        launch = Launch(function, arguments, (blocks, 1), threads, how.shared_bytes)
        row: Row = {"kernel": name, "macros": macros} | self.memory._asdict() | how._asdict()
        row |= {
            "in_flight_bytes": how.in_flight_bytes,
            "resident_blocks": resident_blocks(function, threads, how.shared_bytes),
        }
        return MemoryRead(launch, row, self.sink)

    def by_tiles(self, how: TileWay) -> tuple[str, Macros, tuple[Any, ...], int, int]:
        """What launches the TMA kernel."""
        row_bytes, pitch, rows = self.memory
        across = 1 if how.linear else row_bytes // how.box_row_bytes
        request = TileRequest(
            tiles=self.memory.useful_bytes // how.tile_bytes,
            across=across,
            box_elements=how.box_row_bytes // DWORD_BYTES,
            box_rows=how.box_rows,
            tile_bytes=how.tile_bytes,
            stage_bytes=how.stage_bytes,
            stages=how.stages,
            source_step=how.tile_bytes if row_bytes == pitch else pitch,
        )
        macros: Macros = {"FENCE": how.fence}
        macros |= {"LINEAR": 1} if how.linear else {}
        box = (how.box_row_bytes, how.box_rows, how.swizzle, how.l2_promotion)
        map_bytes = as_argument() if how.linear else map_argument(self.address, row_bytes, rows, pitch, *box)
        arguments = (map_bytes, request, pointer(self.address), pointer(self.sink))
        return "measure_read_tma", macros, arguments, multiprocessors(self.gpu) * how.blocks_per_sm, how.warps * 32 + 32

    def by_threads(self, how: ThreadWay) -> tuple[str, Macros, tuple[Any, ...], int, int]:
        """What launches the cp.async kernel, or the plain one."""
        row_bytes, pitch, rows = self.memory
        each = row_bytes // how.piece_bytes
        macros: Macros = {"BYTES": how.piece_bytes, "UNROLL": how.unroll, "PIECES": each}
        macros |= {"STAGES": how.stages} if how.stages else {}
        name = "measure_read_cp_async" if how.stages else "measure_read_plain"
        arguments = (pointer(self.address), c_uint32(each * rows), c_uint32(pitch), pointer(self.sink))
        return name, macros, arguments, multiprocessors(self.gpu) * how.blocks_per_sm, how.warps * 32


def resident_blocks(function: Any, threads: int, shared_bytes: int) -> int:
    """How many such blocks an SM holds at once."""
    asked = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, threads, shared_bytes)
    return int(driver_value(asked, "occupancy"))
