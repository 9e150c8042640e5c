"""Tensor cores: wgmma against mma.sync, as loops that keep every SM busy, on random data and on zeros.

Rate, share of the peak at the clock that the kernel itself saw, and of the published peak. The operands come once by TMA
with 128B swizzle and stay in shared memory: this measures the instructions, not a whole matrix product.
"""

from collections.abc import Iterator
from ctypes import c_uint32
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import map_argument, multiprocessors
from course_lib.gpu.measure.timing import Launch, finish, summarize, time_in_a_row
from course_lib.model.facts.enums import DataType
from course_lib.rows.memory import Bytes
from course_lib.rows.row import Row
from maintain.hardware.measure.meter import Meter

FLOP_PER_CYCLE = 4096
"""Dense bf16 operations of an SM each cycle (an FMA counts as 2). Source: NVIDIA H100 Tensor Core GPU Architecture: 989.4
TFLOP/s of 132 SMs at 1,830 MHz."""
PUBLISHED_TFLOP_PER_S = 989.4  # source: the same, H100 SXM; the H200 data sheet has the same chip's 989.5
DEPTH, TILE_BYTES, SWIZZLE_128B = 256, 128, 3  # K in elements; bytes of K in a tile's row
STEPS = 4096  # of a tile of 128 x 256: about 10 ms at the peak
SEED = 11
TOLERANCE = 1e-4  # of the norm; float32 sums of 256 products lie far below


class ProductWay(NamedTuple):
    """A kernel with its macros: its tile of C, the threads of a block, and how much of K its operands are (16 or all)."""

    name: str
    kernel: str
    macros: Macros
    rows: int
    columns: int
    threads: int
    depth: int = DEPTH

    @property
    def steps(self) -> int:
        """Turns that make every way do the same number of operations in a launch."""
        return STEPS * 128 * 256 // (self.rows * self.columns)

    def flop(self, steps: int) -> int:
        """Operations of one block."""
        return 2 * self.rows * self.columns * DEPTH * steps


def wgmma(columns: int, groups: int) -> ProductWay:
    """Both operands from shared memory."""
    name = f"wgmma m64n{columns}k16, {groups} warpgroup{'s' * (groups > 1)}"
    return ProductWay(name, "measure_mma_wgmma", {"N": columns, "GROUPS": groups}, 64 * groups, columns, 128 * groups)


def mma(loading: int, warps: int) -> ProductWay:
    """mma.sync with operands by ldmatrix each time, or from registers alone."""
    name = f"mma.sync m16n8k16, {'ldmatrix' if loading else 'registers alone'}, {warps} warps"
    macros: Macros = {"FROM": loading, "WARPS": warps}
    return ProductWay(name, "measure_mma_sync", macros, 128, 256, 32 * warps, DEPTH if loading else 16)


WAYS = (
    *(wgmma(*shape) for shape in ((256, 2), (128, 2), (64, 2), (256, 1))),
    *(mma(*how) for how in ((1, 8), (1, 16), (0, 8), (0, 16))),
)
DATA = ("random", "zeros")


