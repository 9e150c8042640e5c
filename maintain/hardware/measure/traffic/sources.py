"""TMA from memory of other kinds: device, pinned host memory, managed memory (a little of it)."""

from collections.abc import Iterator
from ctypes import memmove

from cuda.bindings import driver

from course_lib.gpu.context import Gpu, driver_value
from course_lib.gpu.measure.buffers import GIB, MIB, fill
from course_lib.gpu.measure.timing import enclose, finish, microseconds, summarize, time_interleaved
from course_lib.gpu.measure.ways import MemoryRows, ThreadWay, TileWay
from course_lib.rows.row import Row
from maintain.hardware.measure.traffic.bandwidth import gb_per_s
from maintain.hardware.measure.traffic.reads import MemoryRead, MemoryReader

SIZE_BYTES = {"device": GIB, "pinned": 64 * MIB, "managed": 8 * MIB}
WAYS = (TileWay(128, 128, 4, 4), ThreadWay(32, 4))


def managed_memory(size_bytes: int) -> int:
    """Managed memory."""
    return int(
        driver_value(
            driver.cuMemAllocManaged(size_bytes, int(driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)), "managed"
        )
    )


def memory_of_kind(gpu: Gpu, kind: str, size_bytes: int) -> int:
    """Memory of that kind, full of random words."""
    makers = {"device": lambda: gpu.buffer("device", size_bytes), "managed": lambda: managed_memory(size_bytes)}
    address = makers.get(kind, lambda: gpu.host_buffer("pinned", size_bytes))()
    fill(gpu, address, size_bytes, 3)
    return address


def row_of_read(kind: str, read: MemoryRead, right: bool, spent: list[float]) -> Row:
    """What is told of one read."""
    row = {"memory": kind} | read.row | {"sum_is_right": right} | summarize(spent)
    return gb_per_s(row, read.row["rows"] * read.row["row_bytes"])


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Each kind by TMA and by loads, interleaved. Managed memory lies on the device, where it was written."""
    for kind, size_bytes in SIZE_BYTES.items():
        memory = MemoryRows(16384, 16384, size_bytes // 16384)
        reader = MemoryReader(gpu, memory_of_kind(gpu, kind, size_bytes), memory)
        reads = [reader(way) for way in WAYS]
        sums = [read.sum(gpu) for read in reads]
        times = time_interleaved([read.launch for read in reads], 3 if quick else 15)
        yield from (row_of_read(kind, r, s == sums[0], t) for r, s, t in zip(reads, sums, times, strict=True))
    yield from after_the_host(gpu)


def after_the_host(gpu: Gpu) -> Iterator[Row]:
    """Managed memory that the host wrote last, read by TMA once: its pages come with that read."""
    size_bytes = SIZE_BYTES["managed"]
    address = memory_of_kind(gpu, "managed", size_bytes)
    read = MemoryReader(gpu, address, MemoryRows(16384, 16384, size_bytes // 16384))(WAYS[0])
    before, data = read.sum(gpu), gpu.read(address, size_bytes)
    memmove(address, data.ctypes.data, size_bytes)
    events = enclose(read.launch)
    finish()
    first = microseconds(*events)
    yield row_of_read("managed", read, read.sum(gpu) == before, [first]) | {"host_wrote_it_last": True}
