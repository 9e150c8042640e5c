"""tile::gather4 and tile::scatter4: four rows of a matrix, in any order, as one tile of four rows.

Documented, not measured: sm_90 has neither. Source: PTX ISA 9.1 section 5.5.3.4 and PTX ISA 9.4, cp.async.bulk.tensor.

No lesson teaches it yet: lesson 19 will.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_lib.model.call.arguments import Memory, as_integers, coordinates_of, shared_address_of
from course_lib.model.call.sizes import transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy import traps
from course_lib.model.copy.plan import Plan, tiled_plan
from course_lib.model.copy.transfer import Copied, perform_load, perform_store
from course_lib.model.facts.faults import NotMeasured
from course_lib.model.facts.limits import INNER_UNIT_BYTES

ROWS = 4
SCATTER4_TARGETS = ("sm_100a", "sm_103a", "sm_107", "sm_110a")  # PTX ISA 9.4, target notes


def gather4(
    tensor_map: TiledTensorMap,
    coordinates: Sequence[int],
    global_memory: Memory,
    shared_memory: Memory,
    *,
    shared_address: int = 0,
    target: str = "sm_100",
) -> Copied:
    """Load four rows of a rank-2 tensor from column ``coordinates[0]`` on; ``coordinates[1:]`` are the rows.

    The map's box is one row (box_dim[1] = 1); the tile in shared memory has four. Errors as for ``load``, and
    ValueError for a map that the instruction does not take, NotMeasured for sm_90.
    """
    tile, plan = four_rows(tensor_map, coordinates, shared_address, target)
    perform_load(tile, plan, global_memory, shared_memory)
    return Copied(transaction_bytes(tile))


def scatter4(
    tensor_map: TiledTensorMap,
    coordinates: Sequence[int],
    shared_memory: Memory,
    global_memory: Memory,
    *,
    shared_address: int = 0,
    target: str = "sm_100a",
) -> Copied:
    """Store a tile of four rows to four rows of a tensor; no coordinate below 0.

    The rest as for ``gather4``, but fewer targets have it: ValueError for the others.
    """
    must_take_rows(tensor_map, target)
    if target not in SCATTER4_TARGETS:
        raise ValueError(f"target={target!r}: scatter4 exists on {', '.join(SCATTER4_TARGETS)} only")
    tile, plan = four_rows(tensor_map, coordinates, shared_address, target)
    traps.must_not_be_negative(coordinates)
    perform_store(plan, shared_memory, global_memory)
    return Copied(transaction_bytes(tile))


def four_rows(m: TiledTensorMap, coordinates: Any, shared_address: Any, target: str) -> tuple[TiledTensorMap, Plan]:
    """The tile that the four rows make, and its plan."""
    must_take_rows(m, target)
    values = as_integers("coordinates", coordinates)
    if len(values) != 1 + ROWS:
        raise ValueError(f"coordinates has {len(values)} entries; one column and {ROWS} rows are needed")
    tile, address = replace(m, box_dim=(m.box_dim[0], ROWS)), shared_address_of(shared_address)
    plans = [row_plan(m, (values[0], row), address) for row in values[1:]]
    return tile, tiled_plan(tile, (values[0], 0), address)._replace(
        offset_units=np.concatenate([plan.source_units for plan in plans]),
        base_unit=0,
        inside=np.concatenate([inside_of(plan) for plan in plans]),
    )


def row_plan(m: TiledTensorMap, coordinates: tuple[int, int], address: int) -> Plan:
    """The plan of one row, checked as a copy of its own."""
    traps.must_start_right(m, coordinates_of(m, coordinates), address)
    return tiled_plan(m, coordinates, address)


def inside_of(plan: Plan) -> Any:
    """The plan's inside bytes, written out where all are."""
    return np.full_like(plan.offset_units, INNER_UNIT_BYTES) if plan.inside is None else plan.inside


def must_take_rows(m: TiledTensorMap, target: str) -> None:
    """NotMeasured for sm_90, ValueError for a map of another shape, IllegalTensorMap for a refused one."""
    if target.startswith("sm_90"):
        raise NotMeasured(f"target={target!r}: gather4 and scatter4 exist from sm_100 on")
    if not isinstance(m, TiledTensorMap) or m.rank != 2 or m.box_dim[1] != 1 or m.interleave:
        raise ValueError("tensor_map: gather4 and scatter4 take a tiled map of rank 2, box_dim[1] = 1, no interleave")
    traps.must_be_legal(m, target)