def bfloat16(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """The 16 bits of each value, rounded to nearest even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def exact(bits: NDArray[np.uint16]) -> NDArray[np.float64]:
    """The values of bfloat16 bits."""
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def operand(data: str, rows: int, seed: int) -> NDArray[np.uint16]:
    """``rows`` x 256 elements: normally distributed, or zeros."""
    shape = (rows, DEPTH)
    drawn = np.random.default_rng(seed).standard_normal(shape, np.float32)
    return bfloat16(drawn if data == "random" else np.zeros(shape, np.float32))


def expected_tile(way: ProductWay, a: NDArray[np.uint16], b: NDArray[np.uint16], steps: int) -> NDArray[np.float64]:
    """The tile of C in float64."""
    used = exact(a[:, : way.depth]) @ exact(b[:, : way.depth]).T
    tile: NDArray[np.float64] = used * (steps * (DEPTH // way.depth))
    return tile


def error(found: Bytes, right: NDArray[np.float64]) -> float | None:
    """Norm of the difference over the norm of what is right (over 1 where that is 0); None where one is no number."""
    with np.errstate(invalid="ignore"):
        differing = np.linalg.norm(found.view(np.float32).reshape(right.shape).astype(np.float64) - right)
    relative = float(differing / (np.linalg.norm(right) or 1.0))
    return relative if np.isfinite(relative) else None


class Product:
    """One way on one sort of data, its operands on the device."""

    def __init__(self, gpu: Gpu, way: ProductWay, data: str):
        self.gpu, self.way = gpu, way
        self.a, self.b = operand(data, way.rows, SEED), operand(data, way.columns, SEED + 1)
        self.maps = [self.place(name, bits) for name, bits in (("A", self.a), ("B", self.b))]
        self.out, self.times = gpu.buffer("tile of C", way.rows * way.columns * 4), gpu.buffer("loop times", 64)

    def place(self, name: str, bits: NDArray[np.uint16]) -> Any:
        """The descriptor of an operand that was written to the device: boxes of all rows by 64 elements."""
        address, rows = self.gpu.buffer(f"{name} {len(bits)}", bits.nbytes), len(bits)
        self.gpu.write(address, np.ascontiguousarray(bits).view(np.uint8).reshape(-1))
        row_bytes = DEPTH * 2
        return map_argument(address, row_bytes, rows, row_bytes, TILE_BYTES, rows, SWIZZLE_128B, 0, DataType.BFLOAT16)

    def launch(self, steps: int) -> Launch:
        """A block on each SM."""
        shared_bytes = (self.way.rows + self.way.columns) * DEPTH * 2
        arguments = (*self.maps, c_uint32(steps), pointer(self.out), pointer(self.times))
        function = self.gpu.function(self.way.kernel, macros=self.way.macros)
        return Launch(function, arguments, (multiprocessors(self.gpu), 1), self.way.threads, shared_bytes)

    def error(self, steps: int) -> float | None:
        """Launch over a result full of NaN; how far is it from float64's?"""
        tile_bytes = self.way.rows * self.way.columns * 4
        self.gpu.write(self.out, np.full(tile_bytes, 0xFF, np.uint8))
        self.launch(steps)()
        finish()
        return error(self.gpu.read(self.out, tile_bytes), expected_tile(self.way, self.a, self.b, steps))

    def loop(self) -> tuple[int, int]:
        """(cycles, nanoseconds) of block 0's loop in the last launch."""
        cycles, nanoseconds = self.gpu.read(self.times, 16).view(np.uint64).tolist()
        return cycles, nanoseconds


def product_rates(way: ProductWay, sms: int, steps: int, us: float, loop: tuple[int, int]) -> Row:
    """TFLOP/s of the whole launch, operations an SM and cycle inside the loop, and both shares of the peak.

    The clock is what the loop itself saw: its cycles over its nanoseconds.
    """
    cycles, nanoseconds = (max(number, 1) for number in loop)
    tflop_per_s, mhz = sms * way.flop(steps) / us / 1e6, cycles / nanoseconds * 1e3
    clocked = sms * FLOP_PER_CYCLE * mhz / 1e6
    row: Row = {"sms": sms, "tflop_per_s": round(tflop_per_s, 1), "loop_mhz": round(mhz, 1)}
    row |= {"flop_per_cycle": round(way.flop(steps) / cycles, 1), "peak_flop_per_cycle": FLOP_PER_CYCLE}
    row |= {"clocked_peak_tflop_per_s": round(clocked, 1), "share_of_clocked_peak": round(tflop_per_s / clocked, 4)}
    return row | {"share_of_published_peak": round(tflop_per_s / PUBLISHED_TFLOP_PER_S, 4)}


def measure_product(gpu: Gpu, way: ProductWay, data: str, quick: bool) -> Row:
    """Check one tile, keep all SMs busy until power and clocks have settled, then time; power and clocks meanwhile."""
    product, steps = Product(gpu, way, data), max(1, way.steps // (64 if quick else 1))
    wrong = product.error(2)
    launch = product.launch(steps)
    time_in_a_row(launch, 2 if quick else 80)
    with Meter(gpu) as meter:
        spent = summarize(time_in_a_row(launch, 3 if quick else 120))
    row: Row = {"kernel": way.kernel, "macros": way.macros, "way": way.name, "data": data, "steps": steps}
    row |= {"tile": [way.rows, way.columns, DEPTH], "threads": way.threads, "relative_error": wrong}
    row |= {"result_is_right": wrong is not None and wrong < TOLERANCE} | spent
    return (
        row
        | product_rates(way, multiprocessors(gpu), steps, spent["us_median"], product.loop())
        | {"meter": meter.row()}
    )


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Every way on random data and on zeros."""
    for way in WAYS[::3] if quick else WAYS:
        for data in DATA:
            yield measure_product(gpu, way, data, quick)
