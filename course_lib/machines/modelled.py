"""The model as a machine: answers everything, proves nothing."""

from typing import Any

import numpy as np

from course_lib.machines.answers import Who
from course_lib.machines.interface import Machine
from course_lib.machines.questions import Given, Question, type_of
from course_lib.model.barrier.countdown import pieces, sums
from course_lib.model.call.arguments import Memory
from course_lib.model.copy.bulk import bulk_copy, bulk_reduce
from course_lib.model.copy.transfer import load, reduce, store
from course_lib.model.facts.enums import ReduceOp
from course_lib.model.facts.faults import DeviceFault
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import (
    GLOBAL_BYTES_OF_LOADS,
    GLOBAL_BYTES_OF_STORES,
    SHARED_BYTES_OF_STORES,
    SHARED_SEED_OFFSET,
    WINDOW_FILL,
    source_bytes,
)
from course_lib.rows.row import Row

THE_MODEL = Who("model")


class Model(Machine):
    """Our own arithmetic, on any computer. Label of what it says: model."""

    def ask(self, question: Question) -> tuple[Row, Who]:
        """Perform the question on bytes; a fault is an answer with its reason."""
        try:
            return ANSWERS[question.do](question.row, question.given), THE_MODEL
        except DeviceFault as fault:
            return {"result": 0, "fault": fault.code, "why": fault.reason}, THE_MODEL


def answer_encode(row: Row, given: Given) -> Row:
    """The encode call: the bytes, or the rules that it breaks."""
    tensor_map = tensor_map_of(row)
    verdict = tensor_map.check()
    if not verdict.accepted:
        return {"result": 1, "why": "; ".join(broken.message for broken in verdict.broken)}
    return {"result": 0, "bytes": tensor_map.encode()}


def answer_load(row: Row, given: Given) -> Row:
    """A tensor load into a window."""
    m, told = tensor_map_of(row), row["transaction_bytes"]
    window = np.full(row["window_bytes"], WINDOW_FILL, np.uint8)
    offsets = tuple(row.get("im2col_offsets", ()))
    memory = given.get("global_memory", source_bytes(row["seed"], GLOBAL_BYTES_OF_LOADS))
    place: dict[str, Any] = {"shared_address": row["shared_address"], "im2col_offsets": offsets}
    copied = load(m, row["coordinates"], memory, window, **place)
    outcome = count_bytes(told, copied.transaction_bytes)
    if 0 < told < copied.transaction_bytes and told in sums(pieces(m, row["coordinates"], offsets)):
        outcome |= {"completed": None, "why": "pieces of the copy add up to the count: it may be hit early"}
    return {"result": 0, "memory": window} | outcome


def count_bytes(told: int, came: int) -> Row:
    """What the barrier makes of a count."""
    return {"completed": told in (0, came), "awaited_bytes": told - came if told else 0}


def answer_store(row: Row, given: Given) -> Row:
    """A tensor store or reduction."""
    m, op, place = tensor_map_of(row), row["op"], {"shared_address": row["shared_address"]}
    shared, after = memories_of_store(row, given)
    if op == "store":
        store(m, row["coordinates"], shared, after, **place)
    else:
        reduce(ReduceOp[op.upper()], m, row["coordinates"], shared, after, **place)
    return {"result": 0, "memory": after}


def memories_of_store(row: Row, given: Given) -> tuple[Memory, Memory]:
    """Shared memory, and a fresh copy of global memory."""
    shared = given.get("shared_memory", source_bytes(row["seed"] + SHARED_SEED_OFFSET, SHARED_BYTES_OF_STORES))
    return shared, given.get("global_memory", source_bytes(row["seed"], GLOBAL_BYTES_OF_STORES)).copy()


def answer_bulk(row: Row, given: Given) -> Row:
    """A linear copy or reduction."""
    shared = source_bytes(row["seed"] + SHARED_SEED_OFFSET, SHARED_BYTES_OF_STORES)
    to_global = row["direction"] == "shared_to_global"
    source = source_bytes(row["seed"], GLOBAL_BYTES_OF_LOADS) if row["direction"] == "global_to_shared" else shared
    if to_global:
        target = source_bytes(row["seed"], GLOBAL_BYTES_OF_STORES).copy()
    else:
        target = np.full(row["window_bytes"], WINDOW_FILL, np.uint8)
    places = (source, row["source"], target, row["destination"], row["size"])
    if row["op"] == "copy":
        copied = bulk_copy(*places)
    else:
        cluster = row["direction"] == "shared_to_cluster"
        copied = bulk_reduce(ReduceOp[row["op"].upper()], type_of(row.get("type", "")), *places, to_cluster=cluster)
    told = row.get("transaction_bytes")
    return {"memory": target} | ({} if told is None else count_bytes(told, copied.transaction_bytes))


ANSWERS = {"encode": answer_encode, "load": answer_load, "store": answer_store, "bulk": answer_bulk}
