"""Rules of the tensor's dimensions and strides."""

from course_lib.model.call.sizes import step_bytes
from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import HEADER, PACKED_DIMENSION_UNIT, STRIDE_LIMIT_BYTES, Target
from course_lib.model.rules.declaration import Finding, entries, power, rule
from course_lib.model.rules.quantities import is_whole_units, of_alignment, of_argument


@rule("global_dim", looks_at=of_argument("global_dim"))
def dimensions_are_in_range(m: Call, t: Target) -> Finding | None:
    """Each dimension is 1 to 2**32 elements (sm_90), by the newest header 1 to 2**31."""
    limit, source = t.dimension_max
    sentence = f"a dimension must be 1 to {power(limit)}"
    return entries(m.global_dim, lambda d: 1 <= d <= limit, (1, limit), sentence, source)


@rule("global_dim", HEADER)
def packed_dimension_is_whole_groups(m: Call, t: Target) -> Finding | None:
    """With packed types dimension 0 is a multiple of 128 elements, of 2 with U4X16_ALIGN8B."""
    unit = PACKED_DIMENSION_UNIT.get(m.data_type, 1)
    if m.data_type not in t.data_types or not m.global_dim or m.global_dim[0] % unit == 0:
        return None
    sentence = f"with {DataType(m.data_type).name} dimension 0 must be a multiple of {unit} elements"
    return entries(m.global_dim[:1], lambda d: False, unit, sentence)


@rule("global_strides", looks_at=of_argument("global_strides", is_whole_units))
def strides_are_in_range(m: Call, t: Target) -> Finding | None:
    """Each stride is 0 or more and below 2**40 bytes."""
    sentence = f"a stride must be 0 or more and below {power(STRIDE_LIMIT_BYTES)} bytes"
    return entries(m.global_strides, lambda s: 0 <= s < STRIDE_LIMIT_BYTES, STRIDE_LIMIT_BYTES, sentence)


@rule("global_strides", looks_at=of_alignment("global_strides", "a stride"))
def strides_are_aligned(m: Call, t: Target) -> Finding | None:
    """Each stride is a multiple of 16 bytes; 32 with interleave B32 and the 16-byte-aligned packed types."""
    step = step_bytes(m)
    return entries(m.global_strides, lambda s: s % step == 0, step, f"a stride must be a multiple of {step} bytes")
