"""Copies of one small dense tensor through every swizzle: at eight shared addresses, narrow, low, deep, and off 128 bytes."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, product
from math import prod
from operator import mul

from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.rows.row import Row

SEED = 9
SPAN_BYTES = {Swizzle.NONE: 128, Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}
BASES = range(0, 1024, 128)
LOAD_ADDRESS, STORE_ADDRESS = 1 << 20, 1 << 16
TILE_BYTES = 2048


def swizzle_copy(
    swizzle: Swizzle, shared_address: int, box: Sequence[int], element: DataType, global_address: int
) -> Row:
    """A tensor without gaps, and a copy of all of it."""
    strides = list(accumulate(box[:-1], mul, initial=element.size_bytes))[1:]
    shape: Row = {"global_dim": list(box), "global_strides": strides, "box_dim": list(box)}
    ones, zeros = [1] * len(box), [0] * len(box)
    row: Row = {"api": "tiled", "data_type": int(element), "rank": len(box), "global_address": global_address} | shape
    row |= {"element_strides": ones, "interleave": 0, "swizzle": int(swizzle), "l2_promotion": 0, "oob_fill": 0}
    return row | {"coordinates": zeros, "seed": SEED, "shared_address": shared_address}


def swizzle_load(
    swizzle: Swizzle,
    shared_address: int,
    box: Sequence[int],
    element: DataType = DataType.BFLOAT16,
    address: int = LOAD_ADDRESS,
    window_bytes: int = 4096,
) -> Row:
    """A load into a window; its bytes are kept."""
    row = swizzle_copy(swizzle, shared_address, box, element, address)
    return row | {"transaction_bytes": prod(box) * element.size_bytes, "window_bytes": window_bytes}


def swizzle_loads() -> Iterator[Row]:
    """Full rows at eight addresses; then narrow rows, few rows, three dimensions, bytes, and other global addresses."""
    modes = tuple(Swizzle(mode) for mode in range(4))
    for mode, base in product(modes, BASES):
        yield swizzle_load(mode, base, [SPAN_BYTES[mode] // 2, TILE_BYTES // SPAN_BYTES[mode]])
    for mode in modes[1:]:
        for units, base in product(range(1, SPAN_BYTES[mode] // 16), (0, 384)):
            yield swizzle_load(mode, base, [8 * units, 16])
    for mode, base in product(modes[1:], (0, 384)):
        yield swizzle_load(mode, base, [SPAN_BYTES[mode] // 2, 4])
        yield swizzle_load(mode, base, [SPAN_BYTES[mode] // 2, 3, 5])
    for base in (0, 128, 0x600):
        yield swizzle_load(Swizzle.B64, base, [64, 16], DataType.UINT8)
    for off in (16, 48):
        yield swizzle_load(Swizzle.B128, 0, [64, 16], address=LOAD_ADDRESS + off)
    yield swizzle_load(Swizzle.B128, 128, [64, 128], window_bytes=20480)


def swizzle_stores() -> Iterator[Row]:
    """Sixteen full rows, stored from eight addresses."""
    for mode, base in product((Swizzle(mode) for mode in range(4)), BASES):
        row = swizzle_copy(mode, base, [SPAN_BYTES[mode] // 2, 16], DataType.BFLOAT16, STORE_ADDRESS)
        yield row | {"op": "store", "bytes": 16 * SPAN_BYTES[mode]}
