"""L2 under the profiler: what a cache policy keeps, and what promotion costs on dense rows."""

from collections.abc import Iterator
from ctypes import c_uint32
from itertools import product
from typing import Any

import numpy as np

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import MIB, filled_buffer, map_argument, multiprocessors, zero
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.gpu.measure.ways import MemoryRows, TileWay
from course_lib.rows.row import Row
from maintain.hardware.measure.traffic.reads import MemoryReader

TILE_BYTES, STAGES, ROW_BYTES, BOX_ROWS = 8192, 8, 256, 32
POLICIES = ((None, None), (None, "evict_first"), ("evict_last", None), ("evict_last", "evict_first"),
            ("evict_first", None), ("evict_normal", "evict_unchanged"), (None, "evict_unchanged"),
            (None, "evict_last"))  # fmt: skip
X_MIB, Y_MIB = (16, 24), (0, 16, 64, 256)


def policy_macros(policies: tuple[str | None, str | None]) -> Macros:
    """The kernel's macros for X and Y."""
    named = zip(("X_POLICY", "Y_POLICY"), policies, strict=True)
    return {name: f'"{policy}"' for name, policy in named if policy}


def memory_at(address: int, size_bytes: int) -> Any:
    """What the kernel takes for linear copies."""
    return pointer(address)


def map_of_boxes(address: int, size_bytes: int) -> Any:
    """What it takes for tensor copies: a map with boxes of the same bytes."""
    rows = max(size_bytes // ROW_BYTES, BOX_ROWS)
    return map_argument(address, ROW_BYTES, rows, ROW_BYTES, ROW_BYTES, BOX_ROWS)


def policy_launch(gpu: Gpu, macros: Macros, x_bytes: int, y_bytes: int) -> Launch:
    """X, then Y, then X again, on all SMs."""
    x, y = gpu.buffer("X", max(X_MIB) * MIB), gpu.buffer("Y", max(Y_MIB) * MIB)
    counter, times = gpu.buffer("counter", 256), gpu.buffer("times", 8192)
    zero(counter, 256)
    tiles = (c_uint32(x_bytes // TILE_BYTES), c_uint32(y_bytes // TILE_BYTES))
    of = map_of_boxes if macros.get("TENSOR") else memory_at
    arguments = (of(x, x_bytes), tiles[0], of(y, y_bytes), tiles[1], pointer(counter), pointer(times))
    function = gpu.function("measure_hints", macros=macros)
    return Launch(function, arguments, (multiprocessors(gpu), 1), 32, STAGES * TILE_BYTES)


def phases_ns(gpu: Gpu) -> list[int]:
    """How long each of the three phases took, from the first block that began it to the last that ended it."""
    times = gpu.read(gpu.buffer("times", 8192), multiprocessors(gpu) * 32).view(np.uint64).reshape(-1, 4)
    ends = [int(times[:, phase].max()) for phase in range(1, 4)]
    return [end - int(times[:, phase].min()) for phase, end in enumerate(ends)]


def profile_policies(gpu: Gpu, quick: bool, tensor: bool = False) -> Iterator[Row]:
    """Profiled: DRAM bytes beyond X and Y were read for X a second time."""
    filled_buffer(gpu, "X", max(X_MIB) * MIB)
    filled_buffer(gpu, "Y", max(Y_MIB) * MIB)
    for policies, x, y in list(product(POLICIES, X_MIB, Y_MIB))[:: 11 if quick else 1]:
        macros = policy_macros(policies) | ({"TENSOR": 1} if tensor else {})
        policy_launch(gpu, macros, x * MIB, y * MIB)()
        finish()
        row: Row = {"part": "policy", "kernel": "measure_hints", "macros": macros, "x_policy": policies[0]}
        yield row | {"y_policy": policies[1], "x_bytes": x * MIB, "y_bytes": y * MIB, "phases_ns": phases_ns(gpu)}


def profile_promotion(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Profiled: dense rows and rows 512 bytes apart by promotion."""
    memory = filled_buffer(gpu, "rows", 256 * MIB)
    widths = ((64, 64), (128, 128), (256, 256), (16384, 16384), (128, 512))
    for (width, pitch), promotion in list(product(widths, range(4)))[:: 7 if quick else 1]:
        rows = MemoryRows(width, pitch, 256 * MIB // pitch)
        read = MemoryReader(gpu, memory, rows)(TileWay(min(width, 256), 64, 8, 4, l2_promotion=promotion))
        read.launch()
        finish()
        yield {"part": "promotion"} | read.row


def profile(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Policies, then promotion."""
    yield from profile_policies(gpu, quick)
    yield from profile_promotion(gpu, quick)


def profile_tensor_copies(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Profiled: the policies once more, on tensor copies."""
    yield from profile_policies(gpu, quick, tensor=True)
