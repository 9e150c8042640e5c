"""What each rule of an encode call looks at, as numbers: so that rows can show on which side of a threshold they lie."""

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any, NamedTuple

from course_lib.model.call.sizes import descriptor_box_bytes, inner_bits, span_bytes, step_bytes
from course_lib.model.facts.enums import DataType, Interleave, OobFill, Swizzle
from course_lib.model.facts.limits import BOX_DIM_MAX, CORNER_BITS, HOPPER, INNER_UNIT_BYTES, PIXELS_MAX
from course_lib.model.rules.im2col import box_extents

Numbers = Iterator[tuple[str, int]]  # (in which case, the number)
GAP_MAX = 2**16  # a wider gap is open


class Quantity(NamedTuple):
    """What a rule looks at, and which numbers a call that breaks no other rule can have there."""

    words: str
    numbers: Callable[[Any], Numbers]
    possible: Callable[[int], bool] = lambda n: True

    def leaves_open(self, low: int, high: int) -> bool:
        """Could a number lie between these two?"""
        return high - low > GAP_MAX or any(map(self.possible, range(low + 1, high)))


def is_whole_units(n: int) -> bool:
    """Is it a multiple of 16?"""
    return n % INNER_UNIT_BYTES == 0


def is_power_of_two(n: int) -> bool:
    """Is it a power of two?"""
    return n > 0 and n & (n - 1) == 0


def is_box(n: int) -> bool:
    """Does a box of any rank have this many bytes? Five entries of 1 to 256, the first in whole units."""
    return is_whole_units(n) and n > 0 and max(prime_factors(n // INNER_UNIT_BYTES), default=1) <= BOX_DIM_MAX


def is_column(n: int) -> bool:
    """Do whole units of at most 256 bytes times at most 1024 pixels have this many bytes?"""
    widths = range(INNER_UNIT_BYTES, BOX_DIM_MAX + 1, INNER_UNIT_BYTES)
    return n > 0 and any(n % width == 0 and n // width <= PIXELS_MAX for width in widths)


def prime_factors(n: int) -> list[int]:
    """The prime factors of ``n``, in ascending order."""
    found, factor = [], 2
    while factor * factor <= n:
        while n % factor == 0:
            n //= factor
            found.append(factor)
        factor += 1
    return found + [n] * (n > 1)


def entries(name: str) -> Callable[[Any], Numbers]:
    """Every entry of an argument, or the argument itself."""

    def numbers(m: Any) -> Numbers:
        value = getattr(m, name, ())
        yield from (("", int(v)) for v in (value if isinstance(value, tuple) else (value,)))

    return numbers


def corner(name: str) -> Callable[[Any], Numbers]:
    """Every corner, by rank: its bits shrink as the rank grows."""
    return lambda m: ((f"rank {m.rank}", n) for _, n in entries(name)(m) if m.rank in CORNER_BITS)


def alignment(name: str) -> Callable[[Any], Numbers]:
    """The largest power of two that divides each entry which is not 0, by what is demanded."""
    return lambda m: ((f"{step_bytes(m)} demanded", n & -n) for _, n in entries(name)(m) if n)


def ranks(m: Any) -> Numbers:
    """The rank, by call and interleave."""
    yield f"{m.api}{', interleaved' if m.interleave != Interleave.NONE else ''}", m.rank


def row_alignment(m: Any) -> Numbers:
    """The largest power of two that divides the bytes of an inner row."""
    bits = inner_bits(m)
    if bits and bits % 8 == 0:
        yield "", bits // 8 & -(bits // 8)


def row_bytes(m: Any) -> Numbers:
    """The bytes of an inner row, by swizzle; a row without interleave alone is held against the span."""
    bits, span = inner_bits(m), span_bytes(m)
    if bits is not None and span and m.interleave == Interleave.NONE:
        yield f"swizzle {span}B", bits // 8


def box_bytes(m: Any) -> Numbers:
    """The bytes of the box, or of a column, as the descriptor counts them."""
    size = descriptor_box_bytes(m)
    if size is not None:
        yield "", size


def extents(m: Any) -> Numbers:
    """Positions of the pixel box along each spatial dimension."""
    yield from (("", extent) for extent in box_extents(m, HOPPER.pixel_box_bits))


def filled_types(m: Any) -> Numbers:
    """The type of a call that asks for NaN at the edge."""
    if m.oob_fill == OobFill.NAN_REQUEST_ZERO_FMA and isinstance(m.data_type, DataType):
        yield "", int(m.data_type)


def of_argument(name: str, possible: Callable[[int], bool] = lambda n: True) -> Quantity:
    """An argument's own numbers."""
    return Quantity(name, entries(name), possible)


def unknown_to(enumeration: type[IntEnum]) -> Callable[[int], bool]:
    """Numbers that the enumeration lacks; another rule may refuse those that it has."""
    return lambda n: n not in tuple(enumeration)


QUANTITIES: dict[str, Quantity] = {
    "data-type-is-known": of_argument("data_type", unknown_to(DataType)),
    "data-type-on-target": of_argument("data_type"),
    "address-is-in-range": of_argument("global_address", is_whole_units),
    "dimensions-are-in-range": of_argument("global_dim"),
    "strides-are-in-range": of_argument("global_strides", is_whole_units),
    "box-dim-is-in-range": of_argument("box_dim"),
    "channels-are-in-range": of_argument("channels_per_pixel", lambda n: n % 2 == 0),
    "pixels-are-in-range": of_argument("pixels_per_column"),
    "element-strides-are-in-range": of_argument("element_strides"),
    "interleave-is-known": of_argument("interleave"),
    "swizzle-is-known": of_argument("swizzle", unknown_to(Swizzle)),
    "swizzle-on-target": of_argument("swizzle"),
    "l2-promotion-is-known": of_argument("l2_promotion"),
    "oob-fill-is-known": of_argument("oob_fill"),
    "wide-mode-is-known": of_argument("wide_mode"),
    **{
        f"{name.replace('_', '-')}-is-in-range": Quantity(name, corner(name))
        for side in ("lower", "upper")
        for name in (f"pixel_box_{side}_corner", f"pixel_box_{side}_corner_width")
    },
    "rank-is-in-range": Quantity("rank", ranks),
    "address-is-aligned": Quantity(
        "power of two that divides global_address", alignment("global_address"), is_power_of_two
    ),
    "strides-are-aligned": Quantity("power of two that divides a stride", alignment("global_strides"), is_power_of_two),
    "inner-row-is-whole-units": Quantity(
        "power of two that divides the bytes of a row", row_alignment, is_power_of_two
    ),
    "inner-row-fits-swizzle": Quantity("bytes of a row", row_bytes, is_whole_units),
    "box-fits-the-engine": Quantity("bytes of the box", box_bytes, is_box),
    "column-fits-the-engine": Quantity("bytes of a column", box_bytes, is_column),
    "pixel-box-is-not-empty": Quantity("positions of the pixel box along a dimension", extents),
    "nan-fill-needs-a-float": Quantity("data_type where NaN fill is asked", filled_types),
}
