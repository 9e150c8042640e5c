"""The rules that tiled calls know, in the order of the arguments: one rule, one small function, one sentence.

A rule gets the call and the target, and returns a Finding where the call breaks it. Its name is the rule's id, its
docstring the sentence that a table of rules shows.
"""

from collections.abc import Callable, Iterable
from typing import Any

from course_lib.model.call.sizes import descriptor_box_bytes, inner_bits, inner_count, span_bytes, step_bytes
from course_lib.model.facts.enums import DataType, Interleave, OobFill, Swizzle
from course_lib.model.facts.limits import (
    BOX_DIM_MAX,
    ELEMENT_STRIDE_MAX,
    HEADER,
    INNER_UNIT_BYTES,
    RANK_MAX,
    STRIDE_LIMIT_BYTES,
    Target,
)
from course_lib.model.rules.verdict import Finding, Rule

DRIVER = "documented: CUDA Driver API 13.5, cuTensorMapEncode*; measured: encode.jsonl"
MEASURED = "measured: encode.jsonl; no document states it"
NEWER = "documented: PTX ISA 9.0, tensormap.replace, and CUDA Driver API 13.5; measured: encode.jsonl"

Find = Callable[[Any, Target], Finding | None]


def rule(field: str, source: str = DRIVER, mend: tuple[str, ...] = ()) -> Callable[[Find], Rule]:
    """Make a Rule of a function; ``mend`` names the arguments that may mend it, its own ``field`` where empty."""

    def make(find: Find) -> Rule:
        return Rule(find.__name__.replace("_", "-"), field, source, find, mend or (field,), find.__doc__ or "")

    return make


def entries(
    values: Iterable[int], fine: Callable[[int], bool], limit: Any, sentence: str, source: str = ""
) -> Finding | None:
    """A Finding with the entries that are not ``fine``."""
    bad = tuple((i, v) for i, v in enumerate(values) if not fine(v))
    return Finding(None, limit, sentence, bad, source) if bad else None


def power(limit: int) -> str:
    """A limit that is a power of two, as a person reads it."""
    return f"2**{limit.bit_length() - 1}"


def known(field: str, enumeration: Any) -> Rule:
    """The argument must be a number of the driver's enumeration."""
    limit = tuple(int(member) for member in enumeration)
    sentence = f"the driver's {enumeration.__name__} has only the numbers {limit[0]} to {limit[-1]}"

    def find(m: Any, t: Target) -> Finding | None:
        value = getattr(m, field)
        return None if value in limit else Finding(value, limit, sentence)

    return Rule(f"{field.replace('_', '-')}-is-known", field, DRIVER, find, (field,), f"T{sentence[1:]}.")


@rule("data_type", NEWER)
def data_type_on_target(m: Any, t: Target) -> Finding | None:
    """The element type exists on the target."""
    if m.data_type in t.data_types or not isinstance(m.data_type, DataType):
        return None
    return Finding(m.data_type, m.data_type.facts.first_target, f"{t.name} has no packed 4- and 6-bit types")


@rule("swizzle", NEWER)
def swizzle_on_target(m: Any, t: Target) -> Finding | None:
    """The swizzle mode exists on the target, and for this call."""
    takes = t.wide_swizzles if m.api == "im2col_wide" else t.swizzles
    if m.swizzle in takes or not isinstance(m.swizzle, Swizzle):
        return None
    names = ", ".join(mode.name for mode in sorted(takes))
    return Finding(m.swizzle, tuple(sorted(takes)), f"on {t.name} this call takes only {names}")


@rule("global_dim", mend=("interleave",))
def rank_is_in_range(m: Any, t: Target) -> Finding | None:
    """The rank is 1 to 5; 3 to 5 with interleave and for im2col."""
    least = 1 if m.api == "tiled" and m.interleave == Interleave.NONE else 3
    if least <= m.rank <= RANK_MAX:
        return None
    return Finding(m.global_dim, (least, RANK_MAX), f"the rank is {m.rank}; this call takes {least} to {RANK_MAX}")


@rule("global_address")
def address_is_in_range(m: Any, t: Target) -> Finding | None:
    """The address is below the target's limit: 2**57 on sm_90."""
    limit, source = t.address_limit
    if 0 <= m.global_address < limit:
        return None
    return Finding(m.global_address, limit, f"the address must be 0 or more and below {power(limit)}", source=source)


@rule("global_address")
def address_is_aligned(m: Any, t: Target) -> Finding | None:
    """The address is a multiple of 16 bytes; 32 with interleave B32 and the 16-byte-aligned packed types."""
    step = step_bytes(m)
    if m.global_address % step == 0:
        return None
    return Finding(m.global_address, step, f"the address must be a multiple of {step} bytes")


