"""Rules of the element type, the rank and the address."""

from course_lib.model.call.sizes import step_bytes
from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.enums import DataType, Interleave
from course_lib.model.facts.limits import RANK_MAX, Target
from course_lib.model.rules.declaration import NEWER, Finding, known, power, rule
from course_lib.model.rules.quantities import Quantity, is_unknown_to, is_whole_units, of_alignment, of_argument, ranks

data_type_is_known = known("data_type", DataType, of_argument("data_type", is_unknown_to(DataType)))


@rule("data_type", NEWER, looks_at=of_argument("data_type"))
def data_type_on_target(m: Call, t: Target) -> Finding | None:
    """The element type exists on the target."""
    if m.data_type in t.data_types or not isinstance(m.data_type, DataType):
        return None
    return Finding(m.data_type, m.data_type.facts.first_target, f"{t.name} has no packed 4- and 6-bit types")


@rule("global_dim", mend=("interleave",), looks_at=Quantity("rank", ranks))
def rank_is_in_range(m: Call, t: Target) -> Finding | None:
    """The rank is 1 to 5; 3 to 5 with interleave and for im2col."""
    least = 3 if m.is_im2col or m.interleave != Interleave.NONE else 1
    if least <= m.rank <= RANK_MAX:
        return None
    return Finding(m.global_dim, (least, RANK_MAX), f"the rank is {m.rank}; this call takes {least} to {RANK_MAX}")


@rule("global_address", looks_at=of_argument("global_address", is_whole_units))
def address_is_in_range(m: Call, t: Target) -> Finding | None:
    """The address is below the target's limit: 2**57 on sm_90."""
    limit, source = t.address_limit
    if 0 <= m.global_address < limit:
        return None
    return Finding(m.global_address, limit, f"the address must be 0 or more and below {power(limit)}", source=source)


@rule("global_address", looks_at=of_alignment("global_address", "global_address"))
def address_is_aligned(m: Call, t: Target) -> Finding | None:
    """The address is a multiple of 16 bytes; 32 with interleave B32 and the 16-byte-aligned packed types."""
    step = step_bytes(m)
    if m.global_address % step == 0:
        return None
    return Finding(m.global_address, step, f"the address must be a multiple of {step} bytes")
