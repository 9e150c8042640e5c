"""What would mend a call: for each argument the legal values nearest to the one that was asked for.

A candidate is only a proposal. ``repair.find_repair`` takes the first that mends its rule and breaks no new one.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from course_lib.model.call.sizes import (
    corner_range,
    descriptor_box_elements,
    element_bits,
    inner_unit_elements,
    span_bytes,
    step_bytes,
)
from course_lib.model.call.tensor_map import Call, Im2colCall, Im2colTensorMap, TiledTensorMap
from course_lib.model.facts.enums import DataType, Im2colWideMode, Interleave, L2Promotion, OobFill, Swizzle
from course_lib.model.facts.limits import (
    BOX_DIM_MAX,
    CHANNELS_MAX,
    ELEMENT_STRIDE_MAX,
    PACKED_BOX_ELEMENTS,
    PACKED_DIMENSION_UNIT,
    PIXELS_MAX,
    STRIDE_LIMIT_BYTES,
    Target,
)

Values = Iterator[Any]
PACKED_UNITS_ELEMENTS = (32, 64, PACKED_BOX_ELEMENTS)  # whole 16-byte units of 4-bit, of 6-bit elements; the listed row


def clip(value: int, low: int, high: int) -> int:
    """The integer in low..high nearest to ``value``."""
    return min(max(value, low), high)


def down(value: int, step: int) -> int:
    """The multiple of ``step`` at or below ``value``."""
    return value // step * step


def up(value: int, step: int) -> int:
    """The multiple of ``step`` at or above ``value``."""
    return -down(-value, step)


def data_types(m: Call, t: Target) -> Values:
    """Types that carry the bytes as they are, then the others."""
    yield from (DataType.UINT8, DataType.UINT16, DataType.UINT32, DataType.UINT64)
    yield from sorted(t.data_types)


def addresses(m: Call, t: Target) -> Values:
    """In range and on the step that the call demands, then on 32 bytes, above and below."""
    for step in (step_bytes(m), 32):
        value = clip(m.global_address, 0, t.address_limit.value - step)
        yield from (up(value, step), down(value, step))


def dimensions(m: Call, t: Target) -> Values:
    """Within the limit; then small enough that the pixel box does not wrap in 32 bits."""
    unit = PACKED_DIMENSION_UNIT.get(m.data_type, 1)
    for high in (t.dimension_max.value, 2**30):
        inner, *rest = (clip(d, 1, high) for d in m.global_dim)
        yield up(inner, unit), *rest


def strides(m: Call, t: Target) -> Values:
    """Each in range and on the step that the call demands, then on 32 bytes."""
    for step in (step_bytes(m), 32):
        yield tuple(clip(up(s, step), 0, STRIDE_LIMIT_BYTES - step) for s in m.global_strides)


def inner_counts(m: Call, t: Target, count: int, most: int) -> Iterator[int]:
    """Elements of an inner row: whole units, within the swizzle span, rounded up before down; then packed types' units."""
    bits, span, unit = element_bits(m) or 8, span_bytes(m), inner_unit_elements(m)
    if span and m.interleave == Interleave.NONE:
        most = min(most, 8 * span // bits)
    count, most = max(count, 1), down(most, unit)
    yield from (min(up(count, unit), most), clip(down(count, unit), unit, most), *PACKED_UNITS_ELEMENTS)


def boxes(m: TiledTensorMap, t: Target) -> Values:
    """Every entry in range, the inner row as above, the outer ones shortened until the whole box fits."""
    for inner in inner_counts(m, t, m.box_dim[0], BOX_DIM_MAX):
        yield shorten(m, t, [inner, *(clip(b, 1, BOX_DIM_MAX) for b in m.box_dim[1:])])


def box_bits_max(t: Target) -> int:
    """The largest box in bits; where none is known, one that no box reaches."""
    return 8 * t.box_bytes_max.value if t.box_bytes_max else 2**64


def shorten(m: TiledTensorMap, t: Target, box: list[int]) -> tuple[int, ...]:
    """``box`` with its outer dimensions shortened, the longest first, each no more than it must be."""
    limit_bits, bits = box_bits_max(t), element_bits(m) or 1
    steps = [max(stride, 1) for stride in m.element_strides]
    for axis in sorted(range(1, m.rank), key=lambda i: -box[i]):
        one_wide = descriptor_box_elements(m, [*box[:axis], steps[axis], *box[axis + 1 :]])
        if one_wide:
            box[axis] = min(box[axis], max(limit_bits // (one_wide * bits), 1) * steps[axis])
    return tuple(box)


def element_strides(m: Call, t: Target) -> Values:
    """In range; then the longest steps, which make the smallest box."""
    yield tuple(clip(s, 1, ELEMENT_STRIDE_MAX) for s in m.element_strides)
    yield (ELEMENT_STRIDE_MAX,) * m.rank


def lower_corners(m: Im2colCall, t: Target) -> Values:
    """Nearest legal lower corners, then the one that makes the box largest."""
    yield from corners(m, t, m.pixel_box[0], m.pixel_box[1], corner_range(m, t)[0])


def upper_corners(m: Im2colCall, t: Target) -> Values:
    """Nearest legal upper corners, then the one that makes the box largest."""
    yield from corners(m, t, m.pixel_box[1], m.pixel_box[0], corner_range(m, t)[1])


def corners(m: Im2colCall, t: Target, asked: Sequence[int], other: Sequence[int], widest: int) -> Values:
    """The corner in range, the other corner, and the one that makes the box as large as it can be."""
    low, high = corner_range(m, t)
    for values in (asked, other, (widest,) * len(asked)):
        legal = tuple(clip(c, low, high) for c in values)
        yield legal if isinstance(m, Im2colTensorMap) else legal[0]


def channels(m: Im2colCall, t: Target) -> Values:
    """Whole 16-byte units within the swizzle span."""
    yield from inner_counts(m, t, m.channels_per_pixel, CHANNELS_MAX)


def pixels(m: Im2colCall, t: Target) -> Values:
    """In range, and few enough that the column fits the engine."""
    pixel_bits = (element_bits(m) or 1) * max(m.channels_per_pixel, 1)
    yield clip(m.pixels_per_column, 1, min(PIXELS_MAX, box_bits_max(t) // pixel_bits))


def members(*values: Any) -> Callable[..., Values]:
    """The same proposals whatever the call."""
    return lambda m, t: iter(values)


CANDIDATES: dict[str, Callable[..., Values]] = {
    "data_type": data_types,
    "global_address": addresses,
    "global_dim": dimensions,
    "global_strides": strides,
    "box_dim": boxes,
    "element_strides": element_strides,
    "pixel_box_lower_corner": lower_corners,
    "pixel_box_upper_corner": upper_corners,
    "pixel_box_lower_corner_width": lower_corners,
    "pixel_box_upper_corner_width": upper_corners,
    "channels_per_pixel": channels,
    "pixels_per_column": pixels,
    "interleave": members(Interleave.NONE, Interleave.B16, Interleave.B32),
    "swizzle": members(Swizzle.B128, Swizzle.B64, Swizzle.B32, Swizzle.NONE),
    "l2_promotion": members(L2Promotion.NONE),
    "oob_fill": members(OobFill.NONE),
    "wide_mode": members(Im2colWideMode.W),
}
