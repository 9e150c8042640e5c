"""Encode calls at thresholds: legal base calls, one factor at a time. The driver's answer shows where each limit lies."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from course_lib.rows.row import Row

ADDRESS = 1 << 40
COMMON = {"interleave": 0, "swizzle": 0, "l2_promotion": 0, "oob_fill": 0, "global_address": ADDRESS}
ADDRESSES = (
    0,
    1,
    2,
    4,
    8,
    16,
    24,
    32,
    48,
    64,
    *(2**57 + d for d in (-32, -16, -1, 0, 16)),
    2**47,
    2**48,
    2**56,
    2**63,
    2**64 - 16,
)
DIMS = (0, 1, 2, 255, 256, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**33, 2**63)
STRIDES = (
    0,
    1,
    8,
    15,
    16,
    24,
    32,
    48,
    2**32,
    2**39,
    *(2**40 + d for d in (-32, -16, -8, 0, 16, 32)),
    2**63,
    2**64 - 32,
    2**64 - 16,
)
BOXES = (0, 1, 2, 16, 128, 255, 256, 257, 512, 2**31, 2**32 - 1)
ELEMENT_STRIDES = (0, 1, 2, 7, 8, 9, 16, 2**31, 2**32 - 1)
UNKNOWN = (4, 7, 8, 100, 2**31, 2**32 - 1)


def tiled_base(rank: int, data_type: int = 7, **changed: Any) -> Row:
    """A legal tiled call: 64-byte inner rows, so that every swizzle of 64 bytes and more takes it."""
    row_bytes = 64 * size_of(data_type)
    shape = {"global_dim": [64] * rank, "global_strides": [row_bytes * 64**i for i in range(rank - 1)]}
    box = {"box_dim": [max(1, 32 // size_of(data_type)), *[2] * (rank - 1)], "element_strides": [1] * rank}
    return {"api": "tiled", "data_type": data_type, "rank": rank, **COMMON, **shape, **box, **changed}


def im2col_base(rank: int, api: str = "im2col", data_type: int = 7, **changed: Any) -> Row:
    """A legal im2col or wide call."""
    row = tiled_base(rank, data_type, api=api, channels_per_pixel=32 // size_of(data_type), pixels_per_column=8)
    row.pop("box_dim")
    corners: Row = {"pixel_box_lower_corner": [-1] * (rank - 2), "pixel_box_upper_corner": [-1] * (rank - 2)}
    if api == "im2col_wide":
        corners = {"pixel_box_lower_corner_width": -1, "pixel_box_upper_corner_width": -1, "wide_mode": 0}
    return row | corners | changed


def size_of(data_type: int) -> int:
    """Bytes of an element of the driver's type number; 1 for the packed ones and unknown numbers."""
    return {1: 2, 6: 2, 9: 2, 4: 8, 5: 8, 8: 8, 2: 4, 3: 4, 7: 4, 10: 4, 11: 4, 12: 4}.get(data_type, 1)


def bases() -> Iterator[Row]:
    """Legal calls of each api, rank and interleave."""
    for rank, interleave in product(range(1, 6), range(3)):
        if rank >= 3 or interleave == 0:
            yield tiled_base(rank, interleave=interleave)
        if rank >= 3:
            yield im2col_base(rank, interleave=interleave)
            yield im2col_base(rank, "im2col_wide", interleave=interleave)


def each_entry(base: Row, name: str, values: tuple[int, ...]) -> Iterator[Row]:
    """``base`` with each value at each place of the sequence ``name``."""
    for place, value in product(range(len(base.get(name, ()))), values):
        entries = list(base[name])
        entries[place] = value
        yield base | {name: entries}


def each_value(base: Row, name: str, values: Any) -> Iterator[Row]:
    """``base`` with each value of the argument ``name``, if it has that."""
    return (base | {name: value} for value in values if name in base)


def one_factor(base: Row) -> Iterator[Row]:
    """Every threshold, alone."""
    yield base
    for name, values in (
        ("global_dim", DIMS),
        ("global_strides", STRIDES),
        ("box_dim", BOXES),
        ("element_strides", ELEMENT_STRIDES),
    ):
        yield from each_entry(base, name, values)
    yield from each_value(base, "global_address", ADDRESSES)
    for name, known in (
        ("interleave", 3),
        ("swizzle", 7),
        ("l2_promotion", 4),
        ("oob_fill", 2),
        ("wide_mode", 2),
        ("data_type", 16),
    ):
        yield from each_value(base, name, (*range(known), *(n for n in UNKNOWN if n >= known), known))
    yield from each_value(base, "channels_per_pixel", (0, 1, 2, 4, 255, 256, 257, 260, 264, 272, 512, 2**31, 2**32 - 1))
    yield from each_value(base, "pixels_per_column", (0, 1, 2, 255, 1023, 1024, 1025, 2**16, 2**31, 2**32 - 1))


