"""Rules of the element strides and of the modes: interleave, swizzle, promotion, fill."""

from course_lib.model.call.tensor_map import Call, Im2colWideTensorMap
from course_lib.model.facts.enums import DataType, Im2colWideMode, Interleave, L2Promotion, OobFill, Swizzle
from course_lib.model.facts.limits import ELEMENT_STRIDE_MAX, HEADER, PACKED_SWIZZLES, Target
from course_lib.model.rules.declaration import NEWER, Finding, entries, known, rule
from course_lib.model.rules.quantities import Numbers, Quantity, is_unknown_to, of_argument


@rule("element_strides", looks_at=of_argument("element_strides"))
def element_strides_are_in_range(m: Call, t: Target) -> Finding | None:
    """Each element stride is 1 to 8, entry 0 included."""
    sentence = f"an element stride must be 1 to {ELEMENT_STRIDE_MAX}, entry 0 included"
    return entries(m.element_strides, lambda s: 1 <= s <= ELEMENT_STRIDE_MAX, (1, ELEMENT_STRIDE_MAX), sentence)


interleave_is_known = known("interleave", Interleave)


@rule("interleave", HEADER)
def packed_6_bit_takes_no_interleave(m: Call, t: Target) -> Finding | None:
    """U6X16_ALIGN16B takes no interleave."""
    if m.data_type != DataType.U6X16_ALIGN16B or m.data_type not in t.data_types or not m.interleave:
        return None
    return Finding(m.interleave, Interleave.NONE, "U6X16_ALIGN16B takes no interleave")


swizzle_is_known = known("swizzle", Swizzle, of_argument("swizzle", is_unknown_to(Swizzle)))


@rule("swizzle", NEWER, looks_at=of_argument("swizzle"))
def swizzle_on_target(m: Call, t: Target) -> Finding | None:
    """The swizzle mode exists on the target, and for this call."""
    takes = t.wide_swizzles if isinstance(m, Im2colWideTensorMap) else t.swizzles
    if m.swizzle in takes or not isinstance(m.swizzle, Swizzle):
        return None
    names = ", ".join(mode.name for mode in sorted(takes))
    return Finding(m.swizzle, tuple(sorted(takes)), f"on {t.name} this call takes only {names}")


@rule("swizzle", HEADER, mend=("swizzle", "interleave"))
def interleave_32b_takes_swizzle_32b(m: Call, t: Target) -> Finding | None:
    """Interleave B32 takes only swizzle B32: by the documents; sm_90 takes every mode."""
    needed = t.interleave_32b_needs_swizzle_32b and m.interleave == Interleave.B32
    if not needed or m.swizzle == Swizzle.B32:
        return None
    return Finding(m.swizzle, Swizzle.B32, "interleave B32 takes only swizzle B32")


@rule("swizzle", HEADER)
def packed_swizzle_is_listed(m: Call, t: Target) -> Finding | None:
    """The 16-byte-aligned packed types take only some swizzle modes."""
    takes = PACKED_SWIZZLES.get(m.data_type)
    if takes is None or m.data_type not in t.data_types or m.swizzle in takes or not isinstance(m.swizzle, Swizzle):
        return None
    return Finding(m.swizzle, takes, f"{DataType(m.data_type).name} takes only {', '.join(s.name for s in takes)}")


l2_promotion_is_known = known("l2_promotion", L2Promotion)
oob_fill_is_known = known("oob_fill", OobFill)


def types_filled_with_nan(m: Call) -> Numbers:
    """The type of a call that asks for NaN at the edge."""
    if m.oob_fill == OobFill.NAN_REQUEST_ZERO_FMA and isinstance(m.data_type, DataType):
        yield "", int(m.data_type)


@rule("oob_fill", looks_at=Quantity("data_type where NaN fill is asked", types_filled_with_nan))
def nan_fill_needs_a_float(m: Call, t: Target) -> Finding | None:
    """Only a floating-point type can have NaN at the edge."""
    if (
        m.oob_fill != OobFill.NAN_REQUEST_ZERO_FMA
        or not isinstance(m.data_type, DataType)
        or m.data_type.facts.is_float
    ):
        return None
    return Finding(m.oob_fill, OobFill.NONE, f"{m.data_type.name} is no floating-point type, so the edge cannot be NaN")


wide_mode_is_known = known("wide_mode", Im2colWideMode)
