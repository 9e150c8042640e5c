"""Rows of clusters and of the tensor core against the model: multicast loads, and what a wgmma descriptor reads."""

import numpy as np

from course_lib.model.barrier.multicast import multicast_load
from course_lib.model.facts.enums import Swizzle
from course_lib.model.tensor_core.wgmma import WgmmaDescriptor, wgmma_reads
from course_lib.recordings.replay.comparison import Answer, Compared, attempt, must_have, whole
from course_lib.recordings.replay.copy_rows import WINDOW_LIMIT_BYTES, read_memory
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.memory import WINDOW_FILL, digest
from course_lib.rows.row import RecordingError, Row

ELEMENT_BYTES = {"bf16": 2, "f16": 2, "tf32": 4, "e4m3": 1, "e5m2": 1, "s8": 1, "u8": 1}
BLOCKS_MAX = 17  # one past what a cluster has


def compare_multicast(row: Row) -> Compared:
    """A multicast load: the window of every block, and whether its barrier completed with the bytes it expected."""
    recorded = {f"block {rank}": (block["status"], block["blake2b_96"]) for rank, block in enumerate(row["blocks"])}
    return Compared({"fault": row.get("fault")} | recorded, *attempt(lambda: answer_multicast(row)))


def answer_multicast(row: Row) -> Answer:
    """What the model's loads leave in every block."""
    size = whole(row, "window_bytes", WINDOW_LIMIT_BYTES)
    windows = [np.full(size, WINDOW_FILL, np.uint8) for _ in range(whole(row, "cluster_size", BLOCKS_MAX))]
    rank = row["rank"]
    issues = [(i["block"], i["cta_mask"], i["coordinates"][:rank], i["shared_address"]) for i in row["issues"]]
    counted = multicast_load(tiled_map_of(row), issues, read_memory(row), windows)
    blocks = zip(counted, row["expected_bytes"], windows, strict=True)
    return {f"block {i}": (int(came == told), digest(window)) for i, (came, told, window) in enumerate(blocks)}


def compare_wgmma(row: Row) -> Compared:
    """Which shared addresses, less the window's, a descriptor makes the tensor core read."""
    must_have(row, "blake2b_96")
    return Compared({"blake2b_96": row["blake2b_96"]}, *attempt(lambda: answer_wgmma(row)))


def answer_wgmma(row: Row) -> Answer:
    """The digest of the model's addresses. RecordingError for an element type or a swizzle that has no name here."""
    if row["type"] not in ELEMENT_BYTES:
        raise RecordingError(f"type must be one of {', '.join(ELEMENT_BYTES)}, not {row['type']!r}")
    descriptor = WgmmaDescriptor.decode(int(row["descriptor"], 16))
    if descriptor.swizzle != Swizzle[row["swizzle"]]:
        return {"blake2b_96": f"the word holds swizzle {descriptor.swizzle!r}"}
    rows = row["m"] if row["operand"] == "A" else row["n"]
    shape = {"rows": rows, "k": row["k"], "element_bytes": ELEMENT_BYTES[row["type"]]}
    addresses = wgmma_reads(descriptor, operand=row["operand"], major=row["major"], **shape) - row["window_base"]
    return {"blake2b_96": digest(np.ascontiguousarray(addresses).astype("<u4").view(np.uint8))}
