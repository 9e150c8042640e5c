"""One row in, its outcome out: bulk tensor loads, stores, reductions and prefetches, in the recordings' own format.

Every function may raise Trap, which ends the process's context: launch what may trap through ``child``.
"""

from base64 import b64decode
from ctypes import Structure, c_int, c_uint32
from typing import Any

import numpy as np

from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.encode import as_argument, encode
from course_lib.model.call.sizes import transaction_bytes
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import (
    GLOBAL_BYTES_OF_LOADS,
    GLOBAL_BYTES_OF_STORES,
    SHARED_BYTES_OF_STORES,
    SHARED_SEED_OFFSET,
    WINDOW_FILL,
    Bytes,
    digest,
    source_bytes,
)
from course_lib.rows.row import Row

PATIENCE_NS = 20_000_000  # of the bounded wait on the barrier
REFUSED = "result"


class LoadRequest(Structure):
    """The kernels' request of the same name, field by field."""

    _fields_ = (
        ("rank", c_int),
        ("coordinate", c_int * 5),
        ("offset", c_int * 3),
        ("shared_address", c_uint32),
        ("window_bytes", c_uint32),
        ("transaction_bytes", c_uint32),
        ("patience_ns", c_uint32),
        ("barrier_offset", c_uint32),
        ("short_bytes", c_int),
    )


class StoreRequest(Structure):
    """The kernels' request of the same name, field by field."""

    _fields_ = (
        ("rank", c_int),
        ("coordinate", c_int * 5),
        ("shared_address", c_uint32),
        ("shared_bytes", c_uint32),
    )


def descriptor(row: Row, memory: int) -> tuple[int, Any]:
    """(CUresult, the 128 bytes as a kernel's argument). ``absolute_address`` in a row stands for no memory of ours."""
    tensor_map = tensor_map_of(row)
    base = row["absolute_address"] - row["global_address"] if "absolute_address" in row else memory
    result, data = encode(tensor_map, base)
    return result, as_argument(data) if data else None


