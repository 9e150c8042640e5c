"""Clusters: one load into several blocks' shared memories and barriers.

    mask 0b0101, issued by any block      block 0     block 1     block 2     block 3
    box → the same shared address of        ●                       ●
    its bytes → the barrier at the same     ●                       ●
    shared address, counted there in full

Who must arm what: every block that receives, for all the bytes that land in it, whoever issued the copies.
Source: multicast.jsonl (NVIDIA H200); PTX ISA 9.4, cp.async.bulk.tensor .multicast::cluster and mbarrier.

No lesson uses it yet: lesson 14 will.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from course_lib.model.barrier.countdown import plan_pieces
from course_lib.model.barrier.mbarrier import Events, MBarrier
from course_lib.model.call.arguments import Memory
from course_lib.model.call.tensor_map import Call
from course_lib.model.copy.transfer import perform_load, plan_load
from course_lib.model.facts.faults import LAUNCH_FAILED, DeviceFault
from course_lib.model.facts.limits import CLUSTER_BLOCKS_MAX, MULTICAST_MASK_BITS, SHARED_MEMORY_PER_BLOCK_BYTES

REMOTE_OPERATIONS = ("arrive", "arrive_drop", "expect_tx", "complete_tx")


class Issue(NamedTuple):
    """One multicast load: who issues it, for whom, and how many bytes each of them gets."""

    rank: int
    mask: int
    transaction_bytes: int
    what: str = ""


@dataclass
class Block:
    """One block of a cluster: its shared memory, and its barriers by their shared address."""

    rank: int
    shared_memory: Memory = field(repr=False)
    barriers: dict[int, MBarrier] = field(default_factory=dict)
    has_left: bool = False

    def set_up(self, barrier_address: int, count: int) -> MBarrier:
        """mbarrier.init at a shared address, a multiple of 8 (ValueError)."""
        if barrier_address % 8:
            raise ValueError(f"barrier_address = {barrier_address}: an mbarrier lies on 8 bytes")
        barrier = MBarrier(count, f"block {self.rank}'s mbarrier at {barrier_address}")
        self.barriers[barrier_address] = barrier
        return barrier


class Cluster:
    """Blocks that can reach each other's shared memory. ``shape`` is (x, y, z), x running first in the rank."""

    def __init__(self, shape: Sequence[int], shared_bytes: int = SHARED_MEMORY_PER_BLOCK_BYTES):
        self.shape = tuple(shape)
        count = blocks_of(self.shape)
        self.blocks = tuple(Block(rank, np.zeros(shared_bytes, np.uint8)) for rank in range(count))

    def __len__(self) -> int:
        return len(self.blocks)

    def leave(self, rank: int) -> None:
        """The block's last thread exits: its shared memory is gone."""
        self.blocks[rank].has_left = True

    def reached(self, rank: int) -> Block:
        """The block at ``rank``. DeviceFault 719 where there is none, or where it has left."""
        if not 0 <= rank < len(self.blocks):
            raise DeviceFault(
                LAUNCH_FAILED, f"block {rank} is not in the cluster, which has 0 to {len(self.blocks) - 1}"
            )
        if self.blocks[rank].has_left:
            raise DeviceFault(LAUNCH_FAILED, f"block {rank} has left the cluster: its shared memory is gone")
        return self.blocks[rank]

    def barrier(self, rank: int, barrier_address: int) -> MBarrier:
        """The barrier of a block; ValueError where none was set up there."""
        barriers = self.reached(rank).barriers
        if barrier_address not in barriers:
            raise ValueError(
                f"block {rank} has no mbarrier at {barrier_address}: set it up before anything counts there"
            )
        return barriers[barrier_address]

    def remote(self, rank: int, barrier_address: int, operation: str, number: int = 1) -> Events:
        """An operation on another block's barrier through mapa: arrive, arrive_drop, expect_tx, complete_tx, no waits.

        ValueError for another operation. Source: PTX ISA 9.4, mbarrier, shared::cluster.
        """
        if operation not in REMOTE_OPERATIONS:
            raise ValueError(f"{operation}: on another block's barrier only {', '.join(REMOTE_OPERATIONS)}")
        events: Events = getattr(self.barrier(rank, barrier_address), operation)(number)
        return events

    def load(
        self,
        tensor_map: Call,
        coordinates: Sequence[int],
        global_memory: Memory,
        mask: int,
        barrier_address: int,
        *,
        shared_address: int = 0,
        im2col_offsets: Sequence[int] = (),
    ) -> dict[int, Events]:
        """One multicast load: the box to ``shared_address`` of every block in ``mask``, its bytes to their barriers.

        Returns each receiver's events by rank; a mask of 0 does nothing. Raises as ``course_lib.load``, and DeviceFault
        719 for a block that is not there. The pieces land in our order, one of many.
        """
        copy = plan_load(tensor_map, coordinates, shared_address, im2col_offsets, "sm_90")
        receivers = [(self.reached(rank), self.barrier(rank, barrier_address)) for rank in ranks_of(mask)]
        events: dict[int, Events] = {}
        for block, barrier in receivers:
            perform_load(tensor_map, copy, global_memory, block.shared_memory)
            landed = [barrier.complete_tx(piece) for piece in plan_pieces(copy)]
            events[block.rank] = tuple(event for piece in landed for event in piece)
        return events


