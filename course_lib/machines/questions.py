"""A question to a machine: the row that a recording would ask, and memories that were given instead of a seed."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lib.model.call.arguments import (
    Memory,
    as_integer,
    coordinates_of,
    flat_bytes,
    offsets_of,
    shared_address_of,
)
from course_lib.model.call.sizes import transaction_bytes
from course_lib.model.call.tensor_map import Call
from course_lib.model.call.verdict import IllegalTensorMap
from course_lib.model.copy.layout import row_pitch_bytes, rows_and_units
from course_lib.model.facts.enums import DataType, ReduceOp
from course_lib.model.facts.limits import SHARED_MEMORY_PER_BLOCK_BYTES
from course_lib.recordings.replay.bulk_rows import PTX_TYPES
from course_lib.rows.calls import row_of
from course_lib.rows.memory import window_for
from course_lib.rows.row import Row

Given = dict[str, Memory]
SPAN_MAX_BYTES = 128
DIRECTIONS = ("global_to_shared", "shared_to_global", "shared_to_cluster")
CLUSTER_WINDOW_BYTES = 32 * 1024  # the other block's copy needs as much shared memory to read from


class Question(NamedTuple):
    """``do`` is encode, load, store or bulk; ``row`` as recordings spell it; ``given`` memories by name."""

    do: str
    row: Row
    given: Given


def encode_question(tensor_map: Call) -> Question:
    """An encode call."""
    return Question("encode", row_of(tensor_map), {})


def load_question(
    tensor_map: Call,
    coordinates: Sequence[int],
    seed: int,
    global_memory: Memory | None,
    shared_address: int,
    im2col_offsets: Sequence[int],
    expected_bytes: int | None,
) -> Question:
    """A load; the barrier is told the whole box unless ``expected_bytes`` says otherwise."""
    refuse_nonsense(tensor_map)
    address = shared_address_of(shared_address)
    row = row_of(tensor_map) | {"coordinates": list(coordinates_of(tensor_map, coordinates)), "seed": seed}
    if tensor_map.is_im2col:
        row["im2col_offsets"] = list(offsets_of(tensor_map, im2col_offsets))
    elif im2col_offsets:
        offsets_of(tensor_map, im2col_offsets)
    told = transaction_bytes(tensor_map) if expected_bytes is None else as_integer("expected_bytes", expected_bytes)
    row |= {"shared_address": address, "transaction_bytes": told, "window_bytes": window_bytes(tensor_map, address)}
    return Question("load", row, checked_memories(global_memory=global_memory))


def store_question(
    op: int | None,
    tensor_map: Call,
    coordinates: Sequence[int],
    seed: int,
    shared_memory: Memory | None,
    global_memory: Memory | None,
    shared_address: int,
) -> Question:
    """A store, or a reduction where there is an ``op``."""
    refuse_nonsense(tensor_map)
    row = row_of(tensor_map) | {
        "op": "store" if op is None else ReduceOp(op).name.lower(),
        "coordinates": list(coordinates_of(tensor_map, coordinates)),
        "seed": seed,
        "shared_address": shared_address_of(shared_address),
    }
    return Question("store", row, checked_memories(shared_memory=shared_memory, global_memory=global_memory))


def bulk_question(
    direction: str, source: int, destination: int, size: int, op: int | None, kind: str, seed: int, expected: int | None
) -> Question:
    """A linear copy, or a reduction where there is an ``op``, on PTX's type ``kind``."""
    if direction not in DIRECTIONS:
        raise ValueError(f"direction={direction!r}: it must be one of {', '.join(DIRECTIONS)}")
    row: Row = {"direction": direction, "op": "copy" if op is None else ReduceOp(op).name.lower(), "size": size}
    row |= {"source": source, "destination": destination, "seed": seed} | ({"type": kind} if kind else {})
    if direction != "shared_to_global":
        least = CLUSTER_WINDOW_BYTES if direction == "shared_to_cluster" else 0
        row |= {"transaction_bytes": size if expected is None else expected}
        row |= {"window_bytes": max(window_for(destination + size), least)}
    return Question("bulk", row, {})


def refuse_nonsense(tensor_map: Call) -> None:
    """IllegalTensorMap where there is no map to copy with: sizes of a refused call mean nothing."""
    verdict = tensor_map.check()
    if not verdict.accepted:
        raise IllegalTensorMap(verdict)


def checked_memories(**memories: Memory | None) -> Given:
    """The memories that were given, checked."""
    return {name: flat_bytes(name, memory) for name, memory in memories.items() if memory is not None}


def window_bytes(m: Call, shared_address: int) -> int:
    """Room for the box wherever it is swizzled to. ValueError for more than a block can have."""
    rows, _ = rows_and_units(m)
    room = window_for(shared_address + max(rows * row_pitch_bytes(m), SPAN_MAX_BYTES))
    most = SHARED_MEMORY_PER_BLOCK_BYTES
    if room > most:
        raise ValueError(f"the box needs {room:,} bytes of shared memory; a block has {most:,}")
    return room


def type_of(kind: str) -> DataType:
    """The enumeration's member of a type in PTX's words; ValueError for an unknown one."""
    if kind not in PTX_TYPES:
        raise ValueError(f"kind={kind!r}: it must be one of {', '.join(PTX_TYPES)}")
    return PTX_TYPES[kind]
