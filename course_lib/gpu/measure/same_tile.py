"""One tile by cp.async and by TMA, inside a matrix and at its edges: is every byte of shared memory the same?"""

from collections.abc import Callable, Iterator
from ctypes import c_int, c_uint32, c_uint64
from itertools import product
from typing import Any, NamedTuple

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import MIB, filled_buffer, map_argument
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.rows.memory import digest
from course_lib.rows.row import Row

ROWS, ROW_BYTES, ELEMENT_BYTES, THREADS, SEED = 128, 128, 2, 256, 1
TILE_BYTES = ROWS * ROW_BYTES
COLUMNS, LINES = (0, 64, -64, -16, 4032, 4040, 4088, 4160), (0, 5, -1, -127, 172, 299, 300)


class Matrix(NamedTuple):
    """A matrix of bfloat16; a row takes ``pitch_bytes``."""

    width: int = 4093
    height: int = 300
    pitch_bytes: int = 8192


def cp_async_arguments(memory: int, matrix: Matrix, x: int, y: int, out: int) -> tuple[Any, ...]:
    """The arguments of the kernel whose threads copy."""
    size = (c_int(matrix.width), c_uint32(matrix.height), c_uint64(matrix.pitch_bytes))
    return (pointer(memory), *size, c_int(x), c_int(y), pointer(out))


def tma_arguments(memory: int, matrix: Matrix, x: int, y: int, out: int) -> tuple[Any, ...]:
    """The arguments of the kernel in which one thread issues."""
    shape = (matrix.width * ELEMENT_BYTES, matrix.height, matrix.pitch_bytes, ROW_BYTES, ROWS)
    map_bytes = map_argument(memory, *shape, swizzle=Swizzle.B128, data_type=DataType.BFLOAT16)
    return map_bytes, c_int(x), c_int(y), pointer(out)


KERNELS: tuple[tuple[str, Macros, Callable[..., tuple[Any, ...]]], ...] = (
    ("measure_tile_cp_async", {}, cp_async_arguments),
    ("measure_tile_tma", {"ELECT": 1}, tma_arguments),
)


def tile_by(gpu: Gpu, name: str, macros: Macros, arguments: tuple[Any, ...], out: int) -> str:
    """Launch once; the digest of the whole tile in shared memory."""
    Launch(gpu.function(name, macros=macros | {"KEEP": 1}), arguments, (1, 1), THREADS)()
    finish()
    return str(digest(gpu.read(out, TILE_BYTES)))


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Every start of a tile once."""
    memory, matrix = filled_buffer(gpu, "matrix", 4 * MIB, SEED), Matrix()
    for x, y in list(product(COLUMNS, LINES))[:: 5 if quick else 1]:
        outs = [gpu.buffer(name, TILE_BYTES) for name, *_ in KERNELS]
        digests = [
            tile_by(gpu, name, macros, arguments(memory, matrix, x, y, out), out)
            for (name, macros, arguments), out in zip(KERNELS, outs, strict=True)
        ]
        row: Row = {"kernel": "measure_tile_tma", "beside": "measure_tile_cp_async", "coordinates": [x, y]}
        yield row | matrix._asdict() | {"seed": SEED, "equal": digests[0] == digests[1], "blake2b_96": digests}
