"""Three kernels that read a whole memory and add up its words: by TMA, by cp.async, by ordinary loads."""

from ctypes import Structure, c_char, c_uint32
from functools import cached_property
from typing import Any, NamedTuple

from cuda.bindings import driver

from ..compile import Macros
from ..context import Gpu, ask, pointer
from ..rows import Row
from .memory import DWORD_BYTES, map_argument, multiprocessors, words, zero
from .timing import Launch, finish

SHARED_BYTES_MAX = 220 * 1024  # of an SM; the rest is for the barriers
STAGES_MAX = 256


class Rows(NamedTuple):
    """The memory to read: rows of ``row_bytes``, ``pitch_bytes`` apart."""

    row_bytes: int
    pitch_bytes: int
    rows: int

    @property
    def useful_bytes(self) -> int:
        """What is read."""
        return self.row_bytes * self.rows


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


class Tile(NamedTuple):
    """How TMA reads: the tile, the stages of the ring, the warps that read it. ``linear``: bulk copies without a map."""

    box_row_bytes: int
    box_rows: int
    stages: int
    warps: int
    swizzle: int = 0
    l2_promotion: int = 0
    blocks_per_sm: int = 1
    fence: int = 1
    linear: int = 0

    @property
    def tile_bytes(self) -> int:
        """Bytes of a tile."""
        return self.box_row_bytes * self.box_rows

    @property
    def stage_bytes(self) -> int:
        """A stage: the tile on a multiple of 128 (1024 with swizzle)."""
        unit = 1024 if self.swizzle else 128
        return -(-self.tile_bytes // unit) * unit

    @property
    def shared_bytes(self) -> int:
        """What the ring takes."""
        return self.stage_bytes * self.stages

    @property
    def in_flight_bytes(self) -> int:
        """What an SM has asked for at most and not yet got."""
        return self.tile_bytes * self.stages * self.blocks_per_sm

    @property
    def fits(self) -> bool:
        """Does an SM's shared memory hold it?"""
        return self.shared_bytes * self.blocks_per_sm <= SHARED_BYTES_MAX and self.stages <= STAGES_MAX


class Threads(NamedTuple):
    """How threads read: pieces of ``piece_bytes``, ``unroll`` of them a thread in ``stages`` groups (0: into registers)."""

    warps: int
    unroll: int
    stages: int = 0
    piece_bytes: int = 16
    blocks_per_sm: int = 1

    @property
    def in_flight_bytes(self) -> int:
        """What an SM has asked for at most and not yet got."""
        return self.warps * self.blocks_per_sm * 32 * self.piece_bytes * self.unroll * max(self.stages, 1)

    @property
    def shared_bytes(self) -> int:
        """A block's shared memory."""
        return self.in_flight_bytes // self.blocks_per_sm if self.stages else 0

    @property
    def fits(self) -> bool:
        """Does an SM's shared memory hold it?"""
        return self.shared_bytes * self.blocks_per_sm <= SHARED_BYTES_MAX


How = Tile | Threads


class Read(NamedTuple):
    """One way to read one memory: the launch and the row that tells of it."""

    launch: Launch
    row: Row
    sink: int

    def sum(self, gpu: Gpu) -> int:
        """Launch once; the sum of all 32-bit words that were read, modulo 2**32."""
        zero(self.sink, DWORD_BYTES)
        self.launch()
        finish()
        return int(words(gpu, self.sink, 1)[0])


class Reader:
    """Makes reads of one memory."""

    def __init__(self, gpu: Gpu, address: int, memory: Rows):
        self.gpu, self.address, self.memory = gpu, address, memory

    @cached_property
    def sink(self) -> int:
        """Where the sums go."""
        return self.gpu.buffer("sink", 256)

    def __call__(self, how: How) -> Read:
        name, macros, arguments, blocks, threads = self.by_tiles(how) if isinstance(how, Tile) else self.by_threads(how)
        function = self.gpu.function(name, macros=macros)
        launch = Launch(function, arguments, (blocks, 1), threads, how.shared_bytes)
        row: Row = {"kernel": name, "macros": macros} | self.memory._asdict() | how._asdict()
        row |= {
            "in_flight_bytes": how.in_flight_bytes,
            "resident_blocks": resident(function, threads, how.shared_bytes),
        }
        return Read(launch, row, self.sink)

    def by_tiles(self, how: Tile) -> tuple[str, Macros, tuple[Any, ...], int, int]:
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
        map_bytes = (c_char * 128)() if how.linear else map_argument(self.address, row_bytes, rows, pitch, *box)
        arguments = (map_bytes, request, pointer(self.address), pointer(self.sink))
        return "measure_read_tma", macros, arguments, multiprocessors(self.gpu) * how.blocks_per_sm, how.warps * 32 + 32

    def by_threads(self, how: Threads) -> tuple[str, Macros, tuple[Any, ...], int, int]:
        """What launches the cp.async kernel, or the plain one."""
        row_bytes, pitch, rows = self.memory
        each = row_bytes // how.piece_bytes
        macros: Macros = {"BYTES": how.piece_bytes, "UNROLL": how.unroll, "PIECES": each}
        macros |= {"STAGES": how.stages} if how.stages else {}
        name = "measure_read_cp_async" if how.stages else "measure_read_plain"
        arguments = (pointer(self.address), c_uint32(each * rows), c_uint32(pitch), pointer(self.sink))
        return name, macros, arguments, multiprocessors(self.gpu) * how.blocks_per_sm, how.warps * 32


def resident(function: Any, threads: int, shared_bytes: int) -> int:
    """How many such blocks an SM holds at once."""
    asked = driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(function, threads, shared_bytes)
    return int(ask(asked, "occupancy"))
