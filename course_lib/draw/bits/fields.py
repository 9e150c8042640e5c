"""The 128 bytes as sixteen named fields: which bits belong to each, what it counts, and what it says in words."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from course_lib.model.call.encoding import fields_of
from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.facts.bits import Field
from course_lib.model.facts.limits import DESCRIPTOR_BYTES

DESCRIPTOR_BITS = 8 * DESCRIPTOR_BYTES


class Group(NamedTuple):
    """One of the sixteen. ``pattern`` finds its bit fields, ``unit`` is what their number counts."""

    letter: str
    name: str
    pattern: str
    unit: str
    stored: str


GROUPS = (
    Group("A", "address", "global_address", "bytes", "as it is"),
    Group("B", "kind", "is_im2col", "code", "0 for tiled, 1 for im2col"),
    Group("C", "rank", "rank_minus_1", "code", "less one"),
    Group("D", "element type", "element_type", "code", "the number that tensormap.replace uses"),
    Group("E", "interleave", "interleave", "code", "the driver's number"),
    Group("F", "swizzle", "swizzle", "code", "the driver's number"),
    Group("G", "fill", "oob_fill", "code", "the driver's number"),
    Group("H", "TF32", "is_tf32", "code", "1 for TFLOAT32, with or without FTZ"),
    Group("I", "L2 promotion", "l2_promotion", "code", "the driver's number"),
    Group("J", "strides", r"stride_\d_\w+", "16-byte units", "in 16-byte units, top 4 bits apart"),
    Group("K", "dimensions", r"dim_\d_minus_1", "elements", "each less one"),
    Group("L", "element strides", r"element_stride_\d_minus_1", "elements", "each less one"),
    Group("M", "box", r"box_\d_minus_1|channels\w+|\w+_corner_\d|pixels\w+", "elements", "sizes less one"),
    Group("N", "box bytes", "box_bytes", "bytes", "worked out by the driver"),
    Group("O", "swizzle repeat", "swizzle_repeat", "bytes", "worked out by the driver"),
    Group("P", "zeros", "", "", "no call sets these bits"),
)
NAMES = tuple(group.name for group in GROUPS)


def product_words(values: Any) -> str:
    """Sizes as a product."""
    return " × ".join(map(str, values))


def join_numbers(values: Any) -> str:
    """Numbers in a row, or a word where there are none."""
    return ", ".join(map(str, values)) or "none"


def enumerator_name(value: Any) -> str:
    """An enumeration's name."""
    return str(getattr(value, "name", value))


def box_words(m: Call) -> str:
    """The box of any call."""
    if isinstance(m, TiledTensorMap):
        return product_words(m.box_dim)
    lower, upper = (f"({', '.join(map(str, corner))})" for corner in m.pixel_box)
    return f"{m.channels_per_pixel} ch × {m.pixels_per_column} px, {lower} to {upper}"


SAYS: dict[str, Callable[[Any], str]] = {
    "address": lambda m: hex(m.global_address),
    "kind": lambda m: "tiled" if isinstance(m, TiledTensorMap) else "im2col",
    "rank": lambda m: str(m.rank),
    "element type": lambda m: enumerator_name(m.data_type),
    "interleave": lambda m: enumerator_name(m.interleave),
    "swizzle": lambda m: enumerator_name(m.swizzle),
    "fill": lambda m: enumerator_name(m.oob_fill),
    "L2 promotion": lambda m: enumerator_name(m.l2_promotion),
    "strides": lambda m: join_numbers(m.global_strides),
    "dimensions": lambda m: product_words(m.global_dim),
    "element strides": lambda m: join_numbers(m.element_strides),
    "box": box_words,
}


SAID_IN = {"strides": "bytes", "address": "", "element strides": ""}
"""The unit that the words name, where it is not the stored one or needs no name."""


def words_for(group: Group, m: Call, number: int) -> str:
    """What a field says, in the words of the call and with its unit; its number where no argument gives it."""
    if group.name in SAYS:
        unit = SAID_IN.get(group.name, group.unit)
        return SAYS[group.name](m) + f" {unit}" * (unit not in ("", "code"))
    fields = bit_fields(group, m)
    if group.name == "zeros":
        return f"{sum(f.width for f in fields)} bits"
    return f"{fields[0].read(number)} {group.unit}".removesuffix(" code")


def bit_fields(group: Group, m: Call) -> tuple[Field, ...]:
    """The bit fields of one group in the bytes of this call, lowest bit first."""
    return _partition(fields_of(m))[group.letter]


@lru_cache(8)
def _partition(table: tuple[Field, ...]) -> dict[str, tuple[Field, ...]]:
    found = {
        group.letter: tuple(sorted((f for f in table if re.fullmatch(group.pattern, f.name)), key=lambda f: f.lsb))
        for group in GROUPS
    }
    return found | {GROUPS[-1].letter: tuple(free_runs(table))}


def free_runs(table: tuple[Field, ...]) -> Iterator[Field]:
    """The runs of bits that no field of a table takes."""
    at = 0
    for field in [*sorted(table, key=lambda f: f.lsb), Field("", DESCRIPTOR_BITS, 0)]:
        if field.lsb > at:
            yield Field("zeros", at, field.lsb - at)
        at = field.lsb + field.width


def moved_bits(group: Group, m: Call, moved: int) -> int:
    """How many bits of ``moved``, a mask, belong to a group."""
    return sum((moved & field.mask).bit_count() for field in bit_fields(group, m))
