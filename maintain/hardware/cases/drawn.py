"""Random legal copies to record: maps that the model accepts, boxes around every edge. A seed fixes each draw."""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from random import Random

from course_lib.model.call.sizes import copied_shape, transaction_bytes
from course_lib.model.call.tensor_map import (
    Call,
    Im2colCall,
    Im2colTensorMap,
    Im2colWideTensorMap,
    TiledTensorMap,
)
from course_lib.model.copy.layout import stride_bytes
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.model.facts.limits import HOPPER, PACKET_BYTES, SWIZZLE_SPAN_BYTES
from course_lib.rows.calls import row_of
from course_lib.rows.memory import window_for
from course_lib.rows.row import Row

MapDraw = Callable[..., Call]
TYPES = sorted(HOPPER.data_types)
PAIRS = [(interleave, swizzle) for interleave in range(3) for swizzle in range(4)]
DOCUMENTED_PAIRS = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (2, 1)]
FOOTPRINT_MAX_BYTES = 24 << 10
FAR = (2**20, -(2**20), 2**31 - 1, -(2**31))


def footprint_bytes(m: Call) -> int:
    """Room enough for the box in shared memory, whatever is padded to the swizzle's span: a bound, not the layout."""
    row, *others = copied_shape(m)
    span = SWIZZLE_SPAN_BYTES[m.swizzle] or 16
    if m.interleave:
        return row * prod(others) * max(stride_bytes(m)[0], span)
    return prod(others) * max(row * stride_bytes(m)[0], span)


def reach_bytes(m: Call) -> int:
    """One past the last byte of the tensor, counted from its address, with the 16 bytes that a store may spill."""
    rows: int = sum((d - 1) * s for d, s in zip(m.global_dim[1:], m.global_strides, strict=True))
    first_row: int = stride_bytes(m)[0] * m.global_dim[0]
    return first_row + rows + 16


