"""Rules of the packed 4- and 6-bit types, as the documents state them, for the targets that have those types."""

from typing import Any

from course_lib.model.call.sizes import ALIGNED_TO_32_BYTES, inner_count
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.model.facts.limits import HEADER, PACKED_BOX_ELEMENTS, PACKED_DIMENSION_UNIT, PACKED_SWIZZLES, Target
from course_lib.model.rules.tiled import entries, inner_finding, rule
from course_lib.model.rules.verdict import Finding


@rule("global_dim", HEADER)
def packed_dimension_is_whole_groups(m: Any, t: Target) -> Finding | None:
    """With packed types dimension 0 is a multiple of 128 elements, of 2 with U4X16_ALIGN8B."""
    unit = PACKED_DIMENSION_UNIT.get(m.data_type, 1)
    if m.data_type not in t.data_types or not m.global_dim or m.global_dim[0] % unit == 0:
        return None
    sentence = f"with {m.data_type.name} dimension 0 must be a multiple of {unit} elements"
    return entries(m.global_dim[:1], lambda d: False, unit, sentence)


def packed_row_is_128_elements(m: Any, t: Target) -> Finding | None:
    """With the 16-byte-aligned packed types a row of the box has exactly 128 elements."""
    if m.data_type not in t.data_types or m.data_type not in ALIGNED_TO_32_BYTES:
        return None
    unit = PACKED_BOX_ELEMENTS
    if inner_count(m) in (None, unit):
        return None
    return inner_finding(m, unit, f"with {m.data_type.name} a row of the box has exactly {unit} elements")


@rule("interleave", HEADER)
def packed_6_bit_takes_no_interleave(m: Any, t: Target) -> Finding | None:
    """U6X16_ALIGN16B takes no interleave."""
    if m.data_type != DataType.U6X16_ALIGN16B or m.data_type not in t.data_types or not m.interleave:
        return None
    return Finding(m.interleave, Interleave.NONE, "U6X16_ALIGN16B takes no interleave")


@rule("swizzle", HEADER)
def packed_swizzle_is_listed(m: Any, t: Target) -> Finding | None:
    """The 16-byte-aligned packed types take only some swizzle modes."""
    takes = PACKED_SWIZZLES.get(m.data_type)
    if takes is None or m.data_type not in t.data_types or m.swizzle in takes or not isinstance(m.swizzle, Swizzle):
        return None
    return Finding(m.swizzle, takes, f"{m.data_type.name} takes only {', '.join(s.name for s in takes)}")
