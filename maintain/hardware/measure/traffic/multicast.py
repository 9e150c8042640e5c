"""The operand traffic of a GEMM by cluster shape: time, and (under the profiler) what L2 and DRAM were asked for."""

from collections.abc import Iterator
from ctypes import c_uint32

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import DWORD_BYTES, filled_buffer, map_argument, read_words, zero
from course_lib.gpu.measure.timing import Launch, finish, summarize, time_interleaved
from course_lib.model.facts.enums import DataType
from course_lib.rows.row import Row

SHAPES = ((1, 1), (2, 1), (1, 2), (4, 1), (1, 4), (2, 2), (8, 1), (4, 2))
TILE_ROWS, STEP_BYTES, STAGE_BYTES, STAGES, THREADS = 128, 128, 32768, 4, 160
SWIZZLE_128B = 3


def gemm_launch(gpu: Gpu, size: int, shape: tuple[int, int], read: int) -> tuple[Launch, Macros]:
    """All blocks of a GEMM of ``size`` cubed in 16-bit elements, its tiles 128 x 128 x 64."""
    across, down = shape
    row_bytes = size * 2
    memories = [gpu.buffer(name, size * row_bytes) for name in "AB"]
    whole = (row_bytes, size, row_bytes, STEP_BYTES)
    boxes = zip(memories, (TILE_ROWS // across, TILE_ROWS // down), strict=True)
    maps = [map_argument(memory, *whole, rows, SWIZZLE_128B, 0, DataType.BFLOAT16) for memory, rows in boxes]
    macros: Macros = {"CX": across, "CY": down, "READ": read}
    arguments = (*maps, c_uint32(row_bytes // STEP_BYTES), pointer(gpu.buffer("sink", 256)))
    blocks = (size // TILE_ROWS, size // TILE_ROWS)
    function = gpu.function("measure_multicast", macros=macros)
    return Launch(function, arguments, blocks, THREADS, STAGES * STAGE_BYTES), macros


def fill_operands(gpu: Gpu, size: int) -> None:
    """Two random matrices."""
    for name in "AB":
        filled_buffer(gpu, name, size * size * 2, seed=ord(name))


def sum_of(gpu: Gpu, size: int, shape: tuple[int, int]) -> int:
    """What the blocks add up when they look at all that arrived."""
    launch, _ = gemm_launch(gpu, size, shape, read=1)
    sink = gpu.buffer("sink", 256)
    zero(sink, DWORD_BYTES)
    launch()
    finish()
    return int(read_words(gpu, sink, 1)[0])


def operand_bytes(size: int, shape: tuple[int, int]) -> int:
    """What all blocks together ask L2 for: each tile of A once a row of a cluster, each tile of B once a column."""
    each = size * size * 2 * (size // TILE_ROWS)
    return each // shape[0] + each // shape[1]


def row_of_gemm(size: int, shape: tuple[int, int], macros: Macros) -> Row:
    """The row's parameters."""
    row: Row = {"kernel": "measure_multicast", "macros": macros, "size": size, "cluster": list(shape), "stages": STAGES}
    return row | {"delivered_bytes": operand_bytes(size, (1, 1)), "asked_bytes": operand_bytes(size, shape)}


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Times: shapes interleaved, once with every byte read from shared memory and once with bytes that only arrive."""
    size = 2048 if quick else 8192
    shapes = SHAPES[::3] if quick else SHAPES
    fill_operands(gpu, size)
    sums = {shape: sum_of(gpu, size, shape) for shape in shapes}
    todo = [(shape, read) for shape in shapes for read in (0, 1)]
    launches = [gemm_launch(gpu, size, shape, read) for shape, read in todo]
    times = time_interleaved([launch for launch, _ in launches], 3 if quick else 15)
    for (shape, read), (_, macros), spent in zip(todo, launches, times, strict=True):
        fine = {"sum_is_right": sums[shape] == sums[shapes[0]]}
        yield row_of_gemm(size, shape, macros) | {"read": read} | fine | summarize(spent)


def profile(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """One launch for each shape, for the profiler to count."""
    size = 2048 if quick else 8192
    fill_operands(gpu, size)
    for shape in SHAPES[::3] if quick else SHAPES:
        launch, macros = gemm_launch(gpu, size, shape, read=0)
        launch()
        finish()
        yield row_of_gemm(size, shape, macros)
