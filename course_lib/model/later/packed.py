"""Packed 4- and 6-bit types: sixteen values as one group, with or without a gap in shared memory.

                      global memory        shared memory
    U4X16_ALIGN8B     8 bytes a group      8 bytes, no gap
    U4X16_ALIGN16B    8 bytes a group      8 bytes, then a gap of 8
    U6X16_ALIGN16B    12 bytes a group     12 bytes, then a gap of 4

The barrier counts the packed bytes; gaps keep what they held. Documented, not measured: sm_90 has none of these types.
Source: CUDA Driver API 13.5, PTX ISA 9.1 section 5.5.1, PTX ISA 9.4 section 9.7.10.28.5.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.arguments import Memory, coordinates_of, flat_bytes, shared_address_of
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy import traps
from course_lib.model.copy.plan import Plan, tiled_plan
from course_lib.model.copy.transfer import Copied, load
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.faults import NotMeasured
from course_lib.model.facts.limits import INNER_UNIT_BYTES, PACKED_BOX_ELEMENTS

GROUP_ELEMENTS = 16


def load_packed(
    tensor_map: TiledTensorMap,
    coordinates: Sequence[int],
    global_memory: Memory,
    shared_memory: Memory,
    *,
    shared_address: int = 0,
    target: str = "sm_100",
) -> Copied:
    """Load a box of a packed type; coordinates count single values. Errors as for ``load``.

    The first coordinate must be a multiple of 32 values with U4X16_ALIGN8B, of 128 with the other two: NotMeasured
    otherwise, and with interleave. ValueError for a map that is not tiled or whose type is not packed.
    """
    traps.must_be_legal(tensor_map, target)
    must_be_packed(tensor_map)
    where, address = coordinates_of(tensor_map, coordinates), shared_address_of(shared_address)
    if tensor_map.data_type == DataType.U4X16_ALIGN8B:
        return load_as_bytes(tensor_map, where, global_memory, shared_memory, address, target)
    return load_with_gaps(tensor_map, where, global_memory, shared_memory, address)


def load_as_bytes(
    m: TiledTensorMap,
    coordinates: tuple[int, ...],
    global_memory: Memory,
    shared_memory: Memory,
    address: int,
    target: str,
) -> Copied:
    """U4X16_ALIGN8B has no gaps: the same copy with pairs of values as bytes."""
    must_start_on(coordinates[0], 2 * INNER_UNIT_BYTES)
    halved: dict[str, Any] = {
        name: (getattr(m, name)[0] // 2, *getattr(m, name)[1:]) for name in ("global_dim", "box_dim")
    }
    pairs = replace(m, data_type=DataType.UINT8, **halved)
    where = (coordinates[0] // 2, *coordinates[1:])
    return load(pairs, where, global_memory, shared_memory, shared_address=address, target=target)


def load_with_gaps(
    m: TiledTensorMap, coordinates: tuple[int, ...], global_memory: Memory, shared_memory: Memory, address: int
) -> Copied:
    """The other two: each group goes to the front of a 16-byte unit. Rows are wholly inside or wholly outside."""
    must_start_on(coordinates[0], PACKED_BOX_ELEMENTS)
    traps.must_be_aligned(address)
    global_memory = flat_bytes("global_memory", global_memory)
    shared_memory = flat_bytes("shared_memory", shared_memory, writeable=True)
    group_bytes = GROUP_ELEMENTS * DataType(m.data_type).facts.bits // 8
    plan = tiled_plan(replace(m, data_type=DataType.UINT8), coordinates, address)
    begins = group_begins(m, plan, coordinates, group_bytes)
    inside = np.ones(begins.shape, np.bool_) if plan.inside is None else plan.inside > 0
    traps.must_fit(plan.shared_end_bytes, shared_memory)
    if inside.any():
        traps.must_be_in_memory(int(begins[inside].min()), int(begins[inside].max()) + group_bytes, global_memory.size)
    columns = np.arange(group_bytes)
    addresses = np.where(inside, begins, 0)[..., None] + columns
    data = np.where(inside[..., None], global_memory[addresses], 0)
    shared_memory[plan.target_units[..., None] * INNER_UNIT_BYTES + columns] = data
    return Copied(begins.size * group_bytes)


def group_begins(m: TiledTensorMap, plan: Plan, coordinates: tuple[int, ...], group_bytes: int) -> NDArray[np.int64]:
    """The global byte address of every group of the box, (rows, groups of a row)."""
    row = plan.offset_units[:, :1] * INNER_UNIT_BYTES
    outer = sum(c * s for c, s in zip(coordinates[1:], m.global_strides, strict=True))
    first = coordinates[0] // GROUP_ELEMENTS + np.arange(plan.offset_units.shape[1])
    begins: NDArray[np.int64] = m.global_address + outer + row + first * group_bytes
    return begins


def must_start_on(coordinate: int, step: int) -> None:
    """NotMeasured for a first coordinate that the documents forbid: what a device does then is not stated."""
    if coordinate % step:
        raise NotMeasured(f"coordinates[0] = {coordinate}: with this type documents demand a multiple of {step}")


def must_be_packed(m: TiledTensorMap) -> None:
    """ValueError for a map that is not tiled or not of a packed type, NotMeasured for an interleaved one."""
    if not isinstance(m, TiledTensorMap) or not DataType(m.data_type).is_packed:
        raise ValueError("tensor_map: load_packed takes a tiled map of a packed type; load takes the others")
    if m.interleave:
        raise NotMeasured("tensor_map: the documents do not say how packets of packed values lie")
