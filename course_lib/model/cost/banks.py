"""Shared memory's 32 banks: which lanes of a warp's access can't be served together, and how often that costs a turn.

    byte address   … 9 8 7 │ 6 5 4 3 2 │ 1 0
                      line │   bank    │ byte of the word

One bank gives one 4-byte word a turn, to every lane that asks for that word. A warp's access goes in phases of as many
lanes as 128 bytes serve: 32 for 4 bytes each, 16 for 8, 8 for 16; of twice as many where lanes share addresses in pairs,
all with lane ^ 1 or all with lane ^ 2. ldmatrix takes one matrix of eight 16-byte rows a phase.
Source: bank_cycles.jsonl (NVIDIA H200); CUDA C++ Programming Guide, shared memory.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import ceil_div
from course_lib.model.facts.limits import BANK_BYTES, BANKS, WARP_LANES
from course_lib.model.facts.swizzle import pattern_of

Addresses = NDArray[np.int64]
TURN_BYTES = BANKS * BANK_BYTES  # what all banks together give
ACCESS_BYTES = (4, 8, 16)


class Phase(NamedTuple):
    """The lanes that are served together."""

    lanes: tuple[int, ...]
    words: Addresses  # (lanes, words of a lane): which 4-byte words they ask for

    @property
    def distinct(self) -> Addresses:
        """Each word that is asked for, once: the lanes that share it are served by one broadcast."""
        return np.unique(self.words)

    @property
    def words_by_bank(self) -> tuple[int, ...]:
        """How many different words each of the 32 banks must give."""
        return tuple(np.bincount(self.distinct % BANKS, minlength=BANKS).tolist())

    @property
    def degree(self) -> int:
        """The turns that the busiest bank needs: 1 is free of conflicts."""
        return max(self.words_by_bank)


class Access(NamedTuple):
    """One access of a warp, phase by phase."""

    phases: tuple[Phase, ...]

    @property
    def degree(self) -> int:
        """The worst phase's degree: an "n-way conflict"."""
        return max(phase.degree for phase in self.phases)

    @property
    def turns(self) -> int:
        """How often the banks must be asked: the sum over the phases, and the cycles that the access takes."""
        return sum(phase.degree for phase in self.phases)

    @property
    def extra_turns(self) -> int:
        """Turns that conflicts cost."""
        return self.turns - len(self.phases)


def bank_of(address: Any) -> Any:
    """The bank, 0 to 31, of a byte address (or an array of them)."""
    return address // BANK_BYTES % BANKS


def access(addresses: Sequence[int] | Addresses, access_bytes: int) -> Access:
    """A warp's load or store of ``access_bytes`` (4, 8 or 16) a lane at 1 to 32 byte ``addresses``, lane 0 first.

    ValueError for another size, for more lanes, and for an address that is no multiple of the size (hardware: 716).
    """
    where = as_addresses(addresses, access_bytes)
    return serve(where, access_bytes, TURN_BYTES // access_bytes * (2 if in_pairs(where) else 1))


def serve(where: Addresses, access_bytes: int, together: int) -> Access:
    """The access in phases of ``together`` lanes."""
    words = where[:, None] // BANK_BYTES + np.arange(access_bytes // BANK_BYTES)
    starts = range(0, where.size, together)
    return Access(tuple(Phase(tuple(range(where.size))[i : i + together], words[i : i + together]) for i in starts))


def in_pairs(where: Addresses) -> bool:
    """Does every lane share its address with lane ^ 1, or every lane with lane ^ 2? Only for a whole warp."""
    lanes = np.arange(where.size)
    return where.size == WARP_LANES and any((where == where[lanes ^ other]).all() for other in (1, 2))


def ldmatrix(addresses: Sequence[int] | Addresses) -> Access:
    """ldmatrix of one, two or four 8 × 8 matrices of 16-bit elements: 8, 16 or 32 row ``addresses``, 16 bytes each.

    ValueError for another number of rows and for a row off 16 bytes.
    """
    if len(addresses) not in (8, 16, 32):
        raise ValueError(f"addresses has {len(addresses)} entries; ldmatrix takes 8, 16 or 32 rows")
    return serve(as_addresses(addresses, 16), 16, TURN_BYTES // 16)


def as_addresses(addresses: Sequence[int] | Addresses, access_bytes: int) -> Addresses:
    """The addresses as an array; ValueError where a warp can't make such an access."""
    if access_bytes not in ACCESS_BYTES:
        raise ValueError(f"access_bytes = {access_bytes}: a lane reads 4, 8 or 16 bytes")
    where = np.asarray(addresses, np.int64)
    if where.ndim != 1 or not 1 <= where.size <= WARP_LANES:
        raise ValueError(f"addresses has shape {where.shape}; a warp has 1 to {WARP_LANES} lanes")
    if (where < 0).any() or (where % access_bytes).any():
        raise ValueError(f"addresses must be multiples of {access_bytes}, 0 or more")
    return where


def column(pitch_bytes: int, offset_bytes: int = 0, rows: int = WARP_LANES, swizzle: int = 0) -> Addresses:
    """The addresses of one column of a tile: lane i in row i, rows ``pitch_bytes`` apart, the tile on 1024 bytes.

    ``swizzle`` is a Swizzle: where TMA put what belongs there. Raises NotMeasured as ``pattern_of``.
    """
    return pattern_of(swizzle)(np.arange(rows, dtype=np.int64) * pitch_bytes + offset_bytes)


def padded_pitch_bytes(row_bytes: int, access_bytes: int) -> int:
    """The smallest row pitch of at least ``row_bytes`` at which a column of ``access_bytes`` is free of conflicts.

    An odd multiple of the access: a pitch that a TMA box can't have unless it is a multiple of 16.
    """
    return (ceil_div(row_bytes, access_bytes) | 1) * access_bytes