def strides_for(rng: Random, dims: Sequence[int], unit: int, step: int, apart: bool) -> list[int]:
    """Strides in whole ``step`` bytes, with random gaps; now and then overlapping, unless ``apart``."""
    strides, extent = [], dims[0] * unit
    for dim in dims[1:]:
        stride = -(-extent // step) * step + step * rng.choice((0, 0, 0, 1, 2, 5))
        if not apart and rng.random() < 0.05:
            stride = step * rng.randrange(9)
        strides.append(stride)
        extent = max(stride * dim, extent)
    return strides


def element_strides_for(rng: Random, rank: int) -> list[int]:
    """Mostly ones."""
    return [1] * rank if rng.random() < 0.6 else [rng.choice((1, 1, 2, 3, 4, 8)) for _ in range(rank)]


def shared_arguments(
    rng: Random, pair: tuple[int, int], data_type: int, dims: list[int], start: int, apart: bool
) -> Row:
    """The arguments that all calls share."""
    interleave = Interleave(pair[0])
    unit = PACKET_BYTES.get(interleave) or DataType(data_type).size_bytes
    step = 32 if interleave == Interleave.B32 else 16
    return {
        "data_type": data_type,
        "global_address": start + step * rng.randrange(9),
        "global_dim": dims,
        "global_strides": strides_for(rng, dims, unit, step, apart),
        "element_strides": element_strides_for(rng, len(dims)),
        "interleave": pair[0],
        "swizzle": pair[1],
        "l2_promotion": rng.randrange(4),
        "oob_fill": rng.randrange(2) if DataType(data_type).facts.is_float else 0,
    }


def inner_elements(rng: Random, pair: tuple[int, int], size: int) -> int:
    """Elements of a legal inner row: whole 16 bytes, at most the swizzle's span without interleave."""
    span = None if pair[0] else SWIZZLE_SPAN_BYTES[Swizzle(pair[1])]
    most = min((span or 2048) // 16, 256 * size // 16)
    units = rng.choice((1, 1, 2, 3, 4, 5, 8, most, most, rng.randint(1, most)))
    return min(units, most) * 16 // size


def tiled_map(rng: Random, pair: tuple[int, int], data_type: int, start: int, apart: bool = False) -> Call:
    """A tiled map that may be legal."""
    rank = rng.randint(3 if pair[0] else 1, 5)
    inner = inner_elements(rng, pair, DataType(data_type).size_bytes)
    dims = [rng.choice((inner, max(1, inner - 1), 2 * inner, 3, rng.randint(1, 2 * inner + 5)))]
    dims += [rng.choice((1, 2, 3, 5, 8, 9, 16, 32)) for _ in range(rank - 1)]
    box = [inner] + [rng.choice((1, 1, 2, 3, 4, 5, 8, 9, 17, 32)) for _ in range(rank - 1)]
    return TiledTensorMap(box_dim=box, **shared_arguments(rng, pair, data_type, dims, start, apart))


def choose_pixels(rng: Random, pair: tuple[int, int], data_type: int) -> Row:
    """Channels of a pixel and pixels of a column."""
    channels = inner_elements(rng, pair, DataType(data_type).size_bytes)
    return {"channels_per_pixel": channels, "pixels_per_column": rng.choice((1, 2, 7, 8, 16, 30, 64, 100, 256))}


def im2col_dims(rng: Random, pair: tuple[int, int], size: int) -> list[int]:
    """Channels first, or width first and the channel slices last but one with interleave; the images last."""
    spatial = [rng.choice((1, 2, 3, 4, 5, 7, 9, 14)) for _ in range(rng.randint(1, 3))]
    channels = rng.choice((1, 2, 3)) if pair[0] else rng.choice((3, 8, 16, 32, 64)) * max(1, 4 // size)
    return [*spatial, channels, rng.randint(1, 5)] if pair[0] else [channels, *spatial, rng.randint(1, 5)]


def im2col_map(rng: Random, pair: tuple[int, int], data_type: int, start: int, apart: bool = False) -> Call:
    """An im2col map that may be legal."""
    dims = im2col_dims(rng, pair, DataType(data_type).size_bytes)
    ranges = ((0, 2), (-2, 0)) if apart else ((-2, 1), (-2, 1))  # a store traps where its pixel box leaves the tensor
    lower, upper = ([rng.randint(*limits) for _ in range(len(dims) - 2)] for limits in ranges)
    return Im2colTensorMap(
        pixel_box_lower_corner=lower,
        pixel_box_upper_corner=upper,
        **choose_pixels(rng, pair, data_type),
        **shared_arguments(rng, pair, data_type, dims, start, apart),
    )


def wide_map(rng: Random, pair: tuple[int, int], data_type: int, start: int, apart: bool = False) -> Call:
    """A wide im2col map that may be legal."""
    dims = im2col_dims(rng, pair, DataType(data_type).size_bytes)
    return Im2colWideTensorMap(
        pixel_box_lower_corner_width=rng.randint(-3, 1),
        pixel_box_upper_corner_width=rng.randint(-3, 1),
        wide_mode=rng.randrange(2),
        **choose_pixels(rng, pair, data_type),
        **shared_arguments(rng, pair, data_type, dims, start, apart),
    )


def legal(
    rng: Random, draw: MapDraw, pair: tuple[int, int], data_type: int, start: int, end: int, apart: bool = False
) -> Call:
    """Draw until the model accepts the map, its tensor ends before ``end`` and its box is small."""
    while True:
        m = draw(rng, pair, data_type, start, apart)
        if (
            m.global_address + reach_bytes(m) <= end
            and footprint_bytes(m) <= FOOTPRINT_MAX_BYTES
            and m.check().accepted
        ):
            return m


def near_edge(rng: Random, dim: int, box: int, negative: bool, far: float = 0.01) -> int:
    """A coordinate at, before or after an edge of the dimension; rarely far outside."""
    if rng.random() < far:
        value = rng.choice(FAR)
    else:
        value = rng.choice(
            (0, 0, 0, dim - 1, dim - box, dim // 2, -1, 1 - box, -box, dim, dim + 3, rng.randint(-box, dim))
        )
    return value if negative else max(value, 0) if value > -(2**20) else 0


def tiled_coordinates(rng: Random, m: TiledTensorMap, negative: bool) -> list[int]:
    """Around every edge; without interleave the innermost one a multiple of 16 bytes, so that nothing traps."""
    at = [near_edge(rng, dim, box, negative) for dim, box in zip(m.global_dim, m.box_dim, strict=True)]
    if not m.interleave:
        at[0] -= at[0] % (16 // stride_bytes(m)[0])
    return at


def im2col_coordinates(rng: Random, m: Im2colCall, negative: bool) -> list[int]:
    """A start inside the pixel box (outside it the copy traps); channels and image around their edges."""
    lower, upper = m.pixel_box
    first = 0 if m.interleave else 1
    at = [near_edge(rng, dim, 3, negative, far=0.0) for dim in m.global_dim]
    for i, (low, up) in enumerate(zip(lower, upper, strict=True), first):
        low, high = (low if negative else max(low, 0)), m.global_dim[i] - 1 + up
        at[i] = rng.choice((low, high, rng.randint(min(low, high), max(low, high))))
    if not m.interleave:
        at[0] -= at[0] % (16 // stride_bytes(m)[0])
    return at


def coordinates(rng: Random, m: Call, negative: bool) -> Row:
    """Coordinates, and the filter offsets of an im2col load."""
    if isinstance(m, TiledTensorMap):
        return {"coordinates": tiled_coordinates(rng, m, negative)}
    offsets = [rng.choice((0, 0, 1, 2, 5)) for _ in range(m.rank - 2)]
    return {"coordinates": im2col_coordinates(rng, m, negative)} | ({"im2col_offsets": offsets} if negative else {})


def load_row(rng: Random, m: Call, seed: int) -> Row:
    """A load of ``m`` as a recording asks it."""
    at = 128 * rng.randrange(17)
    asked = coordinates(rng, m, True) | {"seed": seed, "shared_address": at, "transaction_bytes": transaction_bytes(m)}
    return row_of(m) | asked | {"window_bytes": window_for(at + footprint_bytes(m))}


def store_row(rng: Random, m: Call, seed: int, op: str) -> Row:
    """A store or reduction through ``m`` as a recording asks it."""
    at = 128 * rng.randrange(1 + (64 * 1024 - footprint_bytes(m)) // 128)
    at = rng.choice((at, at % 1024, 128 * rng.randrange(17)))
    asked = coordinates(rng, m, False) | {"seed": seed, "shared_address": at, "bytes": transaction_bytes(m)}
    return {"op": op} | row_of(m) | asked


def loads(seed: int, draw: MapDraw, pair: tuple[int, int], count: int) -> Iterator[Row]:
    """``count`` loads through legal maps of ``pair``."""
    rng = Random(f"{seed} {draw.__name__} {pair}")
    for number in range(count):
        m = legal(rng, draw, pair, TYPES[number % len(TYPES)], 1 << 20, 4 << 20)
        yield load_row(rng, m, seed)
