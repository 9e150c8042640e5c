"""The sizes that a call fixes: element, inner row, box. Each is None where an unknown enumeration leaves it open."""

from collections.abc import Sequence
from functools import lru_cache
from math import lcm, prod
from typing import Any

from course_lib.model.facts.enums import DataType, Interleave
from course_lib.model.facts.limits import CORNER_BITS, INNER_UNIT_BYTES, PACKET_BYTES, SWIZZLE_SPAN_BYTES, Target

CACHED_SIZES = 1024
ALIGNED_TO_32_BYTES = (DataType.U4X16_ALIGN16B, DataType.U6X16_ALIGN16B)


def step_bytes(m: Any) -> int:
    """What the address and every stride must be a multiple of."""
    return 32 if m.interleave == Interleave.B32 or m.data_type in ALIGNED_TO_32_BYTES else 16


def element_bits(m: Any) -> int | None:
    """Bits of one element in global memory."""
    return m.data_type.facts.bits if isinstance(m.data_type, DataType) else None


def inner_count(m: Any) -> int | None:
    """Elements along the innermost dimension of the box: box_dim[0], or the channels of a pixel."""
    counts: tuple[int, ...] = m.box_dim if m.api == "tiled" else (m.channels_per_pixel,)
    return counts[0] if counts else None


def inner_bits(m: Any) -> int | None:
    """Bits of one row of the box along the innermost dimension."""
    bits, count = element_bits(m), inner_count(m)
    return None if bits is None or count is None else bits * count


def inner_unit_elements(m: Any) -> int:
    """The smallest count of elements that is whole 16-byte units."""
    bits = element_bits(m) or 8
    return lcm(bits, 8 * INNER_UNIT_BYTES) // bits


def span_bytes(m: Any) -> int | None:
    """The width of the swizzle pattern: None for NONE and for an unknown mode."""
    return SWIZZLE_SPAN_BYTES.get(m.swizzle)


def descriptor_box_elements(m: Any, box_dim: Sequence[int] | None = None) -> int:
    """Elements of the box (another ``box_dim`` may stand in) as the descriptor counts them: entries divided by
    element strides and rounded *down*.

    The copy rounds up, and does not divide dimension 0 without interleave. Source: bits 512 up of every recorded
    tensor map.
    """
    if m.api != "tiled":
        return int(m.channels_per_pixel * m.pixels_per_column)
    counted = zip(box_dim or m.box_dim, m.element_strides, strict=True)
    return prod(max(box, 0) // max(stride, 1) for box, stride in counted)


def descriptor_box_bytes(m: Any) -> int | None:
    """``descriptor_box_elements`` in bytes."""
    bits = element_bits(m)
    return None if bits is None else descriptor_box_elements(m) * bits // 8


def spatial_dimensions(m: Any) -> tuple[int, ...]:
    """The sizes of width, height and depth, as far as the rank has them, innermost first.

    With interleave the channels are not dimension 0: the packet is the element.
    """
    first = 0 if m.interleave != Interleave.NONE else 1
    return tuple(m.global_dim[first : first + m.rank - 2])


def corner_range(m: Any, t: Target) -> tuple[int, int]:
    """The signed range of one pixel-box corner, which shrinks as the rank grows."""
    bits = (t.wide_corner_bits if m.api == "im2col_wide" else CORNER_BITS).get(m.rank, 16)
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def packet_bytes(m: Any) -> int:
    """Bytes of one channel packet: 16 or 32, and 0 without interleave."""
    return PACKET_BYTES.get(m.interleave, 0)


def ceil_div(value: int, step: int) -> int:
    """``value`` divided by ``step``, rounded up."""
    return -(-value // step)


def copied_shape(m: Any) -> tuple[int, ...]:
    """How many elements (packets with interleave) one copy moves along each dimension of its box in shared memory.

    Tiled: entries divided by element strides and rounded up; entry 0 is not divided without interleave, and one slice
    is moved with it, whatever the box says. Im2col: channels (one packet with interleave), then pixels.
    Source: transaction_bytes of load.jsonl (NVIDIA H200).
    """
    if m.api != "tiled":
        return (1 if m.interleave else m.channels_per_pixel, m.pixels_per_column)
    shape = [ceil_div(box, stride) for box, stride in zip(m.box_dim, m.element_strides, strict=True)]
    if m.interleave:
        shape[m.rank - 2] = 1
    else:
        shape[0] = m.box_dim[0]
    return tuple(shape)


@lru_cache(CACHED_SIZES)
def transaction_bytes(m: Any) -> int:
    """The bytes that the barrier counts for one copy: the whole box, parts outside the tensor included."""
    return prod(copied_shape(m)) * (packet_bytes(m) or int(m.data_type.size_bytes))
