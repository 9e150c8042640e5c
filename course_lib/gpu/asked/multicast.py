"""One box sent to the blocks of a cluster that a mask names: who gets it, whose phase ends, what traps."""

from ctypes import Structure, c_int, c_uint32

import numpy as np

from course_lib.gpu.asked.copies import descriptor
from course_lib.gpu.context import Gpu, pointer
from course_lib.rows.boxes import SEED, box_row
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, Bytes, source_bytes
from course_lib.rows.row import Row

BOX = (64, 16)  # bytes, as the elements have one byte
BOX_BYTES = BOX[0] * BOX[1]
PATIENCE_NS = 5_000_000
CLUSTER_MAX = 8


class Request(Structure):
    """The kernel's struct request."""

    _fields_ = (("mask", c_uint32), ("bytes", c_uint32), ("patience_ns", c_uint32), ("leaves", c_int))


def box_alone() -> Bytes:
    """The bytes of the box as one block would get them."""
    memory = source_bytes(SEED, GLOBAL_BYTES_OF_LOADS)[box_row(*BOX)["global_address"] :]
    return memory[: 256 * BOX[1]].reshape(BOX[1], 256)[:, : BOX[0]].reshape(-1)


def multicast(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """Send the box; for each block, in order of rank: ``ended``, did its phase end, ``landed``, has it the box's bytes.

    Trap where the mask names a block that is not there. Every wait is bounded.
    """
    cluster, leaves = row["cluster"], -1 if row["leaves"] is None else row["leaves"]
    result, map_bytes = descriptor(box_row(*BOX), gpu.unchanging(SEED, GLOBAL_BYTES_OF_LOADS))
    if result:
        return {"result": result}
    copied, ended = gpu.buffer("windows", CLUSTER_MAX * BOX_BYTES), gpu.buffer("phases", 4 * CLUSTER_MAX)
    for address, size_bytes in ((copied, CLUSTER_MAX * BOX_BYTES), (ended, 4 * CLUSTER_MAX)):
        gpu.write(address, np.zeros(size_bytes, np.uint8))
    request = Request(row["mask"], BOX_BYTES, PATIENCE_NS, leaves)
    kernel = gpu.function("multicast", macros={"CLUSTER": cluster})
    gpu.launch(kernel, map_bytes, request, pointer(copied), pointer(ended), blocks=cluster, shared_bytes=BOX_BYTES)
    windows = gpu.read(copied, cluster * BOX_BYTES).reshape(cluster, -1)
    phases = gpu.read(ended, 4 * cluster).view(np.uint32)
    return {
        "ended": [int(phase) for phase in phases],
        "landed": [int(np.array_equal(window, box_alone())) for window in windows],
    }
