"""fma of special values bit for bit: ordinary, and .oob, which alone knows the out-of-bounds NaN."""

from collections.abc import Iterator
from ctypes import c_uint32
from itertools import product

import numpy as np
from numpy.typing import NDArray

from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.rows.row import Row

FILL = 0x7FF7
HALF = (0x0000, 0x8000, 0x0001, 0x3C00, 0xBC00, 0x4100, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x7FFF, 0xFFF7, 0x7FF6, 0x7FF8)
BFLOAT = (
    0x0000,
    0x8000,
    0x0001,
    0x3F80,
    0xBF80,
    0x4020,
    0x7F7F,
    0x7F80,
    0xFF80,
    0x7FC0,
    0x7FFF,
    0xFFF7,
    0x7FF6,
    0x7FF8,
)
FLOAT = (0x00000000, 0x3F800000, 0xBF800000, 0x40200000, 0x7F800000, 0x7FC00000, 0x7FFFFFFF, 0x00007FF7, 0x7FF70000)
OPS = (
    ("fma.rn.f16x2", 16, HALF),
    ("fma.rn.oob.f16x2", 16, HALF),
    ("fma.rn.oob.relu.f16x2", 16, HALF),
    ("fma.rn.bf16x2", 16, BFLOAT),
    ("fma.rn.oob.bf16x2", 16, BFLOAT),
    ("fma.rn.oob.relu.bf16x2", 16, BFLOAT),
    ("fma.rn.f32", 32, FLOAT),
)


def fma_operands(values: tuple[int, ...], bits: int) -> NDArray[np.uint32]:
    """All triples of the values and the fill: (3, n) words. Halves: the upper one takes the triples in reverse order."""
    fill = FILL if bits == 16 else FILL << 16 | FILL
    table = np.array(list(product((fill, *values), repeat=3)), np.uint32).T
    return table | table[:, ::-1] << np.uint32(16) if bits == 16 else table


def fma_results(gpu: Gpu, op: str, table: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """What the instruction gives for each column."""
    count = table.shape[1]
    buffers = [gpu.buffer(f"operand {name}", 4 * count) for name in "abcd"]
    for buffer, row in zip(buffers, table, strict=False):
        gpu.write(buffer, np.ascontiguousarray(row).view(np.uint8))
    arguments = (*(pointer(buffer) for buffer in buffers), c_uint32(count))
    Launch(gpu.function("measure_fma", macros={"OP": f'"{op}"'}), arguments, (-(-count // 128), 1), 128)()
    finish()
    return gpu.read(buffers[3], 4 * count).view(np.uint32)


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """One row for each instruction: ``values`` in the order of the triples (a slowest), ``results`` as hex."""
    for op, bits, values in OPS:
        found = fma_results(gpu, op, fma_operands(values, bits))
        halves = found.view(np.uint16).reshape(-1, 2)
        row: Row = {"kernel": "measure_fma", "macros": {"OP": f'"{op}"'}, "op": op, "bits": bits}
        row |= {"values": [FILL if bits == 16 else FILL << 16 | FILL, *values]}
        if bits == 32:
            yield row | {"results": found.astype("<u4").tobytes().hex()}
        else:
            same = bool((halves[:, 0] == halves[::-1, 1]).all())
            yield row | {"halves_agree": same, "results": np.ascontiguousarray(halves[:, 0], "<u2").tobytes().hex()}
