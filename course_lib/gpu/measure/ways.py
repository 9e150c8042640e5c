"""The ways to read a memory, as data: tiles by TMA, pieces by threads. What they keep in flight, and whether they fit."""

from typing import NamedTuple

SHARED_BYTES_MAX = 220 * 1024  # of an SM; the rest is for the barriers
STAGES_MAX = 256


class MemoryRows(NamedTuple):
    """The memory to read: rows of ``row_bytes``, ``pitch_bytes`` apart."""

    row_bytes: int
    pitch_bytes: int
    rows: int

    @property
    def useful_bytes(self) -> int:
        """What is read."""
        return self.row_bytes * self.rows


class TileWay(NamedTuple):
    """How TMA reads: the tile, the stages of the ring, the warps that read it. ``linear``: bulk copies without a map."""

    box_row_bytes: int
    box_rows: int
    stages: int
    warps: int
    swizzle: int = 0
    l2_promotion: int = 0
    blocks_per_sm: int = 1
    fence: int = 1
    linear: int = 0

    @property
    def tile_bytes(self) -> int:
        """Bytes of a tile."""
        return self.box_row_bytes * self.box_rows

    @property
    def stage_bytes(self) -> int:
        """A stage: the tile on a multiple of 128 (1024 with swizzle)."""
        unit = 1024 if self.swizzle else 128
        return -(-self.tile_bytes // unit) * unit

    @property
    def shared_bytes(self) -> int:
        """What the ring takes."""
        return self.stage_bytes * self.stages

    @property
    def in_flight_bytes(self) -> int:
        """What an SM has asked for at most and not yet got."""
        return self.tile_bytes * self.stages * self.blocks_per_sm

    @property
    def fits(self) -> bool:
        """Does an SM's shared memory hold it?"""
        return self.shared_bytes * self.blocks_per_sm <= SHARED_BYTES_MAX and self.stages <= STAGES_MAX


class ThreadWay(NamedTuple):
    """How threads read: pieces of ``piece_bytes``, ``unroll`` of them a thread in ``stages`` groups (0: into registers)."""

    warps: int
    unroll: int
    stages: int = 0
    piece_bytes: int = 16
    blocks_per_sm: int = 1

    @property
    def in_flight_bytes(self) -> int:
        """What an SM has asked for at most and not yet got."""
        return self.warps * self.blocks_per_sm * 32 * self.piece_bytes * self.unroll * max(self.stages, 1)

    @property
    def shared_bytes(self) -> int:
        """A block's shared memory."""
        return self.in_flight_bytes // self.blocks_per_sm if self.stages else 0

    @property
    def fits(self) -> bool:
        """Does an SM's shared memory hold it?"""
        return self.shared_bytes * self.blocks_per_sm <= SHARED_BYTES_MAX


How = TileWay | ThreadWay
