"""How a copy counts its barrier down: in pieces, one for each 32-byte sector that a row of the box touches.

    row of 80 bytes   │ 32 │ 32 │ 16 │      the count may stand at 80 − any sum of pieces: 48, 16, 64, 32, 0, and 80

Pieces land in any order, several at once or one by one, and another order in the next run: nothing is promised but the
total. So an expected count that is too small ends its phase early only where it is a sum of pieces, and then only
perhaps; otherwise the phase never completes.
Sectors are those of global memory; parts outside the tensor have theirs too, and so has a linear bulk copy.
Source: barrier_steps.jsonl, barrier_pieces.jsonl (NVIDIA H200): every count that was ever hit is such a sum.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from course_lib.model.barrier.mbarrier import MBarrier, State
from course_lib.model.call.tensor_map import Call
from course_lib.model.copy.plan import Plan
from course_lib.model.copy.transfer import plan_load
from course_lib.model.facts.limits import INNER_UNIT_BYTES, SECTOR_BYTES

Pieces = tuple[int, ...]


def pieces(tensor_map: Call, coordinates: Sequence[int], im2col_offsets: Sequence[int] = ()) -> Pieces:
    """The pieces of a load, row by row: bytes of each sector. The order is ours: one of many that hardware takes.

    Parts outside the tensor count like any other. Raises as ``course_lib.load`` where there is no such copy.
    """
    return plan_pieces(plan_load(tensor_map, coordinates, 0, im2col_offsets, "sm_90"))


def plan_pieces(copy: Plan) -> Pieces:
    """The pieces of a plan."""
    units = copy.source_units
    sectors = units * INNER_UNIT_BYTES // SECTOR_BYTES
    rows = np.broadcast_to(np.arange(units.shape[0])[:, None], units.shape)
    _, counts = np.unique(np.stack([rows.ravel(), sectors.ravel()]), axis=1, return_counts=True)
    return tuple((counts * INNER_UNIT_BYTES).tolist())


@lru_cache(256)
def sums(of: Pieces) -> frozenset[int]:
    """Every number of bytes that may have landed at some time: the sums of any of the pieces, 0 and all included."""
    reached = 1
    for piece in of:
        reached |= reached << piece
    return frozenset(i for i in range(reached.bit_length()) if reached >> i & 1)


def endings(before: State, of: Iterable[int]) -> tuple[State, ...]:
    """Every state that a barrier may be in once all pieces have landed: one, or two where the count may be hit early.

    "Never hit" comes first. Raises as ``MBarrier.complete_tx``.
    """
    landing = tuple(of)
    awaited, total = before.awaited_bytes, sum(landing)
    whole = land(before, [total])
    if before.pending or not 0 < awaited < total or awaited not in sums(landing):
        return (whole,)
    return (whole, land(before, [awaited, total - awaited]))


def land(before: State, of: Iterable[int]) -> State:
    """The state after the pieces have landed in this order."""
    barrier = MBarrier.holding(before)
    for piece in of:
        barrier.complete_tx(piece)
    return barrier.state
