"""A second GPU's memory as the source of TMA copies, bulk copies and loads on this one. Needs two GPUs."""

from collections.abc import Iterator
from typing import Any

from cuda.bindings import driver

from course_lib.gpu.context import Gpu, driver_value
from course_lib.gpu.measure.buffers import MIB, filled_buffer
from course_lib.gpu.measure.timing import finish, time_interleaved
from course_lib.gpu.measure.ways import MemoryRows, ThreadWay, TileWay
from course_lib.rows.row import Row
from maintain.hardware.measure.traffic.reads import MemoryReader
from maintain.hardware.measure.traffic.sources import row_of_read

SIZE_BYTES, SEED = 256 * MIB, 3
WAYS = (TileWay(128, 128, 4, 4), TileWay(1024, 16, 4, 4, linear=1), ThreadWay(32, 4))
ONE_GPU = "A second GPU is needed to read a peer's memory, and this machine shows one."
APART = "The second GPU's memory cannot be reached from the first (cuDeviceCanAccessPeer)."


def second_device(gpu: Gpu) -> Any:
    """Device 1, or the sentence that says why it cannot be used."""
    if int(driver_value(driver.cuDeviceGetCount(), "count")) < 2:
        return ONE_GPU
    device = driver_value(driver.cuDeviceGet(1), "device 1")
    return device if int(driver_value(driver.cuDeviceCanAccessPeer(gpu.device, device), "peer access")) else APART


def open_peer_memory(device: Any, size_bytes: int) -> int:
    """Memory on the other device that kernels of the current context may read; that context stays current."""
    own = driver_value(driver.cuCtxGetCurrent(), "context")
    other = driver_value(driver.cuDevicePrimaryCtxRetain(device), "context of device 1")
    driver_value(driver.cuCtxSetCurrent(other), "context of device 1")
    address = int(driver_value(driver.cuMemAlloc(size_bytes), "allocate on device 1"))
    driver_value(driver.cuCtxSetCurrent(own), "context")
    driver_value(driver.cuCtxEnablePeerAccess(other, 0), "peer access")
    return address


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """The same bytes on this device and on the other, each way interleaved; or why it was not asked."""
    device = second_device(gpu)
    if isinstance(device, str):
        yield {"kind": "missing", "said": device}
        return
    own, far = filled_buffer(gpu, "own", SIZE_BYTES, SEED), open_peer_memory(device, SIZE_BYTES)
    driver_value(driver.cuMemcpyDtoD(far, own, SIZE_BYTES), "copy to device 1")
    finish()
    readers = {"device": MemoryReader(gpu, own, MemoryRows(16384, 16384, SIZE_BYTES // 16384))}
    readers["peer"] = MemoryReader(gpu, far, MemoryRows(16384, 16384, SIZE_BYTES // 16384))
    reads = [(kind, reader(way)) for kind, reader in readers.items() for way in WAYS]
    sums = [read.sum(gpu) for _, read in reads]
    times = time_interleaved([read.launch for _, read in reads], 3 if quick else 15)
    for (kind, read), found, spent in zip(reads, sums, times, strict=True):
        yield row_of_read(kind, read, found == sums[0], spent)
