"""A cluster: blocks that reach each other's shared memory and barriers, and the loads that several of them receive.

    mask 0b0101, issued by any block      block 0     block 1     block 2     block 3
    box → the same shared address of        ●                       ●
    its bytes → the barrier at the same     ●                       ●
    shared address, counted there in full

Source: multicast.jsonl (NVIDIA H200); PTX ISA 9.4, cp.async.bulk.tensor .multicast::cluster and mbarrier.

No lesson teaches it yet: lesson 14 will.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from course_lib.model.barrier.countdown import plan_pieces
from course_lib.model.barrier.mbarrier import Events, MBarrier
from course_lib.model.barrier.multicast import ranks_of
from course_lib.model.call.arguments import Memory, as_integers
from course_lib.model.call.tensor_map import Call
from course_lib.model.copy.transfer import perform_load, plan_load
from course_lib.model.facts.faults import LAUNCH_FAILED, DeviceFault
from course_lib.model.facts.limits import (
    CLUSTER_BLOCKS_MAX,
    CLUSTER_BLOCKS_PORTABLE,
    SHARED_MEMORY_PER_BLOCK_BYTES,
)

REMOTE_OPERATIONS = ("arrive", "arrive_drop", "expect_tx", "complete_tx")


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
    """Blocks that can reach each other's shared memory. ``shape`` is (x, y, z), x running first in the rank.

    ``non_portable``: up to 16 blocks, as a kernel gets them that sets the attribute of this name; 8 without it.
    """

    def __init__(
        self,
        shape: Sequence[int],
        shared_bytes: int = SHARED_MEMORY_PER_BLOCK_BYTES,
        *,
        non_portable: bool = False,
    ):
        self.shape = as_integers("shape", shape)
        count = blocks_of(self.shape, CLUSTER_BLOCKS_MAX if non_portable else CLUSTER_BLOCKS_PORTABLE)
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


def blocks_of(shape: Sequence[int], most: int = CLUSTER_BLOCKS_PORTABLE) -> int:
    """How many blocks a cluster shape has, 1 to ``most`` (ValueError). Source: wgmma_multicast probes: 9 to 16 blocks are
    CUresult 912 without the non-portable attribute (NVIDIA H200).
    """
    count = prod(shape)
    if not 1 <= len(shape) <= 3 or min(shape) < 1 or count > most:
        allowed = "" if most == CLUSTER_BLOCKS_MAX else "; non_portable allows 16"
        raise ValueError(f"shape = {tuple(shape)}: a cluster is x, y, z of 1 or more, {most} blocks at most{allowed}")
    return count