@rule("global_dim")
def dimensions_are_in_range(m: Any, t: Target) -> Finding | None:
    """Each dimension is 1 to 2**32 elements (sm_90), by the newest header 1 to 2**31."""
    limit, source = t.dimension_max
    sentence = f"a dimension must be 1 to {power(limit)}"
    return entries(m.global_dim, lambda d: 1 <= d <= limit, (1, limit), sentence, source)


@rule("global_strides")
def strides_are_in_range(m: Any, t: Target) -> Finding | None:
    """Each stride is 0 or more and below 2**40 bytes."""
    sentence = f"a stride must be 0 or more and below {power(STRIDE_LIMIT_BYTES)} bytes"
    return entries(m.global_strides, lambda s: 0 <= s < STRIDE_LIMIT_BYTES, STRIDE_LIMIT_BYTES, sentence)


@rule("global_strides")
def strides_are_aligned(m: Any, t: Target) -> Finding | None:
    """Each stride is a multiple of 16 bytes; 32 with interleave B32 and the 16-byte-aligned packed types."""
    step = step_bytes(m)
    return entries(m.global_strides, lambda s: s % step == 0, step, f"a stride must be a multiple of {step} bytes")


@rule("box_dim")
def box_dim_is_in_range(m: Any, t: Target) -> Finding | None:
    """Each box dimension is 1 to 256 elements."""
    sentence = f"a box dimension must be 1 to {BOX_DIM_MAX} elements"
    return entries(m.box_dim, lambda b: 1 <= b <= BOX_DIM_MAX, (1, BOX_DIM_MAX), sentence)


def inner_finding(m: Any, limit: int, sentence: str) -> Finding:
    """A Finding on the elements of an inner row."""
    count = inner_count(m)
    return Finding(count, limit, sentence, ((0, count or 0),) if m.api == "tiled" else ())


def inner_row_is_whole_units(m: Any, t: Target) -> Finding | None:
    """A row of the box (or the channels of a pixel) is a multiple of 16 bytes; on sm_90 with interleave too."""
    bits, unit = inner_bits(m), INNER_UNIT_BYTES
    if bits is None or bits % (8 * unit) == 0 or (m.interleave and not t.inner_unit_with_interleave):
        return None
    return inner_finding(m, unit, f"a row of the box is {bits / 8:g} bytes; it must be a multiple of {unit} bytes")


def inner_row_fits_swizzle(m: Any, t: Target) -> Finding | None:
    """Without interleave, a row of the box (or the channels of a pixel) fits the span of the swizzle."""
    bits, span = inner_bits(m), span_bytes(m)
    if bits is None or span is None or m.interleave != Interleave.NONE or bits <= 8 * span:
        return None
    return inner_finding(m, span, f"a row of the box is {bits / 8:g} bytes; this swizzle takes at most {span}")


@rule("box_dim", MEASURED)
def box_fits_the_engine(m: Any, t: Target) -> Finding | None:
    """The box, each dimension divided by its element stride and rounded down, is at most 228 KiB."""
    size = descriptor_box_bytes(m)
    if size is None or t.box_bytes_max is None or size <= t.box_bytes_max.value:
        return None
    limit, source = t.box_bytes_max
    sentence = f"the box is {size} bytes, each dimension divided by its element stride; at most {limit} are taken"
    return Finding(m.box_dim, limit, sentence, source=source)


@rule("element_strides")
def element_strides_are_in_range(m: Any, t: Target) -> Finding | None:
    """Each element stride is 1 to 8, entry 0 included."""
    sentence = f"an element stride must be 1 to {ELEMENT_STRIDE_MAX}, entry 0 included"
    return entries(m.element_strides, lambda s: 1 <= s <= ELEMENT_STRIDE_MAX, (1, ELEMENT_STRIDE_MAX), sentence)


@rule("swizzle", HEADER, mend=("swizzle", "interleave"))
def interleave_32b_takes_swizzle_32b(m: Any, t: Target) -> Finding | None:
    """Interleave B32 takes only swizzle B32: by the documents; sm_90 takes every mode."""
    needed = t.interleave_32b_needs_swizzle_32b and m.interleave == Interleave.B32
    if not needed or m.swizzle == Swizzle.B32:
        return None
    return Finding(m.swizzle, Swizzle.B32, "interleave B32 takes only swizzle B32")


@rule("oob_fill")
def nan_fill_needs_a_float(m: Any, t: Target) -> Finding | None:
    """Only a floating-point type can have NaN at the edge."""
    if (
        m.oob_fill != OobFill.NAN_REQUEST_ZERO_FMA
        or not isinstance(m.data_type, DataType)
        or m.data_type.facts.is_float
    ):
        return None
    return Finding(m.oob_fill, OobFill.NONE, f"{m.data_type.name} is no floating-point type, so the edge cannot be NaN")
