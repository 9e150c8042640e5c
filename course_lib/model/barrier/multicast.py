"""Multicast: one load into several blocks' shared memories; who receives what, and what must be armed first.

Every block that receives arms its own barrier for all the bytes that land in it, whoever issued the copies.
Source: multicast.jsonl (NVIDIA H200); PTX ISA 9.4, cp.async.bulk.tensor .multicast::cluster.

No lesson teaches it yet: lesson 14 will.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from course_lib.model.call.arguments import Memory, as_integer, flat_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy import traps
from course_lib.model.copy.placement import place_memory
from course_lib.model.copy.plan import Plan
from course_lib.model.copy.transfer import perform_load, plan_load
from course_lib.model.facts.faults import NotMeasured
from course_lib.model.facts.limits import CLUSTER_BLOCKS_MAX, MULTICAST_MASK_BITS

Asked = tuple[int, int, Sequence[int], int]  # issuing block, mask, coordinates, shared address


class Issue(NamedTuple):
    """One multicast load: who issues it, for whom, and how many bytes each of them gets."""

    rank: int
    mask: int
    transaction_bytes: int
    what: str = ""


def multicast_load(
    tensor_map: TiledTensorMap,
    issues: Sequence[Asked],
    global_memory: Memory,
    shared_memories: Sequence[Memory],
    *,
    global_base: int = 0,
) -> tuple[int, ...]:
    """Loads for several blocks: ``issues`` are (block, cta_mask, coordinates, shared_address), in order.

    ``shared_memories``: one flat uint8 array a block by rank, 1 to 16. Returns the bytes that each block's barrier
    counted, by rank: all of every box that its bit asked for, 0 for a block outside every mask. NotMeasured (a
    ValueError) for an im2col map, a mask of 0 and one that names a block that is not there; else as
    ``course_lib.load``. After any error no memory has changed. Source: multicast.jsonl (NVIDIA H200).
    """
    memories = [flat_bytes(f"shared_memories[{i}]", s, writeable=True) for i, s in enumerate(shared_memories)]
    if not 1 <= len(memories) <= CLUSTER_BLOCKS_MAX:
        raise ValueError(f"shared_memories holds {len(memories)} blocks; a cluster has 1 to {CLUSTER_BLOCKS_MAX}")
    copies = [plan_issue(tensor_map, issue, len(memories)) for issue in issues]
    place = place_memory(flat_bytes("global_memory", global_memory), global_base)
    for copy, ranks in copies:
        traps.must_be_there(tensor_map, place.touched_bytes(copy, whole_units=False), place)
        for rank in ranks:
            traps.must_fit(copy.shared_end_bytes, memories[rank])
    counted = [0] * len(memories)
    for copy, ranks in copies:
        for rank in ranks:
            perform_load(tensor_map, copy, global_memory, memories[rank], global_base)
            counted[rank] += copy.layout.transaction_bytes
    return tuple(counted)


def plan_issue(tensor_map: TiledTensorMap, issue: Asked, blocks: int) -> tuple[Plan, tuple[int, ...]]:
    """The plan of one issue, and the ranks that receive it. ValueError for a block or a mask that is not one."""
    block, mask, coordinates, shared_address = issue
    traps.must_be_legal(tensor_map)
    if not isinstance(tensor_map, TiledTensorMap):
        raise NotMeasured("tensor_map: nobody recorded a multicast of an im2col map here")
    if not 0 <= as_integer("block", block) < blocks:
        raise ValueError(f"block = {block}: the cluster has blocks 0 to {blocks - 1}")
    ranks = ranks_of(as_integer("cta_mask", mask))
    if not ranks or ranks[-1] >= blocks:
        raise NotMeasured(f"cta_mask = {mask:#x}: it must name blocks, and only the {blocks} that are there")
    return plan_load(tensor_map, coordinates, shared_address, (), "sm_90"), ranks


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
    stride = prod(shape[:axis])
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
        Issue(rank, line_mask(shape, rank, axis), part, what) for rank in range(x * y) for axis, part, what in parts
    )
