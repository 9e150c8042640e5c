"""A matrix transposed through shared memory: plain, padded, by TMA without and with swizzle. GB/s read and written."""

from collections.abc import Iterator
from ctypes import c_uint32
from typing import NamedTuple

import numpy as np

from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import filled_buffer, map_argument
from course_lib.gpu.measure.timing import Launch, summarize, time_interleaved
from course_lib.model.facts.enums import DataType
from course_lib.rows.memory import Bytes, random_words
from course_lib.rows.row import Row
from maintain.hardware.measure.traffic.bandwidth import gb_per_s

SWIZZLE_128B = 3
SEED = 5


class TransposeWay(NamedTuple):
    """A kernel's HOW, said in words."""

    how: int
    name: str
    swizzle: int = 0
    elements: int = 32  # that a warp reads from its tile at a time


class TransposeKind(NamedTuple):
    """A type and its kernel: tiles of ``tile`` x ``tile`` elements, each row 128 bytes."""

    kernel: str
    data_type: DataType
    tile: int
    ways: tuple[TransposeWay, ...]


COMMON = (
    TransposeWay(0, "plain"),
    TransposeWay(1, "padded"),
    TransposeWay(2, "tma"),
    TransposeWay(3, "tma, 128B swizzle", SWIZZLE_128B),
)
KINDS = (
    TransposeKind(
        "measure_transpose",
        DataType.FLOAT32,
        32,
        (*COMMON, TransposeWay(4, "tma, 128B swizzle, skewed columns", SWIZZLE_128B)),
    ),
    TransposeKind(
        "measure_transpose_bf16",
        DataType.BFLOAT16,
        64,
        (*COMMON, TransposeWay(4, "tma, 128B swizzle, ldmatrix.trans, tma store", SWIZZLE_128B, 256)),
    ),
)
WARPS = (4, 8)


def expected_row(number: int, size: int, element_bytes: int) -> Bytes:
    """Column ``number`` of the ``size`` x ``size`` matrix: what row ``number`` of the result must be."""
    at = number * element_bytes
    numbers = np.uint64(at // 8) + np.arange(size, dtype=np.uint64) * np.uint64(size * element_bytes // 8)
    eights = random_words(SEED, numbers).view(np.uint8).reshape(size, 8)
    wanted: Bytes = eights[:, at % 8 : at % 8 + element_bytes].reshape(-1)
    return wanted


def holds_columns(gpu: Gpu, out: int, size: int, element_bytes: int) -> bool:
    """Do some rows of the result hold what they must?"""
    row_bytes = size * element_bytes
    numbers = (0, 1, 2, 3, 5, 31, 40, 63, 64, size // 2 + 9, size - 2, size - 1)
    found = ((gpu.read(out + n * row_bytes, row_bytes), expected_row(n, size, element_bytes)) for n in numbers)
    return all((seen == wanted).all() for seen, wanted in found)


def transpose_launch(
    gpu: Gpu, kind: TransposeKind, way: TransposeWay, size: int, warps: int, memories: tuple[int, int]
) -> Launch:
    """One launch over the whole matrix."""
    row_bytes = size * kind.data_type.size_bytes
    box = (128, kind.tile, way.swizzle, 0, kind.data_type)
    maps = [map_argument(memory, row_bytes, size, row_bytes, *box) for memory in memories]
    used = maps if kind.data_type is DataType.BFLOAT16 else maps[:1]
    sizes = (c_uint32(size), c_uint32(size))
    arguments = (*used, *(pointer(memory) for memory in memories), *sizes)
    function = gpu.function(kind.kernel, macros={"HOW": way.how})
    return Launch(function, arguments, (size // kind.tile, size // kind.tile), 32 * warps)


def check_transpose(gpu: Gpu, launch: Launch, out: int, size: int, element_bytes: int) -> bool:
    """Launch over a result full of other bytes; is it right?"""
    filled_buffer(gpu, "turned", size * size * element_bytes, SEED + 1)
    time_interleaved([launch], 1, 0)
    return holds_columns(gpu, out, size, element_bytes)


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Both types; all ways of one type interleaved."""
    for kind in KINDS:
        width = kind.data_type.size_bytes
        size = 4096 if quick else 16384
        moved = size * size * width
        memories = filled_buffer(gpu, "matrix", moved, SEED), gpu.buffer("turned", moved)
        todo = [(way, warps) for way in kind.ways for warps in (WARPS[:1] if quick else WARPS)]
        launches = [transpose_launch(gpu, kind, way, size, warps, memories) for way, warps in todo]
        fine = [check_transpose(gpu, launch, memories[1], size, width) for launch in launches]
        times = time_interleaved(launches, 3 if quick else 21, 2)
        for (way, warps), ok, spent in zip(todo, fine, times, strict=True):
            row: Row = {"kernel": kind.kernel, "macros": {"HOW": way.how}, "way": way.name, "warps": warps}
            row |= {"data_type": int(kind.data_type), "size": size, "result_is_right": ok}
            yield gb_per_s(row | summarize(spent), 2 * moved)


def profile(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """One launch of each way, for the profiler to count turns of the banks."""
    for kind in KINDS:
        width, size = kind.data_type.size_bytes, 2048 if quick else 8192
        memories = filled_buffer(gpu, "matrix", size * size * width, SEED), gpu.buffer("turned", size * size * width)
        for way in kind.ways:
            time_interleaved([transpose_launch(gpu, kind, way, size, WARPS[0], memories)], 1, 0)
            row: Row = {"kernel": kind.kernel, "macros": {"HOW": way.how}, "way": way.name, "warps": WARPS[0]}
            yield row | {"data_type": int(kind.data_type), "size": size, "warp_reads": size * size // way.elements}
