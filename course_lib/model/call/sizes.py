"""The sizes that a call fixes: element, inner row, box. Each is None where an unknown enumeration leaves it open."""

from collections.abc import Sequence
from functools import lru_cache
from math import lcm, prod

from course_lib.model.call.tensor_map import Call, Im2colWideTensorMap, TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave
from course_lib.model.facts.limits import CORNER_BITS, INNER_UNIT_BYTES, PACKET_BYTES, SWIZZLE_SPAN_BYTES, Target

CACHED_SIZES = 1024
ALIGNED_TO_32_BYTES = (DataType.U4X16_ALIGN16B, DataType.U6X16_ALIGN16B)


def ceil_div(value: int, step: int) -> int:
    """``value`` divided by ``step``, rounded up."""
    return -(-value // step)


def step_bytes(m: Call) -> int:
    """What the address and every stride must be a multiple of."""
    return 32 if m.interleave == Interleave.B32 or m.data_type in ALIGNED_TO_32_BYTES else 16


def element_bits(m: Call) -> int | None:
    """Bits of one element in global memory."""
    return m.data_type.facts.bits if isinstance(m.data_type, DataType) else None


def element_bytes(m: Call) -> int:
    """Bytes of one element of a legal call. ValueError for a packed type, whose elements are no whole bytes."""
    return DataType(m.data_type).size_bytes


def packet_bytes(m: Call) -> int:
    """Bytes of one channel packet: 16 or 32, and 0 without interleave."""
    return PACKET_BYTES.get(m.interleave, 0)


def unit_bytes(m: Call) -> int:
    """Bytes of what dimension 0 of the box counts in shared memory: an element, or a packet with interleave."""
    return packet_bytes(m) or element_bytes(m)


def inner_count(m: Call) -> int | None:
    """Elements along the innermost dimension of the box: box_dim[0], or the channels of a pixel."""
    counts = m.box_dim if isinstance(m, TiledTensorMap) else (m.channels_per_pixel,)
    return counts[0] if counts else None


def inner_bits(m: Call) -> int | None:
    """Bits of one row of the box along the innermost dimension."""
    bits, count = element_bits(m), inner_count(m)
    return None if bits is None or count is None else bits * count


def inner_unit_elements(m: Call) -> int:
    """The smallest count of elements that is whole 16-byte units."""
    bits = element_bits(m) or 8
    return lcm(bits, 8 * INNER_UNIT_BYTES) // bits


def span_bytes(m: Call) -> int | None:
    """The width of the swizzle pattern: None for NONE and for an unknown mode."""
    return SWIZZLE_SPAN_BYTES.get(m.swizzle)


def descriptor_box_elements(m: Call, box_dim: Sequence[int] | None = None) -> int:
    """Elements of the box (another ``box_dim`` may stand in) as the descriptor counts them: entries divided by
    element strides and rounded *down*.

    The copy rounds up, and does not divide dimension 0 without interleave. Source: bits 512 up of every recorded
    tensor map.
    """
    if not isinstance(m, TiledTensorMap):
        return m.channels_per_pixel * m.pixels_per_column
    counted = zip(box_dim or m.box_dim, m.element_strides, strict=True)
    return prod(max(box, 0) // max(stride, 1) for box, stride in counted)


def descriptor_box_bytes(m: Call) -> int | None:
    """``descriptor_box_elements`` in bytes."""
    bits = element_bits(m)
    return None if bits is None else descriptor_box_elements(m) * bits // 8


def spatial_slice(m: Call) -> slice:
    """Which dimensions are width, height and depth: from 1 on, or from 0 on with interleave, where the packet is the
    element and the channels are no dimension 0.
    """
    first = 0 if m.interleave != Interleave.NONE else 1
    return slice(first, first + m.rank - 2)


def spatial_dimensions(m: Call) -> tuple[int, ...]:
    """The sizes of width, height and depth, as far as the rank has them, innermost first."""
    return tuple(m.global_dim[spatial_slice(m)])


def corner_range(m: Call, t: Target) -> tuple[int, int]:
    """The signed range of one pixel-box corner, which shrinks as the rank grows."""
    bits = (t.wide_corner_bits if isinstance(m, Im2colWideTensorMap) else CORNER_BITS).get(m.rank, 16)
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


def copied_shape(m: Call) -> tuple[int, ...]:
    """How many elements (packets with interleave) one copy moves along each dimension of its box in shared memory.

    Tiled: entries divided by element strides and rounded up; entry 0 is not divided without interleave, and one slice
    is moved with it, whatever the box says. Im2col: channels (one packet with interleave), then pixels.
    Source: transaction_bytes of load.jsonl (NVIDIA H200).
    """
    if not isinstance(m, TiledTensorMap):
        return (1 if m.interleave else m.channels_per_pixel, m.pixels_per_column)
    shape = [ceil_div(box, stride) for box, stride in zip(m.box_dim, m.element_strides, strict=True)]
    if m.interleave:
        shape[m.rank - 2] = 1
    else:
        shape[0] = m.box_dim[0]
    return tuple(shape)


@lru_cache(CACHED_SIZES)
def transaction_bytes(m: Call) -> int:
    """The bytes that the barrier counts for one copy: the whole box, parts outside the tensor included."""
    return prod(copied_shape(m)) * unit_bytes(m)
