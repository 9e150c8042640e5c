"""What a rule looks at, as numbers: so that recorded calls can show on which side of its threshold they lie."""

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import NamedTuple

from course_lib.model.call.sizes import descriptor_box_bytes, inner_bits, span_bytes, step_bytes
from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.enums import Interleave
from course_lib.model.facts.limits import BOX_DIM_MAX, CORNER_BITS, INNER_UNIT_BYTES, PIXELS_MAX

Numbers = Iterator[tuple[str, int]]  # (in which case, the number)
GAP_MAX = 2**16  # a wider gap is open


class Quantity(NamedTuple):
    """What a rule looks at, and which numbers a call that breaks no other rule can have there."""

    words: str
    numbers: Callable[..., Numbers]
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


def is_unknown_to(enumeration: type[IntEnum]) -> Callable[[int], bool]:
    """Numbers that the enumeration lacks; another rule may refuse those that it has."""
    return lambda n: n not in tuple(enumeration)


def entries_of(name: str) -> Callable[[Call], Numbers]:
    """Every entry of an argument, or the argument itself."""

    def numbers(m: Call) -> Numbers:
        value = getattr(m, name)
        yield from (("", int(v)) for v in (value if isinstance(value, tuple) else (value,)))

    return numbers


def of_argument(name: str, possible: Callable[[int], bool] = lambda n: True) -> Quantity:
    """An argument's own numbers."""
    return Quantity(name, entries_of(name), possible)


def of_corner(name: str) -> Quantity:
    """Every corner, by rank: its bits shrink as the rank grows."""
    numbers = entries_of(name)
    return Quantity(name, lambda m: ((f"rank {m.rank}", n) for _, n in numbers(m) if m.rank in CORNER_BITS))


def of_alignment(name: str, words: str) -> Quantity:
    """The largest power of two that divides each entry which is not 0, by what is demanded."""
    numbers = entries_of(name)
    divisors = lambda m: ((f"{step_bytes(m)} demanded", n & -n) for _, n in numbers(m) if n)  # noqa: E731
    return Quantity(f"power of two that divides {words}", divisors, is_power_of_two)


def ranks(m: Call) -> Numbers:
    """The rank, by call and interleave."""
    yield f"{m.api}{', interleaved' if m.interleave != Interleave.NONE else ''}", m.rank


def row_alignment(m: Call) -> Numbers:
    """The largest power of two that divides the bytes of an inner row."""
    bits = inner_bits(m)
    if bits and bits % 8 == 0:
        yield "", bits // 8 & -(bits // 8)


def row_bytes(m: Call) -> Numbers:
    """The bytes of an inner row, by swizzle; a row without interleave alone is held against the span."""
    bits, span = inner_bits(m), span_bytes(m)
    if bits is not None and span and m.interleave == Interleave.NONE:
        yield f"swizzle {span}B", bits // 8


def box_bytes(m: Call) -> Numbers:
    """The bytes of the box, or of a column, as the descriptor counts them."""
    size = descriptor_box_bytes(m)
    if size is not None:
        yield "", size
