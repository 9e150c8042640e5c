"""Perform a plan on bytes: load, store, reduce, prefetch. Every check comes before the first byte is written."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.arguments import Memory, coordinates_of, flat_bytes, offsets_of, shared_address_of
from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.copy import traps
from course_lib.model.copy.arithmetic import combine_bits
from course_lib.model.copy.element_bits import deliver_units, fill_unit
from course_lib.model.copy.im2col import im2col_plan
from course_lib.model.copy.layout import Units
from course_lib.model.copy.placement import Placement, place_memory, units_of
from course_lib.model.copy.plan import Plan, tiled_plan
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES

Combine = Callable[[Memory, Memory], Memory]


class Copied(NamedTuple):
    """What a copy tells: ``transaction_bytes`` counts the whole box, parts outside the tensor included."""

    transaction_bytes: int


def load(
    tensor_map: Call,
    coordinates: Sequence[int],
    global_memory: Memory,
    shared_memory: Memory,
    *,
    shared_address: int = 0,
    im2col_offsets: Sequence[int] = (),
    global_base: int = 0,
    target: str = "sm_90",
) -> Copied:
    """Copy the box at ``coordinates`` into ``shared_memory``, as cp.async.bulk.tensor does.

    Both memories are flat uint8 arrays. ``global_base`` (0 to 2**64 - 1) is the address of the global one's first byte,
    so with 0 the map's address is an index into it; addresses are modulo 2**64. ``shared_address`` is an index into the
    shared one, whose index 0 lies on a 1024-byte boundary. Coordinates are int32, innermost first.
    Raises IllegalTensorMap, DeviceFault (715, 716, 700), ValueError where the box does not fit shared memory.
    Source: load.jsonl, load_offset.jsonl, load_windows.jsonl, load_wrap.jsonl (NVIDIA H200); later targets by the documents.
    """
    copy = plan_load(tensor_map, coordinates, shared_address, im2col_offsets, target)
    perform_load(tensor_map, copy, global_memory, shared_memory, global_base)
    return Copied(copy.layout.transaction_bytes)


def store(
    tensor_map: Call,
    coordinates: Sequence[int],
    shared_memory: Memory,
    global_memory: Memory,
    *,
    shared_address: int = 0,
    global_base: int = 0,
    target: str = "sm_90",
) -> Copied:
    """Copy the box in ``shared_memory`` to ``coordinates``, as the store direction of cp.async.bulk.tensor does.

    Clips at 16 bytes along the innermost dimension. Coordinates must not be negative (DeviceFault 715); the rest as
    for ``load``. Source: store.jsonl (NVIDIA H200); later targets by the documents.
    """
    copy = plan_store(tensor_map, coordinates, shared_address, target)
    perform_store(copy, shared_memory, global_memory, global_base=global_base)
    return Copied(copy.layout.transaction_bytes)


def reduce(
    op: int,
    tensor_map: Call,
    coordinates: Sequence[int],
    shared_memory: Memory,
    global_memory: Memory,
    *,
    shared_address: int = 0,
    global_base: int = 0,
    target: str = "sm_90",
) -> Copied:
    """Combine the box in ``shared_memory`` into global memory, as cp.reduce.async.bulk.tensor does.

    ``op`` is a ReduceOp. A pair of operation and type that the engine lacks is DeviceFault 715; the rest as for
    ``store``. Source: store.jsonl, traps.jsonl (NVIDIA H200); later targets by the documents.
    """
    traps.must_be_legal(tensor_map, target)
    operation = traps.reduce_op_of(op)
    traps.must_reduce(operation, tensor_map)
    copy = plan_store(tensor_map, coordinates, shared_address, target)
    perform_store(
        copy,
        shared_memory,
        global_memory,
        lambda old, new: combine_bits(operation, DataType(tensor_map.data_type), old, new),
        global_base,
    )
    return Copied(copy.layout.transaction_bytes)


def prefetch(
    tensor_map: Call, coordinates: Sequence[int], *, im2col_offsets: Sequence[int] = (), target: str = "sm_90"
) -> None:
    """Ask L2 for the box, as cp.async.bulk.prefetch.tensor does: nothing that a program can read changes.

    The same arguments are legal as for ``load``. Source: PTX ISA 9.4, cp.async.bulk.prefetch.tensor (documented).
    """
    plan_load(tensor_map, coordinates, 0, im2col_offsets, target)


def plan_load(
    m: Call, coordinates: Sequence[int], shared_address: int, im2col_offsets: Sequence[int], target: str
) -> Plan:
    """The plan of a load; raises what the call or the device refuses."""
    traps.must_be_legal(m, target)
    where, address = coordinates_of(m, coordinates), shared_address_of(shared_address)
    offsets = offsets_of(m, im2col_offsets)
    traps.must_start_right(m, where, address)
    return tiled_plan(m, where, address) if isinstance(m, TiledTensorMap) else im2col_plan(m, where, address, offsets)


def plan_store(m: Call, coordinates: Sequence[int], shared_address: int, target: str) -> Plan:
    """The plan of a store or reduction; raises what the call or the device refuses."""
    traps.must_be_legal(m, target)
    traps.must_not_be_negative(coordinates_of(m, coordinates))
    if not isinstance(m, TiledTensorMap):
        traps.must_stay_inside(m)
    return plan_load(m, coordinates, shared_address, (), target)


def perform_load(m: Call, copy: Plan, global_memory: Memory, shared_memory: Memory, global_base: int = 0) -> None:
    """Move the units of a plan into shared memory, after every check."""
    given, shared = (
        flat_bytes("global_memory", global_memory),
        flat_bytes("shared_memory", shared_memory, writeable=True),
    )
    place, target = place_memory(given, global_base), units_of(shared)
    source, source_units = units_of(place.from_boundary(given)), place.source_units(copy)
    touched = place.touched_bytes(copy, whole_units=False)
    traps.must_fit(copy.shared_end_bytes, shared)
    traps.must_be_there(m, touched, place)
    if copy.inside is None:
        target[copy.target_units] = deliver_units(m, source.take(source_units))
    else:
        units = source_units.ravel(), copy.target_units.ravel()
        load_across_an_edge(m, copy.inside.ravel(), place.from_boundary(given), target, *units)


def load_across_an_edge(
    m: Call, inside: Units, source: Memory, target: NDArray[np.complex128], source_units: Units, target_units: Units
) -> None:
    """Fill the box, then put over it what lies inside: whole units, and the bytes of units that the edge cuts."""
    target[target_units] = fill_unit(m)
    whole = inside == INNER_UNIT_BYTES
    target[target_units[whole]] = deliver_units(m, units_of(source).take(source_units[whole]))
    cut = (inside > 0) & ~whole
    if cut.any():
        columns = np.arange(INNER_UNIT_BYTES)
        taken = columns < inside[cut, None]
        addresses = np.where(taken, source_units[cut, None] * INNER_UNIT_BYTES + columns, 0)
        loaded = deliver_units(m, source[addresses].view(np.complex128).ravel()).view(np.uint8)
        filled = np.where(taken, loaded.reshape(taken.shape), fill_unit(m).view(np.uint8))
        target[target_units[cut]] = filled.view(np.complex128).ravel()


def perform_store(
    copy: Plan, shared_memory: Memory, global_memory: Memory, combine: Combine | None = None, global_base: int = 0
) -> None:
    """Move, or combine, the units of a plan into global memory, after every check."""
    source = units_of(flat_bytes("shared_memory", shared_memory))
    given = flat_bytes("global_memory", global_memory, writeable=True)
    place = place_memory(given, global_base)
    traps.must_fit(copy.shared_end_bytes, shared_memory)
    traps.must_be_writable(copy, place)
    memory = place.from_boundary(given)
    write_units(units_of(memory), written_units(copy, place), source[read_units(copy)], combine)
    if place.lead_bytes:
        given[:] = memory[place.lead_bytes :]


def write_units(
    target: NDArray[np.complex128], written: Units, operands: NDArray[np.complex128], combine: Combine | None
) -> None:
    """Write units, or combine them with what is there, each turn with all that came before it."""
    if combine is None:
        target[written] = operands
        return
    for turn in turns(written):
        old, new = target[written[turn]].view(np.uint8), operands[turn].view(np.uint8)
        target[written[turn]] = combine(old, new).view(np.complex128)


def written_units(copy: Plan, place: Placement) -> Units:
    """The units of global memory that a store writes, flat: every unit with a byte of the tensor, and all of it."""
    units = place.source_units(copy)
    return units.ravel() if copy.inside is None else units[copy.inside > 0]


def read_units(copy: Plan) -> Units:
    """The units of shared memory that go there, in the same order."""
    return copy.target_units.ravel() if copy.inside is None else copy.target_units[copy.inside > 0]


def turns(units: Units) -> Iterator[NDArray[np.int64] | slice]:
    """Indices into ``units`` such that no unit comes twice in one turn; one turn where none repeats."""
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.diff(units[order], prepend=-1))
    if starts.size == units.size:
        yield slice(None)
        return
    turn = np.arange(units.size) - np.repeat(starts, np.diff(starts, append=units.size))
    for number in range(int(turn.max()) + 1):
        yield order[turn == number]
