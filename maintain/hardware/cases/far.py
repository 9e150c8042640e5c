"""Coordinates at the ends of 32 bits, and im2col offsets at and past the ends of their documented ranges."""

from collections.abc import Iterator
from itertools import product

from course_lib.model.call.sizes import transaction_bytes
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import Row
from maintain.hardware.cases.encode import im2col_base, tiled_base

SEED = 98
EXTREMES = (2**31 - 1, 2**31 - 2, 2**31 - 256, 2**30, -(2**31), 1 - 2**31, -(2**30), 2**24, -(2**24), 2**16, 2**15)
OFFSETS = (3, 15, 16, 31, 32, 33, 127, 128, 255, 256, 257, 32767, 32768, 65535)


def far_load(row: Row, coordinates: list[int], offsets: list[int] | None = None) -> Row:
    """A load through ``row`` in the recordings' format."""
    row = row | {
        "global_address": 1 << 20,
        "coordinates": coordinates,
        "seed": SEED,
        "shared_address": 0,
        "window_bytes": 4096,
    }
    row |= {"im2col_offsets": offsets} if offsets is not None else {}
    return row | {"transaction_bytes": transaction_bytes(tensor_map_of(row))}


def far_tiled() -> Iterator[Row]:
    """Each coordinate at each extreme; without interleave the innermost one stays whole 16 bytes."""
    for rank, interleave in ((1, 0), (2, 0), (3, 0), (5, 0), (3, 1), (5, 2)):
        row = tiled_base(rank, 2, interleave=interleave, global_dim=[64] + [6] * (rank - 1))
        row["global_strides"] = [(2048 if interleave else 256) * 6**i for i in range(rank - 1)]
        for place, value in product(range(rank), EXTREMES):
            at = [0] * rank
            at[place] = value - value % 4 if place == 0 and not interleave else value
            yield far_load(row, at)


def far_im2col() -> Iterator[Row]:
    """Channel and image at each extreme, and each filter offset at and past its range."""
    for rank, interleave in product((3, 4, 5), (0, 1)):
        spatial = [9] * (rank - 2)
        dims = [*spatial, 2, 3] if interleave else [16, *spatial, 3]
        strides = [(144 if interleave else 64) * 9**i for i in range(rank - 1)]
        row = im2col_base(
            rank, data_type=2, interleave=interleave, global_dim=dims, global_strides=strides, pixels_per_column=32
        )
        for place, value in product((rank - 2 if interleave else 0, rank - 1), EXTREMES):
            at = [0] * rank
            at[place] = value - value % 4 if place == 0 else value
            yield far_load(row, at, [0] * (rank - 2))
        for place, value in product(range(rank - 2), OFFSETS):
            offsets = [0] * (rank - 2)
            offsets[place] = value
            yield far_load(row, [0] * rank, offsets)


def far_loads() -> Iterator[Row]:
    """All of them."""
    yield from far_tiled()
    yield from far_im2col()
