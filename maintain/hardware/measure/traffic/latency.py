"""Cycles until one tile lies in shared memory, by its size: TMA, a bulk copy, cp.async, ordinary loads; one block alone.

``from``: "dram" (every copy a tile that nobody read before), "l2" (the same tile again and again), "prefetched" (asked
into L2 some microseconds before).
"""

from collections.abc import Iterator
from ctypes import Structure, c_uint32
from itertools import product

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import GIB, filled_buffer, map_argument, read_words
from course_lib.gpu.measure.timing import Launch, finish, summarize
from course_lib.rows.row import Row

SIZES = (128, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
HOWS = ("tma", "bulk", "cp.async", "loads")
COPIES = 64  # a launch
STEP_BYTES = 64 * 1024
THREADS = 256


class LatencyRequest(Structure):
    """The kernel's struct request."""

    _fields_ = tuple((name, c_uint32) for name in ("tile_bytes", "step_bytes", "step_rows", "times"))


def latency_cases() -> Iterator[tuple[int, str, str]]:
    """(size, how, from)."""
    yield from product(SIZES, HOWS, ("dram", "l2"))
    yield from product(SIZES, ("tma", "bulk"), ("prefetched",))


def latency_macros(size: int, how: str, source: str) -> Macros:
    """The kernel's macros."""
    prefetch = {"tma": 1, "bulk": 2}[how] if source == "prefetched" else 0
    macros: Macros = {"HOW": HOWS.index(how), "PREFETCH": prefetch}
    return macros | ({"PIECES": max(1, size // (16 * THREADS))} if how == "loads" else {})


def launch_copies(
    gpu: Gpu, memory: int, memory_bytes: int, size: int, how: str, source: str, shift: int
) -> tuple[list[int], float]:
    """(cycles of each copy, the SM's clock in MHz) of one launch that begins ``shift`` bytes into the memory."""
    row_bytes = min(size, 256)
    step = 0 if source == "l2" else STEP_BYTES
    request = LatencyRequest(size, step, step // row_bytes, COPIES)
    begin, spent, sink = memory + shift, gpu.buffer("spent", 4096), gpu.buffer("sink", 256)
    rows = (memory_bytes - shift) // row_bytes
    map_bytes = map_argument(begin, row_bytes, rows, row_bytes, row_bytes, size // row_bytes)
    arguments = (map_bytes, request, pointer(begin), pointer(spent), pointer(sink))
    function = gpu.function("measure_latency", macros=latency_macros(size, how, source))
    Launch(function, arguments, (1, 1), THREADS, size)()
    finish()
    found = read_words(gpu, spent, COPIES + 2).tolist()
    return found[:COPIES], found[COPIES] / found[COPIES + 1] * 1e3


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Every case once for each round, each time from an address of its own."""
    memory_bytes = 4 * GIB
    memory = filled_buffer(gpu, "latency", memory_bytes)
    todo = list(latency_cases())[:: 5 if quick else 1]
    cycles: dict[tuple[int, str, str], list[int]] = {case: [] for case in todo}
    clock: list[float] = []
    for turn in range(2 if quick else 6):
        for number, case in enumerate(todo):
            shift = (turn * len(todo) + number) * COPIES * STEP_BYTES
            seen, mhz = launch_copies(gpu, memory, memory_bytes, *case, shift)
            cycles[case] += seen[1:] if turn else []
            clock.append(mhz)
    for (size, how, source), seen in cycles.items():
        row: Row = {
            "kernel": "measure_latency",
            "macros": latency_macros(size, how, source),
            "how": how,
            "from": source,
        }
        yield row | {"tile_bytes": size, "threads": THREADS, "copies": COPIES} | summarize(seen, "cycles")
    yield {"kind": "sm_clock"} | summarize(clock, "mhz")