def blocks_of(shape: Sequence[int]) -> int:
    """How many blocks a cluster shape has, 1 to 8 (ValueError)."""
    count = int(np.prod(shape))
    if not 1 <= len(shape) <= 3 or min(shape) < 1 or count > CLUSTER_BLOCKS_MAX:
        raise ValueError(
            f"shape = {tuple(shape)}: a cluster is x, y, z of 1 or more, {CLUSTER_BLOCKS_MAX} blocks at most"
        )
    return count


def ranks_of(mask: int) -> tuple[int, ...]:
    """The ranks that a 16-bit mask names, lowest first. ValueError for more bits."""
    if not 0 <= mask < 1 << MULTICAST_MASK_BITS:
        raise ValueError(f"mask = {mask:#x}: a mask has {MULTICAST_MASK_BITS} bits")
    return tuple(rank for rank in range(MULTICAST_MASK_BITS) if mask >> rank & 1)


def mask_of(ranks: Iterable[int]) -> int:
    """The mask that names ``ranks``."""
    return sum(1 << rank for rank in set(ranks))


def line_mask(shape: Sequence[int], rank: int, axis: int) -> int:
    """The blocks that differ from ``rank`` only along ``axis`` (0 is x), itself included."""
    stride = int(np.prod(shape[:axis]))
    first = rank - rank // stride % shape[axis] * stride
    return mask_of(range(first, first + stride * shape[axis], stride))


def armed_bytes(issues: Iterable[Issue]) -> dict[int, int]:
    """What each receiver must expect before any of these loads is issued: all the bytes that land in it, by rank."""
    awaited: dict[int, int] = {}
    for issue in issues:
        for rank in ranks_of(issue.mask):
            awaited[rank] = awaited.get(rank, 0) + issue.transaction_bytes
    return dict(sorted(awaited.items()))


def readers(issues: Iterable[Issue]) -> dict[int, tuple[int, ...]]:
    """For each block that issues, the blocks that must say "my slot is free" to it first: its receivers, by rank."""
    found: dict[int, set[int]] = {}
    for issue in issues:
        found.setdefault(issue.rank, set()).update(ranks_of(issue.mask))
    return {rank: tuple(sorted(ranks)) for rank, ranks in sorted(found.items())}


def gemm_issues(shape: Sequence[int], a_bytes: int, b_bytes: int) -> tuple[Issue, ...]:
    """Who loads what in a GEMM cluster of shape (x, y): blocks of a row (x) share a tile of A, of a column one of B.

    Each block issues its part of both: ``a_bytes`` / x to its row and ``b_bytes`` / y to its column, which must divide
    (ValueError). Every block receives ``a_bytes`` + ``b_bytes``.
    """
    x, y = shape
    if a_bytes % x or b_bytes % y:
        raise ValueError(f"a_bytes = {a_bytes} and b_bytes = {b_bytes} must be whole parts for {x} and {y} blocks")
    parts = ((0, a_bytes // x, "A"), (1, b_bytes // y, "B"))
    return tuple(
        Issue(rank, line_mask(shape, rank, axis), part, what)
        for rank in range(blocks_of(shape))
        for axis, part, what in parts
    )
