"""Linear bulk copies: cp.async.bulk, the smallest copy that the engine makes, without a tensor map.

One shape for every direction: global → shared, shared → global, shared → another block's shared memory. Both addresses
must be multiples of 16 (else 716). A size that is no multiple of 16 is rounded *down*, in bytes moved and in bytes
counted, so that a barrier told the full size never completes. Source: bulk.jsonl (NVIDIA H200); documents call another
size undefined (PTX ISA 9.4, cp.async.bulk).
"""

from typing import Any

from course_lib.model.call.arguments import Memory, as_integer, flat_bytes
from course_lib.model.copy.arithmetic import combine_bits
from course_lib.model.copy.transfer import Copied
from course_lib.model.copy.traps import must_be_in_memory
from course_lib.model.facts.enums import DataType, ReduceOp
from course_lib.model.facts.faults import MISALIGNED_ADDRESS, DeviceFault
from course_lib.model.facts.limits import INNER_UNIT_BYTES

TO_CLUSTER = {
    ReduceOp.ADD: {DataType.UINT32, DataType.INT32, DataType.UINT64},
    **{op: {DataType.UINT32, DataType.INT32} for op in (ReduceOp.MIN, ReduceOp.MAX)},
    **{op: {DataType.UINT32} for op in (ReduceOp.INC, ReduceOp.DEC, ReduceOp.AND, ReduceOp.OR, ReduceOp.XOR)},
}
WIDE = {DataType.UINT64, DataType.INT64}
SMALL_FLOATS = {DataType.FLOAT16, DataType.BFLOAT16}
TO_GLOBAL = {
    ReduceOp.ADD: TO_CLUSTER[ReduceOp.ADD] | SMALL_FLOATS | {DataType.FLOAT32, DataType.FLOAT64},
    **{op: TO_CLUSTER[op] | WIDE | SMALL_FLOATS for op in (ReduceOp.MIN, ReduceOp.MAX)},
    **{op: TO_CLUSTER[op] for op in (ReduceOp.INC, ReduceOp.DEC)},
    **{op: TO_CLUSTER[op] | {DataType.UINT64} for op in (ReduceOp.AND, ReduceOp.OR, ReduceOp.XOR)},
}
"""The pairs that assemble, by destination; bits travel as UINT32 and UINT64. Source: PTX ISA 9.4; bulk.jsonl."""


def bulk_copy(
    source: Memory, source_address: int, destination: Memory, destination_address: int, size_bytes: int
) -> Copied:
    """Copy ``size_bytes`` (0 or more) from one flat uint8 memory to another.

    Raises DeviceFault 716 for an address off 16 bytes, 700 for bytes that are not there. Source: see above.
    """
    begin, end, place = copy_ranges(source, source_address, destination, destination_address, size_bytes)
    destination[place] = source[begin:end].copy()
    return Copied(end - begin)


def bulk_reduce(
    op: int,
    data_type: int,
    source: Memory,
    source_address: int,
    destination: Memory,
    destination_address: int,
    size_bytes: int,
    *,
    to_cluster: bool = False,
) -> Copied:
    """Combine ``size_bytes`` of shared memory into global memory, or into another block's (``to_cluster``).

    ValueError for a pair of operation and type that does not assemble; otherwise as for ``bulk_copy``.
    """
    operation, kind = ReduceOp(op), DataType(data_type)
    legal = TO_CLUSTER if to_cluster else TO_GLOBAL
    if kind not in legal[operation]:
        raise ValueError(f"data_type={kind.name}: cp.reduce.async.bulk has no {operation.name} on it here")
    begin, end, place = copy_ranges(source, source_address, destination, destination_address, size_bytes)
    destination[place] = combine_bits(operation, kind, destination[place].copy(), source[begin:end].copy())
    return Copied(end - begin)


def copy_ranges(
    source: Memory, source_address: Any, destination: Memory, destination_address: Any, size_bytes: Any
) -> tuple[int, int, slice]:
    """The source's first byte and its end, and the destination's slice; every check comes first.

    A copy of 0 bytes, also after rounding down, looks at no address. Source: bulk_empty.jsonl (NVIDIA H200).
    """
    source, destination = flat_bytes("source", source), flat_bytes("destination", destination, writeable=True)
    size = as_integer("size_bytes", size_bytes)
    if size < 0:
        raise ValueError(f"size_bytes = {size}: it must be 0 or more")
    size -= size % INNER_UNIT_BYTES
    if size == 0:
        return 0, 0, slice(0, 0)
    begin = unit_address("source_address", source_address)
    place = unit_address("destination_address", destination_address)
    for memory, first in ((source, begin), (destination, place)):
        must_be_in_memory(first, first + size, memory.size)
    return begin, begin + size, slice(place, place + size)


def unit_address(name: str, address: Any) -> int:
    """``address`` if it is a multiple of 16. DeviceFault 716 otherwise."""
    value = as_integer(name, address)
    if value % INNER_UNIT_BYTES:
        raise DeviceFault(MISALIGNED_ADDRESS, f"{name} = {value} is no multiple of {INNER_UNIT_BYTES}")
    return value
