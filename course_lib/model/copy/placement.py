"""Where global memory lies. Addresses are numbers modulo 2**64; a given memory holds those from its base on.

    address  0 … base … base + size … 2**64 = 0 …     the byte at a is memory[(a - base) % 2**64], else 700

Units are counted from the 16-byte boundary at or below the base, negative ones below it.
Source: load_wrap.jsonl, store_wrap.jsonl (NVIDIA H200): offsets that sum to 2**64 and more land where the rest says.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.arguments import Memory, as_integer, must_be_in
from course_lib.model.copy.layout import Units
from course_lib.model.copy.plan import ADDRESS_UNITS, Plan
from course_lib.model.facts.limits import INNER_UNIT_BYTES

HALF = ADDRESS_UNITS // 2


class Placement(NamedTuple):
    """Memory of ``size_bytes`` whose first byte has the address ``base``."""

    base: int
    size_bytes: int

    @property
    def lead_bytes(self) -> int:
        """Bytes between the 16-byte boundary at or below the base and the base."""
        return self.base % INNER_UNIT_BYTES

    def first_unit(self, copy: Plan) -> int:
        """Where the plan's base lies, counted from the boundary."""
        return (copy.base_unit - self.base // INNER_UNIT_BYTES + HALF) % ADDRESS_UNITS - HALF

    def source_units(self, copy: Plan) -> Units:
        """Where each unit of a plan lies, counted from the boundary."""
        first = self.first_unit(copy)
        if copy.inside is None and first + int(copy.offset_units[-1, -1]) < HALF:
            return copy.offset_units + first
        return (copy.offset_units + (first + HALF) & ADDRESS_UNITS - 1) - HALF

    def index_bytes(self, address: int) -> int:
        """Where a byte lies in the memory; negative or past the end where it is not there."""
        return (address - self.base + 2**63) % 2**64 - 2**63

    def touched_bytes(self, copy: Plan, whole_units: bool) -> tuple[int, int]:
        """The first byte of memory that the copy touches, and one past the last; (0, 0) for none."""
        if copy.inside is None:
            first, last = (self.first_unit(copy) + int(copy.offset_units[at, at]) for at in (0, -1))
            if last >= HALF:  # the box goes around the end of all addresses
                units = self.source_units(copy)
                first, last = int(units.min()), int(units.max())
            return first * INNER_UNIT_BYTES - self.lead_bytes, (last + 1) * INNER_UNIT_BYTES - self.lead_bytes
        touched = copy.inside > 0
        if not touched.any():
            return 0, 0
        begins = self.source_units(copy)[touched] * INNER_UNIT_BYTES - self.lead_bytes
        sizes = INNER_UNIT_BYTES if whole_units else copy.inside[touched]
        return int(begins.min()), int((begins + sizes).max())

    def from_boundary(self, memory: Memory) -> Memory:
        """The memory from the boundary on: itself, or a copy with ``lead_bytes`` zeros before it."""
        lead = self.base % INNER_UNIT_BYTES
        return np.concatenate([np.zeros(lead, np.uint8), memory]) if lead else memory


def place_memory(memory: Memory, global_base: Any) -> Placement:
    """The placement of a memory. TypeError for a base that is no integer, ValueError for one outside 0 to 2**64 - 1."""
    if type(global_base) is not int or not 0 <= global_base < 2**64:
        must_be_in("global_base", as_integer("global_base", global_base), 0, 2**64 - 1)
    return Placement(int(global_base), memory.size)


def units_of(memory: Memory) -> NDArray[np.complex128]:
    """``memory`` as 16-byte units, one number each; a shorter tail is left out.

    complex128 is NumPy's only 16-byte type that every platform copies whole. No arithmetic is done on it.
    """
    return memory[: memory.size // INNER_UNIT_BYTES * INNER_UNIT_BYTES].view(np.complex128)
