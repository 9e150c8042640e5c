"""A bit field is a value: one table drives encode, decode and the drawing."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Field(NamedTuple):
    """``width`` bits of a little-endian number, the lowest at bit ``lsb``."""

    name: str
    lsb: int
    width: int

    @property
    def mask(self) -> int:
        """The field's bits set, in place."""
        return ((1 << self.width) - 1) << self.lsb

    def read(self, number: int) -> int:
        """The field's unsigned value in ``number``."""
        return (number & self.mask) >> self.lsb

    def place(self, value: int) -> int:
        """``value`` shifted into place; a negative one in two's complement."""
        return (value << self.lsb) & self.mask

    def read_signed(self, number: int) -> int:
        """The field's value in ``number`` as a two's complement integer."""
        value = self.read(number)
        return value - (1 << self.width) if value >> (self.width - 1) else value


def pack(fields: Iterable[Field], values: Mapping[str, int]) -> int:
    """The number that holds each field's value; a field without a value is 0."""
    number = 0
    for field in fields:
        number |= field.place(values.get(field.name, 0))
    return number


def overlaps(fields: Iterable[Field]) -> list[tuple[str, str]]:
    """Pairs of fields that share a bit."""
    table = list(fields)
    return [(a.name, b.name) for i, a in enumerate(table) for b in table[i + 1 :] if a.mask & b.mask]