def load(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """A bulk tensor load, tiled or im2col. Adds ``status`` (1: the barrier completed with exactly ``transaction_bytes``),
    ``last_touched`` and the window's digest; ``window`` in hex to ``keep``. Where the barrier did not complete,
    ``short_bytes``: the bytes it was told less those of the box, if making them up by hand ended the phase.
    """
    result, map_bytes = descriptor(row, source_address(gpu, row, "global_memory", row["seed"], GLOBAL_BYTES_OF_LOADS))
    if result:
        return {REFUSED: result}
    request, short_bytes = load_request(row), short(row)
    outcome = launch_load(gpu, load_kernel(gpu, row), map_bytes, request, row["window_bytes"], keep)
    ended = not outcome["status"] and gpu.read(gpu.buffer("answer", 64), 12).view(np.uint32)[2]
    return {REFUSED: 0} | outcome | ({"short_bytes": short_bytes} if ended else {})


def short(row: Row) -> int:
    """The bytes that the barrier is told less those of the box."""
    told: int = row["transaction_bytes"]
    return told - transaction_bytes(tensor_map_of(row))


def load_kernel(gpu: Gpu, row: Row) -> Any:
    """The kernel of the row's mode."""
    return gpu.function("load_tiled" if row["api"] == "tiled" else "load_im2col")


def load_request(row: Row) -> LoadRequest:
    """The request of a load."""
    return LoadRequest(
        row["rank"],
        (c_int * 5)(*row["coordinates"]),
        (c_int * 3)(*row.get("im2col_offsets", ())),
        row.get("shared_address", 0),
        row["window_bytes"],
        row["transaction_bytes"],
        PATIENCE_NS,
        row.get("barrier_offset", 0),
        short(row),
    )


def source_address(gpu: Gpu, row: Row, name: str, seed: int, size_bytes: int) -> int:
    """The address of the memory that a copy reads: the row's own bytes (base64, zeros behind them), or the seed's."""
    if name not in row:
        return gpu.unchanging(seed, size_bytes)
    address = gpu.buffer(name, size_bytes)
    gpu.write(address, own_bytes(row, name, size_bytes))
    return address


def own_bytes(row: Row, name: str, size_bytes: int) -> Bytes:
    """The row's own bytes, with zeros behind them. ValueError where they are too many."""
    own = np.frombuffer(b64decode(row[name]), np.uint8)
    if own.size > size_bytes:
        raise ValueError(f"{name} has {own.size} bytes; there is room for {size_bytes}")
    return np.concatenate([own, np.zeros(size_bytes - own.size, np.uint8)])


def launch_load(gpu: Gpu, kernel: Any, first: Any, second: Any, window_bytes: int, keep: bool, blocks: int = 1) -> Row:
    """Launch a kernel that loads into a window, and read the window and the kernel's answer."""
    out, answer = gpu.buffer("window", 256 << 10), gpu.buffer("answer", 64)
    gpu.launch(kernel, first, second, pointer(out), pointer(answer), blocks=blocks, shared_bytes=window_bytes)
    return window_outcome(gpu.read(out, window_bytes), gpu.read(answer, 8).view(np.uint32), keep)


def window_outcome(window: Bytes, answer: Any, keep: bool) -> Row:
    """What a row keeps of a window and of the answer (status, window address)."""
    if answer[1] % 1024:
        raise RuntimeError(f"the window lies at {answer[1]}, which is no multiple of 1024")
    touched = np.flatnonzero(window != WINDOW_FILL)
    outcome: Row = {"status": int(answer[0]), "last_touched": int(touched[-1]) + 1 if len(touched) else 0}
    return outcome | {"blake2b_96": digest(window)} | ({"window": window.tobytes().hex()} if keep else {})


def store(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """A bulk tensor store or reduction (``op``). Adds ``changed`` and the digest of global memory; ``memory`` to ``keep``."""
    memory = gpu.buffer("store memory", GLOBAL_BYTES_OF_STORES)
    result, map_bytes = descriptor(row, memory)
    if result:
        return {REFUSED: result}
    named, shared_seed = "global_memory" in row, row["seed"] + SHARED_SEED_OFFSET
    before = (
        own_bytes(row, "global_memory", GLOBAL_BYTES_OF_STORES)
        if named
        else source_bytes(row["seed"], GLOBAL_BYTES_OF_STORES)
    )
    gpu.write(memory, before)
    launch_store(gpu, row, map_bytes, source_address(gpu, row, "shared_memory", shared_seed, SHARED_BYTES_OF_STORES))
    return {REFUSED: 0} | memory_outcome(before, gpu.read(memory, GLOBAL_BYTES_OF_STORES), keep)


def launch_store(gpu: Gpu, row: Row, map_bytes: Any, shared_source: int) -> None:
    """Launch the store or reduction of ``row`` from a shared memory filled from ``shared_source``."""
    macros: dict[str, str | int] = {} if row["api"] == "tiled" else {"MODE": '"im2col_no_offs"', "IM2COL": 1}
    name = "store" if row["op"] == "store" else "reduce"
    if name == "reduce":
        macros["OP"] = f'"{row["op"]}"'
    kernel = gpu.function(name, macros=macros)
    shared_bytes = row.get("shared_bytes", SHARED_BYTES_OF_STORES)
    coordinates = (c_int * 5)(*row["coordinates"])
    request = StoreRequest(row["rank"], coordinates, row.get("shared_address", 0), shared_bytes)
    answer = gpu.buffer("answer", 64)
    gpu.launch(kernel, map_bytes, request, pointer(shared_source), pointer(answer), shared_bytes=shared_bytes)
    if gpu.read(answer, 4).view(np.uint32)[0] % 1024:
        raise RuntimeError("shared memory does not start at a multiple of 1024")


def memory_outcome(before: Bytes, after: Bytes, keep: bool) -> Row:
    """What a row keeps of global memory after a store."""
    outcome: Row = {"changed": int(np.count_nonzero(before != after)), "blake2b_96": digest(after)}
    return outcome | ({"memory": after.tobytes().hex()} if keep else {})


def encode_row(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """The driver's answer to the encode call alone: ``result``, and ``bytes`` in hex where it is 0."""
    result, data = encode(tensor_map_of(row))
    return {REFUSED: result} | ({"bytes": data.hex()} if data else {})


def prefetch(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """A prefetch into L2, tiled or im2col. Nothing is to be seen but a fault."""
    result, map_bytes = descriptor(row, gpu.unchanging(row["seed"], GLOBAL_BYTES_OF_LOADS))
    if result == 0:
        kernel = gpu.function("prefetch" if row["api"] == "tiled" else "prefetch_im2col")
        gpu.launch(kernel, map_bytes, load_request(row))
    return {REFUSED: result}
