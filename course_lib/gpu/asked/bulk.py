"""Linear bulk copies: one row in, its outcome out. No tensor map, only addresses and a size in bytes.

A row has ``direction`` (one of DIRECTIONS), ``op`` ("copy" or a reduction) with its PTX ``type``, ``source``,
``destination`` (offsets in bytes into the two memories), ``size`` in bytes and ``seed``.
"""

from ctypes import Structure, c_uint32, c_uint64
from typing import Any

from course_lib.gpu.asked.copies import PATIENCE_NS, launch_load, memory_outcome
from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.rows.memory import (
    GLOBAL_BYTES_OF_LOADS,
    GLOBAL_BYTES_OF_STORES,
    SHARED_BYTES_OF_STORES,
    SHARED_SEED_OFFSET,
    source_bytes,
)
from course_lib.rows.row import Row


class ToShared(Structure):
    """The request of bulk_load and bulk_cluster."""

    _fields_ = tuple(
        (name, c_uint32)
        for name in ("source", "destination", "size", "window_bytes", "transaction_bytes", "patience_ns")
    )


class ToGlobal(Structure):
    """The request of bulk_store."""

    _fields_ = tuple((name, c_uint32) for name in ("source", "destination", "size", "shared_bytes"))


class ToL2(Structure):
    """The request of bulk_prefetch."""

    _fields_ = (("source", c_uint64), ("size", c_uint32))


def reduction(row: Row) -> Macros:
    """The macro that turns the copy into the row's reduction. 16-bit float additions need .noftz in PTX."""
    if row["op"] == "copy":
        return {}
    rounding = ".noftz" if row["op"] == "add" and row["type"] in ("f16", "bf16") else ""
    return {"REDUCTION": f'".{row["op"]}{rounding}.{row["type"]}"'}


def to_shared(row: Row) -> ToShared:
    """The request of a copy that a barrier counts."""
    expected = row.get("transaction_bytes", row["size"])
    return ToShared(row["source"], row["destination"], row["size"], row["window_bytes"], expected, PATIENCE_NS)


def global_to_shared(gpu: Gpu, row: Row, keep: bool) -> Row:
    """Global memory to a window of shared memory, counted by an mbarrier."""
    memory = pointer(gpu.unchanging(row["seed"], GLOBAL_BYTES_OF_LOADS))
    return launch_load(gpu, gpu.function("bulk_load"), to_shared(row), memory, row["window_bytes"], keep)


def shared_to_cluster(gpu: Gpu, row: Row, keep: bool) -> Row:
    """Shared memory of block 0 to a window in block 1 of the same cluster, counted by block 1's mbarrier."""
    memory = pointer(gpu.unchanging(row["seed"] + SHARED_SEED_OFFSET, SHARED_BYTES_OF_STORES))
    kernel = gpu.function("bulk_cluster", macros=reduction(row))
    return launch_load(gpu, kernel, to_shared(row), memory, row["window_bytes"], keep, blocks=2)


def shared_to_global(gpu: Gpu, row: Row, keep: bool) -> Row:
    """Shared memory to global memory, as a copy or a reduction, waited for as a bulk group."""
    memory, before = (
        gpu.buffer("store memory", GLOBAL_BYTES_OF_STORES),
        source_bytes(row["seed"], GLOBAL_BYTES_OF_STORES),
    )
    gpu.write(memory, before)
    source = gpu.unchanging(row["seed"] + SHARED_SEED_OFFSET, SHARED_BYTES_OF_STORES)
    request = ToGlobal(row["source"], row["destination"], row["size"], SHARED_BYTES_OF_STORES)
    arguments = (request, pointer(memory), pointer(source), pointer(gpu.buffer("answer", 64)))
    gpu.launch(gpu.function("bulk_store", macros=reduction(row)), *arguments, shared_bytes=SHARED_BYTES_OF_STORES)
    return memory_outcome(before, gpu.read(memory, GLOBAL_BYTES_OF_STORES), keep)


def prefetch(gpu: Gpu, row: Row, keep: bool) -> Row:
    """Global memory to L2. Nothing is to be seen but a fault."""
    memory = gpu.unchanging(row["seed"], GLOBAL_BYTES_OF_LOADS)
    gpu.launch(gpu.function("bulk_prefetch"), ToL2(row["source"], row["size"]), pointer(memory))
    return {}


DIRECTIONS: dict[str, Any] = {
    "global_to_shared": global_to_shared,
    "shared_to_cluster": shared_to_cluster,
    "shared_to_global": shared_to_global,
    "prefetch": prefetch,
}


def bulk(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """The outcome of the linear bulk copy that ``row`` describes: as for ``load`` and ``store``. Trap where it faults."""
    outcome: Row = DIRECTIONS[row["direction"]](gpu, row, keep)
    return outcome
