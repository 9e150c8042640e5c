"""Swizzle: a map of shared-memory addresses onto themselves.

    byte address   … 9 8 7 6 5 4 3 2 1 0
    B32                  y     x              bit 4    ^= bit 7
    B64                y y   x x              bits 5,4 ^= bits 8,7
    B128             y y y x x x              bits 6-4 ^= bits 9-7
    B128_ATOM_32B      y y x x                bits 6,5 ^= bits 8,7
    B128_ATOM_64B        y x                  bit 6    ^= bit 7

The bits y stay, so doing it twice undoes it; bits 3 to 0 stay, so a 16-byte unit stays whole.
Source: NONE to B128 measured (load_offset.jsonl); the others PTX ISA 9.1 section 5.5.7, not measured.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from course_lib.model.facts.enums import Swizzle
from course_lib.model.facts.faults import NotMeasured

Address = TypeVar("Address", int, NDArray[np.int64])


class Pattern(NamedTuple):
    """XOR the address bits ``mask``, shifted right by ``shift``, into the address."""

    mask: int
    shift: int

    def __call__(self, address: Address) -> Address:
        """The address at which the byte meant for ``address`` lies, and the other way round."""
        return address ^ ((address & self.mask) >> self.shift)

    @property
    def repeat_bytes(self) -> int:
        """The pattern starts anew at multiples of this."""
        return 1 << self.mask.bit_length() if self.mask else 16


PATTERNS = {
    Swizzle.NONE: Pattern(0, 0),
    Swizzle.B32: Pattern(0x080, 3),
    Swizzle.B64: Pattern(0x180, 3),
    Swizzle.B128: Pattern(0x380, 3),
    Swizzle.B128_ATOM_32B: Pattern(0x180, 2),
    Swizzle.B128_ATOM_64B: Pattern(0x080, 1),
}


def pattern_of(swizzle: int) -> Pattern:
    """The pattern of a mode. NotMeasured for the 8-byte flip: no document says which lines swap their halves."""
    if swizzle not in PATTERNS:
        raise NotMeasured(f"swizzle={swizzle!r}: no document says which 128-byte lines swap their 8-byte halves")
    return PATTERNS[Swizzle(swizzle)]
