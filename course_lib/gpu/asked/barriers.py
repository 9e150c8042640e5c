"""One mbarrier under a script of steps: what each arrival returns, and which phases test_wait calls ended."""

from ctypes import Structure, c_int, c_uint32, c_uint64, sizeof
from typing import Any

from course_lib.gpu.asked.copies import descriptor
from course_lib.gpu.context import Gpu, Trap, pointer
from course_lib.gpu.encode import as_argument
from course_lib.rows.boxes import SEED, SETTLE_NS, box_row
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS
from course_lib.rows.row import Row

STEPS = (
    *("arrive", "expect", "arrive_expect", "copy", "settle"),
    *("arrive_drop", "arrive_count", "complete", "inval", "init"),
)
ARRIVALS = ("arrive", "arrive_expect", "arrive_drop", "arrive_count")
STEPS_MAX = 64
NOT_REACHED = 0xFFFFFFFF


class Script(Structure):
    """The kernel's struct of the same name: what each step is, and its number."""

    _fields_ = (("count", c_int), ("steps", c_int), ("step", c_int * 2 * STEPS_MAX))


class PieceRequest(Structure):
    """The request of barrier_pieces."""

    _fields_ = (("x", c_int), ("y", c_int), ("bytes", c_uint32), ("expected", c_uint32), ("settle_ns", c_uint32))


class Sight(Structure):
    """The kernel's struct of the same name: what is seen after a step."""

    _fields_ = (("memory", c_uint64), ("token", c_uint32), ("ended", c_uint32))


def script_of(row: Row) -> Script:
    """The row's ``count`` and ``steps``. A step is [name] or [name, number]: bytes to expect or complete, nanoseconds to
    settle, arrivals to count or drop, the first coordinate of the box to copy, the count of another init.
    """
    steps = [(STEPS.index(step[0]), *step[1:], 0)[:2] for step in row["steps"]]
    return Script(row["count"], len(steps), (c_int * 2 * STEPS_MAX)(*((c_int * 2)(*step) for step in steps)))


def barrier(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """Run the row's script (64 steps at most) and add what was seen after init and after each step it came to:

    ``tokens``: the upper 32 bits (hex) that an arrival returned, the state before it; None for other steps.
    ``memory``: the barrier's 8 bytes (hex) as a plain load sees them: older than its state, as the rows show.
    ``ended``: test_wait's answers for parity 0 and 1. Without a "settle" after it, a copy may still be on its way.
    ``runs`` in a row repeats the script: then ``completed`` alone is added, how often phase 0 had ended at the end.
    """
    result, map_bytes = descriptor(row["map"], gpu.unchanging(row["map"]["seed"], GLOBAL_BYTES_OF_LOADS))
    if result:
        return {"result": result}
    outcomes = [run_script(gpu, map_bytes, row) for _ in range(row.get("runs", 1))]
    if "runs" not in row:
        return outcomes[0]
    return {"completed": sum(outcome["ended"][-1][0] for outcome in outcomes)}


def misuse(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """Run a script without a copy (no ``map`` in the row) and add ``ended``. A Trap carries nothing: the code alone counts."""
    try:
        return {"ended": run_script(gpu, as_argument(), row)["ended"]}
    except Trap as trap:
        trap.seen = {}
        raise


def count_hits(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """Copy ``row_bytes`` x ``rows`` ("tile" through a map, "bulk" without) ``runs`` times for each expected count.

    Adds ``hits``: for every multiple of 16 up to the copy's bytes that ever ended the phase, in how many runs it did.
    """
    size, hits = row["row_bytes"] * row["rows"], {}
    for expected in range(0, size + 16, 16):
        if ended := sum(ends_at(gpu, row, expected) for _ in range(row["runs"])):
            hits[str(expected)] = ended
    return {"hits": hits}


def ends_at(gpu: Gpu, row: Row, expected: int) -> int:
    """One launch: 1 where the phase ended with this count expected."""
    bulk = row["copy"] == "bulk"
    memory = gpu.unchanging(SEED, GLOBAL_BYTES_OF_LOADS)
    map_bytes = as_argument() if bulk else descriptor(box_row(row["row_bytes"], row["rows"]), memory)[1]
    x, y = row["coordinates"]
    request = PieceRequest(x, y, row["row_bytes"] * row["rows"], expected, SETTLE_NS)
    tensor, answer = pointer(memory + box_row(16, 1)["global_address"]), gpu.buffer("answer", 64)
    kernel = gpu.function("barrier_pieces", macros={"BULK": int(bulk)})
    shared_bytes = -(-request.bytes // 1024) * 1024
    gpu.launch(kernel, map_bytes, request, tensor, pointer(answer), threads=1, shared_bytes=shared_bytes)
    return int(gpu.read(answer, 4)[0])


def run_script(gpu: Gpu, map_bytes: Any, row: Row) -> Row:
    """One launch of one thread. A Trap carries what was seen before it."""
    address = gpu.host_buffer("seen", sizeof(Sight) * (STEPS_MAX + 1))
    seen = (Sight * (STEPS_MAX + 1)).from_address(address)
    for sight in seen:
        sight.ended = NOT_REACHED
    arguments: tuple[Any, ...] = (map_bytes, script_of(row), pointer(address))
    try:
        gpu.launch(gpu.function("barrier"), *arguments, threads=1, shared_bytes=row.get("window_bytes", 1024))
    except Trap as trap:
        trap.seen = row_of_sights(row, seen)
        raise
    return row_of_sights(row, seen)


def row_of_sights(row: Row, seen: Any) -> Row:
    """The steps that the kernel came to."""
    reached = [sight for sight in seen if sight.ended != NOT_REACHED]
    names = ["init", *(step[0] for step in row["steps"])]
    tokens = [f"{s.token:08x}" if name in ARRIVALS else None for name, s in zip(names, reached, strict=False)]
    return {
        "tokens": tokens,
        "memory": [f"{sight.memory:016x}" for sight in reached],
        "ended": [[sight.ended & 1, sight.ended >> 1] for sight in reached],
    }
