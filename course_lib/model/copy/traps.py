"""What the device traps on, one small function a rule. Source: load.jsonl, store.jsonl, traps.jsonl (NVIDIA H200)."""

from collections.abc import Sequence
from typing import Any

from course_lib.model.call.arguments import Memory, as_integer
from course_lib.model.call.tensor_map import Call, Im2colCall, TensorMap, TiledTensorMap
from course_lib.model.call.verdict import IllegalTensorMap
from course_lib.model.copy.arithmetic import is_legal
from course_lib.model.copy.im2col import walks
from course_lib.model.copy.layout import geometry
from course_lib.model.copy.placement import Placement
from course_lib.model.copy.plan import Plan
from course_lib.model.facts.enums import DataType, ReduceOp
from course_lib.model.facts.faults import ILLEGAL_ADDRESS, ILLEGAL_INSTRUCTION, MISALIGNED_ADDRESS, DeviceFault
from course_lib.model.facts.limits import INNER_UNIT_BYTES

SHARED_ALIGNMENT_BYTES = 128


def must_be_legal(m: object, target: str = "sm_90") -> None:
    """TypeError for what is no tensor map, IllegalTensorMap for one that the driver refuses."""
    if not isinstance(m, TensorMap):
        raise TypeError(f"tensor_map must be a tensor map, not {type(m).__name__}")
    verdict = m.check(target)
    if not verdict.accepted:
        raise IllegalTensorMap(verdict)


def must_start_right(m: Call, coordinates: Sequence[int], shared_address: int) -> None:
    """DeviceFault 715 for a start that the engine does not take, then 716 for the shared address.

    715 wins over 716, and both over the 700 of global memory that is not there. Source: faults.jsonl (NVIDIA H200).
    """
    must_start_on_a_unit(m, coordinates)
    if not isinstance(m, TiledTensorMap):
        must_start_in_the_box(m, coordinates)
    must_be_aligned(shared_address)


def must_start_on_a_unit(m: Call, coordinates: Sequence[int]) -> None:
    """DeviceFault 715 for an innermost coordinate off 16 bytes."""
    start = coordinates[0] * geometry(m).strides_bytes[0]
    if not m.interleave and start % INNER_UNIT_BYTES:
        reason = f"coordinates[0] = {coordinates[0]} starts at byte {start}, no multiple of {INNER_UNIT_BYTES}"
        raise DeviceFault(ILLEGAL_INSTRUCTION, reason)


def must_be_aligned(shared_address: int) -> None:
    """DeviceFault 716 for a shared address off 128 bytes."""
    if shared_address % SHARED_ALIGNMENT_BYTES:
        reason = f"shared_address = {shared_address} is no multiple of {SHARED_ALIGNMENT_BYTES}"
        raise DeviceFault(MISALIGNED_ADDRESS, reason)


def must_start_in_the_box(m: Im2colCall, coordinates: Sequence[int]) -> None:
    """DeviceFault 715 where an im2col copy starts outside the bounding box."""
    for walk in walks(m, coordinates):
        if not walk.holds_start:
            reason = f"the start {walk.start} lies outside the bounding box, {walk.lower} to {walk.last}"
            raise DeviceFault(ILLEGAL_INSTRUCTION, reason)


def must_not_be_negative(coordinates: Sequence[int]) -> None:
    """DeviceFault 715 where a store or reduction starts before the tensor."""
    for i, coordinate in enumerate(coordinates):
        if coordinate < 0:
            raise DeviceFault(ILLEGAL_INSTRUCTION, f"coordinates[{i}] = {coordinate}: a store must not start below 0")


def must_stay_inside(m: Im2colCall) -> None:
    """DeviceFault 715 where an im2col store's bounding box reaches out of the tensor, wherever the copy starts.

    Source: PTX ISA 9.4, cp.async.bulk.tensor; store_more.jsonl (NVIDIA H200).
    """
    lower, upper = m.pixel_box
    if any(corner < 0 for corner in lower) or any(corner > 0 for corner in upper):
        reason = f"an im2col store takes no lower corner below 0 and no upper corner above 0, not {lower} and {upper}"
        raise DeviceFault(ILLEGAL_INSTRUCTION, reason)


def reduce_op_of(op: Any) -> ReduceOp:
    """``op`` as a ReduceOp. TypeError or ValueError where it is none."""
    number = as_integer("op", op)
    if number not in ReduceOp._value2member_map_:
        raise ValueError(f"op = {number}: a ReduceOp is 0 to {len(ReduceOp) - 1}")
    return ReduceOp(number)


def must_reduce(op: ReduceOp, m: Call) -> None:
    """DeviceFault 715 for a pair of operation and type that the engine lacks."""
    if not is_legal(op, m.data_type):
        raise DeviceFault(ILLEGAL_INSTRUCTION, f"the engine has no {op.name} on {DataType(m.data_type).name}")


def must_fit(end_bytes: int, shared_memory: Memory) -> None:
    """ValueError where the box reaches past the end of ``shared_memory``.

    No DeviceFault: the array may be a part of a block's memory, and what a chip does past a block's end, alone or
    together with another cause, no recording here shows.
    """
    if end_bytes > shared_memory.size:
        raise ValueError(f"shared_memory has {shared_memory.size} bytes; the box reaches to byte {end_bytes}")


def must_be_there(m: Call, touched: tuple[int, int], place: Placement) -> None:
    """DeviceFault 700 where a load touches what is not in global memory; ``touched`` as ``Placement`` gives it.

    A load of a box wholly outside the tensor still needs the tensor's address. Source: faults.jsonl (NVIDIA H200).
    """
    first, end = touched
    if first == end:
        first = place.index_bytes(m.global_address)
        end = first + 1
    must_be_in_memory(first, end, place.size_bytes)


def must_be_writable(copy: Plan, place: Placement) -> None:
    """DeviceFault 700 where a store touches what is not in global memory; it writes whole units."""
    must_be_in_memory(*place.touched_bytes(copy, whole_units=True), place.size_bytes)


def must_be_in_memory(first: int, end: int, memory_bytes: int) -> None:
    """DeviceFault 700 where bytes first to end - 1 are not all in global memory."""
    if first < 0 or end > memory_bytes:
        reason = f"the copy touches bytes {first} to {end - 1} of a global memory of {memory_bytes} bytes"
        raise DeviceFault(ILLEGAL_ADDRESS, reason)
