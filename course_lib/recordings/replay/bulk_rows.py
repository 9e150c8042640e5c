"""Rows of linear bulk copies and reductions against the model."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.copy.bulk import bulk_copy, bulk_reduce
from course_lib.model.facts.enums import DataType
from course_lib.recordings.replay.comparison import Answer, Compared, attempt, must_have, whole
from course_lib.recordings.replay.copy_rows import SEED_LIMIT, WINDOW_LIMIT_BYTES, operation
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

PTX_TYPES = {
    "u32": DataType.UINT32,
    "s32": DataType.INT32,
    "u64": DataType.UINT64,
    "s64": DataType.INT64,
    "f16": DataType.FLOAT16,
    "bf16": DataType.BFLOAT16,
    "f32": DataType.FLOAT32,
    "f64": DataType.FLOAT64,
    "b32": DataType.UINT32,
    "b64": DataType.UINT64,
}
Memories = tuple[NDArray[np.uint8], NDArray[np.uint8]]


def memories(row: Row) -> Memories:
    """Source and destination of a row, by its direction, as they were before the copy."""
    seed, direction = whole(row, "seed", SEED_LIMIT), row["direction"]
    shared = source_bytes(seed + SHARED_SEED_OFFSET, SHARED_BYTES_OF_STORES)
    if direction == "shared_to_global":
        return shared, source_bytes(seed, GLOBAL_BYTES_OF_STORES).copy()
    window = np.full(whole(row, "window_bytes", WINDOW_LIMIT_BYTES), WINDOW_FILL, np.uint8)
    if direction == "global_to_shared":
        return source_bytes(seed, GLOBAL_BYTES_OF_LOADS), window
    if direction == "shared_to_cluster":
        return shared, window
    raise RecordingError(f"direction {direction!r} is none of a bulk copy's")


def compare_bulk(row: Row) -> Compared:
    """A bulk copy or reduction: the fault, or the digest of the destination and whether the barrier completed."""
    recorded: Answer = {"result": 0, "fault": row.get("fault")}
    if row["direction"] == "prefetch":
        return Compared({}, {}, "a prefetch changes nothing that can be compared")
    if recorded["fault"] is None:
        must_have(row, "blake2b_96")
        recorded |= {name: row[name] for name in ("status", "blake2b_96") if name in row}
    return Compared(recorded, *attempt(lambda: answer_bulk(row)))


def answer_bulk(row: Row) -> Answer:
    """What the model's copy leaves at the destination."""
    source, destination = memories(row)
    places: tuple[Any, ...] = (source, row["source"], destination, row["destination"], row["size"])
    if row["op"] == "copy":
        copied = bulk_copy(*places)
    else:
        to_cluster = row["direction"] == "shared_to_cluster"
        copied = bulk_reduce(operation(row["op"]), element_type(row), *places, to_cluster=to_cluster)
    status = int(copied.transaction_bytes == row.get("transaction_bytes", copied.transaction_bytes))
    return {"status": status, "blake2b_96": digest(destination)}


def element_type(row: Row) -> DataType:
    """The type that a reduction's row names in PTX's words."""
    if row.get("type") not in PTX_TYPES:
        raise RecordingError(f"type must be one of {', '.join(PTX_TYPES)}, not {row.get('type')!r}")
    return PTX_TYPES[row["type"]]
