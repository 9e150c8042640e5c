"""Maps that outlive their memory, and calls behind a fault: what each answers. Run in a child, as most lose the context.

A map is 128 bytes with an address in them: nothing tells it that the memory is gone. And a fault is told by whichever
call comes next, be it the encode call of another map.
"""

import time
from collections.abc import Callable, Iterator
from ctypes import addressof, c_void_p
from itertools import product
from typing import Any

import numpy as np
from cuda.bindings import driver

from course_lib.gpu.asked.copies import descriptor, launch_load, load_kernel, load_request
from course_lib.gpu.context import Gpu, GpuError, Trap, driver_value, pointer
from course_lib.gpu.encode import encode
from course_lib.rows.boxes import box_row
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS
from course_lib.rows.row import Row
from maintain.hardware.cases.encode import tiled_base
from maintain.hardware.cases.faults import CAUSES, FaultJob, load_of

OLD, NEW, UNTOUCHED = 0x11, 0x22, 0xCD
NAMES = {OLD: "old", NEW: "new", UNTOUCHED: "untouched"}
MEMORY_KIB = (64, 4096, 65536)  # a tensor of 64 KiB at the start of each
ORDERS = (
    ("encode", "synchronize", "encode", "allocate", "launch"),
    ("synchronize", "encode", "encode a broken map", "allocate", "launch"),
    ("allocate", "encode"),
    ("launch", "encode"),
)
WAITS_MS = (0, 100)  # between the faulty launch and the first call


def rows_of_freed_memory() -> Iterator[Row]:
    """Memory of three sizes, freed after the map was made; and freed, then allocated again and filled with other bytes."""
    box = box_row(64, 16) | {"global_address": 0}
    asked = {"coordinates": [0, 0], "shared_address": 0, "window_bytes": 2048, "transaction_bytes": 1024}
    for kib, then in product(MEMORY_KIB, ("nothing", "allocate again")):
        yield {"map": box | asked, "memory_bytes": kib << 10, "then": then}


def after_fault_rows() -> Iterator[Row]:
    """Each cause of a fault, each order of calls, at once and after a while; and the calls behind a good launch."""
    causes: dict[str, Row] = {"no fault": {}, **CAUSES}
    for (why, changed), wait_ms, calls in product(causes.items(), WAITS_MS, ORDERS):
        yield {"why": why, "map": load_of(tiled_base(2, 2), **changed), "wait_ms": wait_ms, "calls": list(calls)}


def stale_jobs() -> Iterator[FaultJob]:
    """All of them: (what to do, the row)."""
    yield from (("freed", row) for row in rows_of_freed_memory())
    yield from (("after_fault", row) for row in after_fault_rows())


def filled_memory(size_bytes: int, byte: int) -> int:
    """The address of new memory full of ``byte``."""
    address = int(driver_value(driver.cuMemAlloc(size_bytes), "allocate"))
    driver_value(driver.cuMemsetD8(address, byte, size_bytes), "fill")
    driver_value(driver.cuCtxSynchronize(), "fill")
    return address


def run_freed(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """Encode, copy once, free, perhaps allocate again, copy by the same 128 bytes: ``first`` and ``saw``, the bytes that
    came ("old", "new", "untouched" or "other"), ``status`` of the second wait, ``same_address`` of the new memory.
    """
    address, asked = filled_memory(row["memory_bytes"], OLD), row["map"]
    _, map_bytes = descriptor(asked, address)
    first = load_box(gpu, asked, map_bytes)
    driver_value(driver.cuMemFree(address), "free")
    told: Row = {"first": first["saw"]}
    if row["then"] != "nothing":
        told["same_address"] = filled_memory(row["memory_bytes"], NEW) == address
    try:
        return told | load_box(gpu, asked, map_bytes)
    except Trap as trap:
        trap.seen = told
        raise


def load_box(gpu: Gpu, row: Row, map_bytes: Any) -> Row:
    """What a load brings: ``status`` and ``saw``."""
    outcome = launch_load(gpu, load_kernel(gpu, row), map_bytes, load_request(row), row["window_bytes"], True)
    box = bytes.fromhex(outcome["window"])[: row["transaction_bytes"]]
    return {"status": outcome["status"], "saw": NAMES.get(box[0], "other") if len(set(box)) == 1 else "other"}


def run_after_fault(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """Launch, wait, then the calls in order: ``answers``, the CUresult of each (a call that is refused goes no further).

    Trap with the CUresult of the fault, as the context is lost then, even where none of the calls has told it yet.
    """
    asked = row["map"]
    _, map_bytes = descriptor(asked, gpu.unchanging(asked["seed"], GLOBAL_BYTES_OF_LOADS))
    start = starter(gpu, asked, map_bytes)
    calls = calls_by_name(start)
    driver_value(driver.cuCtxSynchronize(), "before")
    start()
    time.sleep(row["wait_ms"] / 1000)
    answers = [code_of(calls[name]) for name in row["calls"]]
    if fault := calls["synchronize"]():
        trap = Trap(driver.CUresult(fault), "calls behind a fault")
        trap.seen = {"answers": answers}
        raise trap
    return {"answers": answers}


def starter(gpu: Gpu, row: Row, map_bytes: Any) -> Callable[[], int]:
    """What puts the load into the queue and answers with the launch's CUresult, without waiting."""
    kernel, out, answer = load_kernel(gpu, row), gpu.buffer("window", 256 << 10), gpu.buffer("answer", 64)
    gpu.write(out, np.zeros(8, np.uint8))
    arguments = (map_bytes, load_request(row), pointer(out), pointer(answer))
    pointers = (c_void_p * len(arguments))(*(addressof(argument) for argument in arguments))
    sizes = (1, 1, 1, 256, 1, 1, row["window_bytes"], 0)

    def start(held: Any = arguments) -> int:
        return int(driver.cuLaunchKernel(kernel, *sizes, addressof(pointers), 0)[0])

    return start


def calls_by_name(start: Callable[[], int]) -> dict[str, Callable[[], int]]:
    """The calls by name, each with its CUresult."""
    good = tensor_map_of(box_row(64, 16))
    broken = tensor_map_of(box_row(64, 16) | {"global_strides": [8]})
    return {
        "encode": lambda: encode(good)[0],
        "encode a broken map": lambda: encode(broken)[0],
        "synchronize": lambda: int(driver.cuCtxSynchronize()[0]),
        "allocate": lambda: int(driver.cuMemAlloc(4096)[0]),
        "launch": start,
    }


def code_of(call: Callable[[], int]) -> int:
    """A call's CUresult, whichever of its steps was refused."""
    try:
        return call()
    except GpuError as error:
        return error.code
