"""Rows of loads, stores and reductions against the model."""

from base64 import b64decode
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.tensor_map import Call
from course_lib.model.copy.transfer import Copied, load, prefetch, reduce, store
from course_lib.model.facts.enums import ReduceOp
from course_lib.recordings.replay.comparison import (
    Answer,
    Compared,
    attempt,
    first_entries,
    must_have,
    read_call,
    whole,
)
from course_lib.rows.memory import (
    GLOBAL_BYTES_OF_LOADS,
    GLOBAL_BYTES_OF_STORES,
    SHARED_BYTES_OF_STORES,
    SHARED_SEED_OFFSET,
    WINDOW_FILL,
    digest,
    source_bytes,
)
from course_lib.rows.row import RecordingError, Row

WINDOW_LIMIT_BYTES = 2**20
SEED_LIMIT = 2**31


def compare_copy(row: Row, tensor_map: Call, parts: tuple[str, ...], perform: Callable[[], Answer]) -> Compared:
    """What a copy answered against what ``perform`` does: refused, a fault, or the ``parts`` of its result."""
    fault = row.get("fault")
    recorded: Answer = {"result": row["result"], "fault": fault}
    if row["result"]:
        return Compared({"result": row["result"]}, {"result": 0 if tensor_map.check().accepted else 1})
    if fault is None:
        must_have(row, "blake2b_96")
        recorded |= {part: row[part] for part in (*parts, "blake2b_96") if part in row}
    return Compared(recorded, *attempt(perform))


def compare_load(row: Row) -> Compared:
    """A load: the barrier, the extent of what was touched, the window's digest and, where it is kept, its bytes."""
    tensor_map = read_call(row)
    return compare_copy(row, tensor_map, ("status", "last_touched", "window"), lambda: answer_load(row, tensor_map))


def answer_load(row: Row, tensor_map: Call) -> Answer:
    """What the model's load of a row leaves in the window."""
    window = np.full(whole(row, "window_bytes", WINDOW_LIMIT_BYTES), WINDOW_FILL, np.uint8)
    copied = load(
        tensor_map,
        first_entries(row, "coordinates", tensor_map.rank),
        read_memory(row),
        window,
        shared_address=row.get("shared_address", 0),
        im2col_offsets=first_entries(row, "im2col_offsets", tensor_map.rank - 2),
    )
    touched = np.flatnonzero(window != WINDOW_FILL)
    return {
        "status": int(copied.transaction_bytes == row.get("transaction_bytes")),
        "last_touched": int(touched[-1]) + 1 if touched.size else 0,
        "blake2b_96": digest(window),
        "window": window.tobytes(),
    }


def compare_prefetch(row: Row) -> Compared:
    """A prefetch of a box: refused, a fault, or nothing to be seen."""
    tensor_map = read_call(row)
    coordinates = first_entries(row, "coordinates", tensor_map.rank)
    offsets = first_entries(row, "im2col_offsets", tensor_map.rank - 2) if tensor_map.is_im2col else ()

    def perform() -> Answer:
        prefetch(tensor_map, coordinates, im2col_offsets=offsets)
        return {}

    return Compared({"result": row["result"], "fault": row.get("fault")}, *attempt(perform))


def read_memory(row: Row) -> NDArray[np.uint8]:
    """The memory that a load read: the row's own bytes (base64), or the seed's."""
    if "global_memory" in row:
        return np.frombuffer(b64decode(row["global_memory"]), np.uint8)
    return source_bytes(whole(row, "seed", SEED_LIMIT), GLOBAL_BYTES_OF_LOADS)


def compare_store(row: Row) -> Compared:
    """A store or reduction: bytes counted, bytes changed, and the digest of global memory."""
    tensor_map = read_call(row)
    return compare_copy(row, tensor_map, ("bytes", "changed"), lambda: answer_store(row, tensor_map))


def answer_store(row: Row, tensor_map: Call) -> Answer:
    """What the model's store or reduction of a row leaves in global memory, as a row keeps it."""
    copied, after = perform_store_row(row, tensor_map)
    changed = int(np.count_nonzero(before_store(row) != after))
    return {"bytes": copied.transaction_bytes, "changed": changed, "blake2b_96": digest(after)}


def before_store(row: Row) -> NDArray[np.uint8]:
    """Global memory before a row's store, read-only."""
    return source_bytes(whole(row, "seed", SEED_LIMIT), GLOBAL_BYTES_OF_STORES)


def perform_store_row(row: Row, tensor_map: Call) -> tuple[Copied, NDArray[np.uint8]]:
    """What the model's store or reduction of a row tells, and global memory afterwards. Raises as ``model.transfer``."""
    shared = source_bytes(whole(row, "seed", SEED_LIMIT) + SHARED_SEED_OFFSET, SHARED_BYTES_OF_STORES)
    after = before_store(row).copy()
    coordinates = first_entries(row, "coordinates", tensor_map.rank)
    address = row.get("shared_address", 0)
    if row["op"] == "store":
        return store(tensor_map, coordinates, shared, after, shared_address=address), after
    return reduce(operation(row["op"]), tensor_map, coordinates, shared, after, shared_address=address), after


def operation(name: Any) -> ReduceOp:
    """The reduction that a row names in PTX's words."""
    if str(name).upper() not in ReduceOp.__members__:
        raise RecordingError(
            f"op must be store or one of {', '.join(op.name.lower() for op in ReduceOp)}, not {name!r}"
        )
    return ReduceOp[str(name).upper()]
