"""What the driver lets through, although the copy then faults or differs, or a document forbids it.

The same shape as a rule: a caution never refuses. Each looks only at a call that no rule refuses.
"""

from course_lib.model.call.sizes import element_bytes, transaction_bytes
from course_lib.model.call.tensor_map import Call, Im2colWideTensorMap, TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.model.facts.limits import (
    INNER_UNIT_BYTES,
    SHARED_MEMORY_PER_BLOCK_BYTES,
    TRANSACTION_COUNT_MAX,
    Target,
)
from course_lib.model.rules.declaration import Finding, Rule, entries, rule

HEADER_DIMENSION_MAX = 2**31
GUIDE_STEP_BYTES = 128
DOCUMENTED_WIDE_SWIZZLES = (Swizzle.B64, Swizzle.B128, Swizzle.B128_ATOM_32B)


@rule("global_address", "measured: the copy faults with 700; the driver never looks")
def null_address(m: Call, t: Target) -> Finding | None:
    """A null address is encoded, and faults when it is read."""
    if m.global_address:
        return None
    return Finding(0, "memory that is there", "the driver encodes a null address; a copy that reads the tensor faults")


@rule("global_dim", "documented: CUDA Driver API 13.5 says 2**31, the headers before it 2**32")
def dimension_beyond_coordinates(m: Call, t: Target) -> Finding | None:
    """Past 2**31 elements no coordinate reaches."""
    sentence = "coordinates are signed 32-bit numbers, so what lies past 2**31 elements cannot be reached"
    return entries(m.global_dim, lambda d: d <= HEADER_DIMENSION_MAX, HEADER_DIMENSION_MAX, sentence)


@rule("element_strides", "measured: load.jsonl; PTX ISA 9.1 section 5.5.3.2 demands 1")
def inner_element_stride_is_ignored(m: Call, t: Target) -> Finding | None:
    """Element stride 0 does nothing without interleave."""
    if m.interleave or m.element_strides[0] == 1:
        return None
    return entries(m.element_strides[:1], lambda s: False, 1, "without interleave the copy ignores entry 0")


@rule("box_dim", "measured: load.jsonl")
def slice_box_is_ignored(m: TiledTensorMap, t: Target) -> Finding | None:
    """With interleave one channel slice is copied, whatever the box says."""
    if not m.interleave or m.box_dim[m.rank - 2] == 1:
        return None
    offender = (m.rank - 2, m.box_dim[m.rank - 2])
    return Finding(None, 1, "with interleave a copy moves one channel slice, whatever the box says", (offender,))


@rule("swizzle", "documented: CUDA Driver API 13.5 demands swizzle B32; measured: this driver takes every mode")
def interleave_32b_without_swizzle_32b(m: Call, t: Target) -> Finding | None:
    """Interleave B32 with another swizzle than B32 is encoded, although documents forbid it."""
    if m.interleave != Interleave.B32 or m.swizzle == Swizzle.B32:
        return None
    return Finding(m.swizzle, Swizzle.B32, "documents forbid interleave B32 with any swizzle but B32")


@rule(
    "global_address", "documented: CUDA Programming Guide, swizzle modes; measured: load.jsonl, such copies are right"
)
def swizzled_address_off_128(m: Call, t: Target) -> Finding | None:
    """With a swizzle the guide asks for a tensor at a multiple of 128 bytes, the driver for 16."""
    if m.swizzle == Swizzle.NONE or m.global_address % GUIDE_STEP_BYTES == 0:
        return None
    sentence = (
        f"with a swizzle the guide asks for a multiple of {GUIDE_STEP_BYTES} bytes; the driver takes this address"
    )
    return Finding(m.global_address, GUIDE_STEP_BYTES, sentence)


@rule("global_dim", "measured: store.jsonl")
def store_spills_past_the_row(m: Call, t: Target) -> Finding | None:
    """A store clips at 16 bytes, not at the element."""
    if m.is_im2col or m.interleave or DataType(m.data_type).is_packed:
        return None
    row_bytes, unit = m.global_dim[0] * element_bytes(m), INNER_UNIT_BYTES
    if row_bytes % unit == 0:
        return None
    past = -row_bytes % unit
    sentence = f"a row is {row_bytes} bytes; a store clips at {unit} bytes and writes up to {past} bytes past it"
    return entries(m.global_dim[:1], lambda d: False, unit, sentence)


def size_cautions(field: str) -> tuple[Rule, Rule]:
    """What may be wrong with the size of a copy, for the calls that have the argument ``field``."""

    def size_bytes(m: Call) -> int:
        return 0 if DataType(m.data_type).is_packed else transaction_bytes(m)

    @rule(field, "documented: PTX ISA 9.4, mbarrier; measured: the descriptor rounds down, the copy up")
    def barrier_cannot_count_the_copy(m: Call, t: Target) -> Finding | None:
        """A barrier counts at most 2**20 - 1 bytes."""
        size, limit = size_bytes(m), TRANSACTION_COUNT_MAX
        if size <= limit:
            return None
        return Finding(getattr(m, field), limit, f"one copy is {size} bytes; a barrier counts to {limit}")

    @rule(field, "documented: CUDA Programming Guide, compute capability 9.0: 227 KiB a block")
    def box_exceeds_shared_memory(m: Call, t: Target) -> Finding | None:
        """A box larger than a block's shared memory is encoded."""
        size, limit = size_bytes(m), SHARED_MEMORY_PER_BLOCK_BYTES
        if not limit < size <= TRANSACTION_COUNT_MAX:
            return None
        sentence = f"one copy is {size} bytes; a block has at most {limit} bytes of shared memory"
        return Finding(getattr(m, field), limit, sentence)

    return barrier_cannot_count_the_copy, box_exceeds_shared_memory


@rule("wide_mode", "documented: CUDA Driver API 13.5; measured: the bytes hold neither a wide flag nor the mode")
def wide_call_before_sm_100(m: Im2colWideTensorMap, t: Target) -> Finding | None:
    """The wide call makes a plain im2col map on sm_90."""
    if not t.name.startswith("sm_90"):
        return None
    return Finding(
        m.wide_mode, "sm_100", "documents give this call to sm_100 and later; here the map is a plain im2col one"
    )


@rule("swizzle", "documented: CUDA Driver API 13.5, cuTensorMapEncodeIm2colWide; measured: this driver takes it")
def wide_swizzle_is_not_documented(m: Call, t: Target) -> Finding | None:
    """The wide call takes more swizzle modes here than documents give it."""
    if not isinstance(m, Im2colWideTensorMap) or m.swizzle in DOCUMENTED_WIDE_SWIZZLES:
        return None
    return Finding(m.swizzle, DOCUMENTED_WIDE_SWIZZLES, "documents give the wide call only B64, B128 and B128_ATOM_32B")


CAUTIONS = (
    null_address,
    swizzled_address_off_128,
    dimension_beyond_coordinates,
    store_spills_past_the_row,
    slice_box_is_ignored,
    *size_cautions("box_dim"),
    *size_cautions("pixels_per_column"),
    inner_element_stride_is_ignored,
    interleave_32b_without_swizzle_32b,
    wide_call_before_sm_100,
    wide_swizzle_is_not_documented,
)
