"""Cycles of one warp's shared-memory access at given addresses: what bank conflicts cost."""

from ctypes import c_uint32
from statistics import median
from typing import Any

import numpy as np

from course_lib.gpu.context import Gpu, pointer
from course_lib.rows.memory import Bytes
from course_lib.rows.row import Row

WARPS = 16  # enough to keep shared memory busy through every latency
LOADS_A_WARP = 8 * 64  # BATCH * ROUNDS in banks.cu
RUNS = 15


def bank_cycles(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """Time the row's ``addresses`` (32 byte offsets, one a lane) read ``access_bytes`` (4, 8, 16; 0 is ldmatrix.x4) at a time.

    Adds ``cycles_*``: SM cycles for each warp access while 16 warps keep shared memory busy, and ``latency_*``: cycles
    from one access to a dependent one, one warp alone. Median, min and max of 15 runs after 2 to warm up.
    """
    kinds = (("cycles", "throughput", WARPS), ("latency", "latency", 1))
    outcome: Row = {}
    for name, entry, warps in kinds:
        times = [time_accesses(gpu, row, entry, warps) for _ in range(RUNS + 2)][2:]
        outcome |= {f"{name}_median": median(times), f"{name}_min": min(times), f"{name}_max": max(times)}
    return outcome


def time_accesses(gpu: Gpu, row: Row, entry: str, warps: int) -> float:
    """One launch: from the first warp's start to the last one's end, for each warp access."""
    kernel = gpu.function("banks", entry, {"BYTES": row["access_bytes"]})
    at, times, sink = gpu.buffer("addresses", 128), gpu.buffer("times", 8 * WARPS), gpu.buffer("sink", 64)
    gpu.write(at, np.array(row["addresses"], np.uint32).view(np.uint8))
    shared_bytes = -(-(max(row["addresses"]) + 16) // 1024) * 1024
    arguments: tuple[Any, ...] = (pointer(at), c_uint32(shared_bytes), pointer(times), pointer(sink), c_uint32(0))
    gpu.launch(kernel, *arguments, threads=32 * warps, shared_bytes=shared_bytes)
    return cycles_each(gpu.read(times, 8 * warps), warps)


def cycles_each(times: Bytes, warps: int) -> float:
    """Cycles for each access, from every warp's 32-bit start and end (which may wrap)."""
    table = times.view(np.uint32).reshape(warps, 2)
    since = table - table[0, 0]  # modulo 2**32
    signed = since.view(np.int32)
    return round(float(signed[:, 1].max() - signed[:, 0].min()) / (warps * LOADS_A_WARP), 3)
