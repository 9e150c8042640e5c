"""What a copy costs beyond its own bytes: L2 sectors, DRAM bytes, and whether rows or bytes set its time.

    256-byte block        │ line 0                        │ line 1                        │
    sectors of 32 bytes   │   0   │   1   │   2   │   3   │   4   │   5   │   6   │   7   │
    a row of 16 bytes     │██     │
    NONE, 64B read        │███████████████│                  64 bytes: what DRAM gives at least
    128B reads            │███████████████████████████████│  the line
    256B reads            │███████████████████████████████│▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒│  and line 1, as a hint

One rule. A row asks L2 for each sector that it touches; DRAM reads the 64-byte atoms or 128-byte lines around them, each
once. With 256B a row that touches sector 0 of a block also asks for line 1, and 15 of 16 such lines are read. L2 counts
the sectors asked for, half of those read for them, and half of a line for each such hint: half, because every second
address belongs to the other L2 partition.
Source: l2_promotion.csv, l2_offsets.csv (NVIDIA H200). Measured for cold rows of their own block; dense rows that share
blocks are our arithmetic.
"""

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.tensor_map import Call
from course_lib.model.copy.plan import Plan
from course_lib.model.copy.transfer import plan_load
from course_lib.model.facts.enums import L2Promotion
from course_lib.model.facts.limits import (
    DRAM_ATOM_BYTES,
    DRAM_BYTES_PER_NS,
    INNER_UNIT_BYTES,
    L2_LINE_BYTES,
    LAUNCH_NS,
    ROWS_PER_NS,
    SECTOR_BYTES,
)

Sectors = NDArray[np.int64]
BLOCK_BYTES = 2 * L2_LINE_BYTES
HINTED_LINE_BYTES = L2_LINE_BYTES * 15 // 16  # of line 1, on average: fitted to l2_promotion.csv
READ_AROUND_BYTES = {
    L2Promotion.NONE: DRAM_ATOM_BYTES,
    L2Promotion.L2_64B: DRAM_ATOM_BYTES,
    L2Promotion.L2_128B: L2_LINE_BYTES,
    L2Promotion.L2_256B: L2_LINE_BYTES,
}


class Traffic(NamedTuple):
    """What one copy, or many like it, moves when nothing of it was in L2 before."""

    rows: int  # runs of bytes that lie together
    useful_bytes: int
    requested_sectors: int  # of 32 bytes, row by row
    demanded_bytes: int  # that DRAM reads around them
    hints: int  # asked for by promotion 256B: line 1 of a block
    hinted_lines: int  # those of them that nothing else reads

    @property
    def dram_bytes(self) -> int:
        """What DRAM reads."""
        return self.demanded_bytes + self.hinted_lines * HINTED_LINE_BYTES

    @property
    def l2_sectors(self) -> float:
        """What the counter of L2 sectors shows."""
        half_lines = self.hints * L2_LINE_BYTES / SECTOR_BYTES / 2
        return self.requested_sectors + self.demanded_bytes / SECTOR_BYTES / 2 + half_lines

    @property
    def efficiency(self) -> float:
        """Useful bytes for each byte that DRAM read."""
        return self.useful_bytes / self.dram_bytes if self.dram_bytes else 1.0

    @property
    def row_time_ns(self) -> float:
        """How long the whole GPU needs for so many rows, however narrow."""
        return self.rows / ROWS_PER_NS

    @property
    def byte_time_ns(self) -> float:
        """How long DRAM needs for so many bytes."""
        return self.dram_bytes / DRAM_BYTES_PER_NS

    @property
    def limit(self) -> str:
        """What sets the time when the whole GPU copies: "rows" or "bytes"."""
        return "rows" if self.row_time_ns > self.byte_time_ns else "bytes"

    @property
    def time_ns(self) -> float:
        """A kernel that does only this on every SM: within 6 % of l2_promotion.csv, no promise beyond it."""
        return LAUNCH_NS + max(self.row_time_ns, self.byte_time_ns)