def each_corner(base: Row) -> Iterator[Row]:
    """Each corner at each end of each rank's range, and boxes that are empty by one, or just not.

    Once more in a tensor so large that no corner makes the box empty: there only the range can refuse.
    """
    edges = tuple(sign * 2**bits + d for bits in (4, 7, 15) for sign in (-1, 1) for d in (-1, 0, 1))
    roomy = base | {"global_dim": [2**17] * base["rank"]}
    for row, name in product((base, roomy), ("pixel_box_lower_corner", "pixel_box_upper_corner")):
        yield from each_entry(row, name, (*edges, 0))
        yield from each_value(row, f"{name}_width", (*edges, 0))
    first = 0 if base["interleave"] else 1
    for place, dim, extent in product(range(base["rank"] - 2), (1, 2, 5), (-1, 0, 1, 2)):
        dims = list(base["global_dim"])
        dims[first + place] = dim
        yield with_extent(base | {"global_dim": dims}, place, extent - dim - 1)


def with_extent(base: Row, place: int, upper: int) -> Row:
    """Lower corner -1 and this upper corner at ``place``: extent = dim + upper + 1."""
    if base["api"] == "im2col_wide":
        return base | {"pixel_box_upper_corner_width": upper}
    entries = list(base["pixel_box_upper_corner"])
    entries[place] = upper
    return base | {"pixel_box_upper_corner": entries}


def enumeration_pairs() -> Iterator[Row]:
    """Every interleave and swizzle at every rank; NaN fill with every type; every type with each address step."""
    for rank, interleave, swizzle in product(range(0, 7), range(4), range(8)):
        yield tiled_base(max(rank, 1), interleave=interleave, swizzle=swizzle) | (
            {"rank": 0, "global_dim": [], "box_dim": [], "element_strides": []} if rank == 0 else {}
        )
        if 2 <= rank <= 6:
            for api, mode in (("im2col", 0), ("im2col_wide", 0), ("im2col_wide", 1), ("im2col_wide", 2)):
                wide = {"wide_mode": mode} if api == "im2col_wide" else {}
                yield im2col_base(rank, api, interleave=interleave, swizzle=swizzle, **wide)
    for data_type, fill, swizzle in product(range(18), range(3), range(4)):
        for base in (
            tiled_base(3, data_type),
            im2col_base(4, data_type=data_type),
            im2col_base(4, "im2col_wide", data_type),
        ):
            yield base | {"oob_fill": fill, "swizzle": swizzle}


def inner_rows() -> Iterator[Row]:
    """Inner rows around 16 bytes and around each swizzle's span."""
    for data_type, swizzle, interleave in product((0, 1, 2, 4, 6, 8, 9, 13, 14, 15), range(7), range(3)):
        size = size_of(data_type)
        for row_bytes in (8, 15, 16, 24, 31, 32, 40, 48, 56, 64, 80, 112, 120, 128, 136, 144, 256):
            if row_bytes % size == 0 and row_bytes // size <= 256:
                yield tiled_base(
                    3, data_type, swizzle=swizzle, interleave=interleave, box_dim=[row_bytes // size, 2, 2]
                )
                yield im2col_base(
                    4, data_type=data_type, swizzle=swizzle, interleave=interleave, channels_per_pixel=row_bytes // size
                )


def widest_pixels() -> Iterator[Row]:
    """Pixels of 254 to 258 channels of 8 bytes: the closest to the limit that are whole 16-byte units."""
    for api, rank, channels in product(("im2col", "im2col_wide"), (3, 4, 5), (254, 256, 258)):
        yield im2col_base(rank, api, data_type=8, channels_per_pixel=channels)


def box_caps() -> Iterator[Row]:
    """Boxes around 228 KiB, with element strides at each place, entry 0 too, and columns likewise."""
    for box, size in (
        ([48, 19, 256], 0),
        ([48, 32, 152], 0),
        ([48, 139, 35], 0),
        ([16, 57, 256], 0),
        ([80, 54, 54], 0),
        ([48, 5, 973 // 4], 0),
    ):
        for es in product((1, 2, 3, 8), repeat=3):
            for scale in (1, 2, 3):
                yield tiled_base(3, size, box_dim=[box[0], min(256, box[1] * scale), box[2]], element_strides=list(es))
    for strides, delta in product(([1, 1, 1], [2, 1, 1], [3, 1, 1], [8, 1, 1], [1, 3, 1], [1, 1, 7]), range(-2, 3)):
        for interleave, rows in product(range(3), (57, 114, 171, 228)):
            box = [64 * strides[0], rows, 64 * strides[2] + delta]
            yield tiled_base(3, 0, box_dim=[min(b, 256) for b in box], element_strides=strides, interleave=interleave)
    for channels, columns, interleave in product(
        (224, 228, 240, 256), (972, 973, 974, 1023, 1024, 912, 911, 913), range(3)
    ):
        yield im2col_base(4, data_type=0, channels_per_pixel=channels, pixels_per_column=columns, interleave=interleave)
        yield im2col_base(
            4, "im2col_wide", 0, channels_per_pixel=channels, pixels_per_column=columns, interleave=interleave
        )


def encode_questions() -> Iterator[Row]:
    """All of them."""
    for base in bases():
        yield from one_factor(base)
        if base["api"] != "tiled":
            yield from each_corner(base)
            for place in range(base["rank"]):
                yield from each_entry(base, "global_dim", (2**31 - 1, 2**31, 2**31 + 1)) if place == 0 else ()
    yield from enumeration_pairs()
    yield from inner_rows()
    yield from widest_pixels()
    yield from box_caps()
