"""Rules of the box: its dimensions, its inner row, its bytes. The inner row of an im2col call is a pixel's channels."""

from course_lib.model.call.sizes import ALIGNED_TO_32_BYTES, descriptor_box_bytes, inner_bits, inner_count, span_bytes
from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave
from course_lib.model.facts.limits import BOX_DIM_MAX, HEADER, INNER_UNIT_BYTES, PACKED_BOX_ELEMENTS, Target
from course_lib.model.rules.declaration import DRIVER, MEASURED, Finding, Rule, entries, rule
from course_lib.model.rules.quantities import (
    Quantity,
    box_bytes,
    is_box,
    is_power_of_two,
    is_whole_units,
    of_argument,
    row_alignment,
    row_bytes,
)

WHOLE_UNITS = Quantity("power of two that divides the bytes of a row", row_alignment, is_power_of_two)
FITS_SPAN = Quantity("bytes of a row", row_bytes, is_whole_units)


@rule("box_dim", looks_at=of_argument("box_dim"))
def box_dim_is_in_range(m: TiledTensorMap, t: Target) -> Finding | None:
    """Each box dimension is 1 to 256 elements."""
    sentence = f"a box dimension must be 1 to {BOX_DIM_MAX} elements"
    return entries(m.box_dim, lambda b: 1 <= b <= BOX_DIM_MAX, (1, BOX_DIM_MAX), sentence)


def inner_finding(m: Call, limit: int, sentence: str) -> Finding:
    """A Finding on the elements of an inner row."""
    count = inner_count(m)
    return Finding(count, limit, sentence, ((0, count or 0),) if isinstance(m, TiledTensorMap) else ())


def packed_row_is_128_elements(m: Call, t: Target) -> Finding | None:
    """With the 16-byte-aligned packed types a row of the box has exactly 128 elements."""
    if m.data_type not in t.data_types or m.data_type not in ALIGNED_TO_32_BYTES:
        return None
    unit = PACKED_BOX_ELEMENTS
    if inner_count(m) in (None, unit):
        return None
    return inner_finding(m, unit, f"with {DataType(m.data_type).name} a row of the box has exactly {unit} elements")


def inner_row_is_whole_units(m: Call, t: Target) -> Finding | None:
    """A row of the box (or the channels of a pixel) is a multiple of 16 bytes; on sm_90 with interleave too."""
    bits, unit = inner_bits(m), INNER_UNIT_BYTES
    if bits is None or bits % (8 * unit) == 0 or (m.interleave and not t.inner_unit_with_interleave):
        return None
    return inner_finding(m, unit, f"a row of the box is {bits / 8:g} bytes; it must be a multiple of {unit} bytes")


def inner_row_fits_swizzle(m: Call, t: Target) -> Finding | None:
    """Without interleave, a row of the box (or the channels of a pixel) fits the span of the swizzle."""
    bits, span = inner_bits(m), span_bytes(m)
    if bits is None or span is None or m.interleave != Interleave.NONE or bits <= 8 * span:
        return None
    return inner_finding(m, span, f"a row of the box is {bits / 8:g} bytes; this swizzle takes at most {span}")


def inner_rules(field: str, units_source: str) -> tuple[Rule, Rule, Rule]:
    """The rules of the inner row, which ``field`` counts; ``units_source`` is behind its whole 16-byte units."""
    return (
        rule(field, HEADER)(packed_row_is_128_elements),
        rule(field, units_source, looks_at=WHOLE_UNITS)(inner_row_is_whole_units),
        rule(field, mend=(field, "swizzle"), looks_at=FITS_SPAN)(inner_row_fits_swizzle),
    )


packed_box_row, whole_box_row, swizzled_box_row = inner_rules("box_dim", DRIVER)


@rule("box_dim", MEASURED, looks_at=Quantity("bytes of the box", box_bytes, is_box))
def box_fits_the_engine(m: TiledTensorMap, t: Target) -> Finding | None:
    """The box, each dimension divided by its element stride and rounded down, is at most 228 KiB."""
    size = descriptor_box_bytes(m)
    if size is None or t.box_bytes_max is None or size <= t.box_bytes_max.value:
        return None
    limit, source = t.box_bytes_max
    sentence = f"the box is {size} bytes, each dimension divided by its element stride; at most {limit} are taken"
    return Finding(m.box_dim, limit, sentence, source=source)