def rows_traffic(rows: int, row_bytes: int, row_pitch_bytes: int, l2_promotion: int = 0, address: int = 0) -> Traffic:
    """The traffic of ``rows`` rows of ``row_bytes``, ``row_pitch_bytes`` apart (no less than a row), from ``address``.

    ValueError where rows overlap or a number is not positive. Any number of rows costs the same: the pattern repeats.
    """
    if rows < 1 or not 1 <= row_bytes <= row_pitch_bytes or address < 0:
        raise ValueError(f"rows = {rows}, row_bytes = {row_bytes}, row_pitch_bytes = {row_pitch_bytes}: rows overlap")
    period = BLOCK_BYTES // gcd(row_pitch_bytes, BLOCK_BYTES)
    repeats = max(rows // period - 1, 0)
    few = count_sectors(rows - repeats * period, row_bytes, row_pitch_bytes, l2_promotion, address)
    if not repeats:
        return few
    more = count_sectors(few.rows + period, row_bytes, row_pitch_bytes, l2_promotion, address)
    return Traffic(*(a + repeats * (b - a) for a, b in zip(few, more, strict=True)))


def count_sectors(rows: int, row_bytes: int, row_pitch_bytes: int, l2_promotion: int, address: int) -> Traffic:
    """The traffic of few rows, sector by sector."""
    return starts_traffic(address + np.arange(rows, dtype=np.int64) * row_pitch_bytes, row_bytes, l2_promotion)


def starts_traffic(starts: Sequence[int] | Sectors, row_bytes: int, l2_promotion: int = 0) -> Traffic:
    """The traffic of rows of ``row_bytes`` that begin at the byte addresses ``starts``, wherever these are.

    Rows may share sectors and may overlap: each asks for itself. ValueError for a row of no bytes or a start below 0.
    """
    begins = np.asarray(starts, dtype=np.int64).reshape(-1, 1)
    if row_bytes < 1 or not begins.size or begins.min() < 0:
        raise ValueError(f"row_bytes = {row_bytes}, {begins.size} rows: there must be rows of bytes, from 0 on")
    first, last = begins // SECTOR_BYTES, (begins + row_bytes - 1) // SECTOR_BYTES
    sectors = first + np.arange(int((last - first).max()) + 1)
    return sector_traffic(sectors[sectors <= last], l2_promotion, begins.size, begins.size * row_bytes)


def sector_traffic(sectors: Sectors, l2_promotion: int, rows: int, useful_bytes: int) -> Traffic:
    """The rule. ``sectors`` are those that the rows touch; one that several rows touch comes several times."""
    around = READ_AROUND_BYTES[L2Promotion(l2_promotion)]
    demanded = np.unique(sectors * SECTOR_BYTES // around)
    first = sectors[sectors * SECTOR_BYTES % BLOCK_BYTES == 0] if l2_promotion == L2Promotion.L2_256B else sectors[:0]
    hinted = np.unique(first * SECTOR_BYTES // L2_LINE_BYTES + 1)
    unread = np.setdiff1d(hinted, demanded) if first.size else hinted
    return Traffic(rows, useful_bytes, sectors.size, demanded.size * around, first.size, unread.size)


def copy_traffic(tensor_map: Call, coordinates: Sequence[int], im2col_offsets: Sequence[int] = ()) -> Traffic:
    """The traffic of one load at ``coordinates``: only what lies inside the tensor is asked for.

    Raises as ``course_lib.load`` where sm_90 has no such copy.
    """
    return plan_traffic(plan_load(tensor_map, coordinates, 0, im2col_offsets, "sm_90"), tensor_map.l2_promotion)


def plan_traffic(copy: Plan, l2_promotion: int) -> Traffic:
    """The traffic of a plan; every row of the box asks for itself."""
    units = copy.source_units
    inside = np.full(units.shape, INNER_UNIT_BYTES) if copy.inside is None else copy.inside
    row = np.broadcast_to(np.arange(units.shape[0])[:, None], units.shape)
    asked = np.stack([row, units * INNER_UNIT_BYTES // SECTOR_BYTES])[:, inside > 0]
    sectors = np.unique(asked, axis=1)[1]
    return sector_traffic(sectors, l2_promotion, int((inside > 0).any(axis=1).sum()), int(inside.sum()))
