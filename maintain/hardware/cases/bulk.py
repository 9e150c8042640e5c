"""Linear bulk copies to record: every direction, sizes and offsets in whole 16 bytes, then what is not whole."""

from collections.abc import Iterator
from itertools import product
from random import Random

from course_lib.rows.memory import window_for
from course_lib.rows.row import Row

SIZES = (0, 16, 32, 48, 64, 112, 128, 240, 256, 1024, 2032, 4096, 16384)
REDUCTIONS = {
    "add": ("u32", "s32", "u64", "f16", "bf16", "f32", "f64"),
    "min": ("u32", "s32", "u64", "s64", "f16", "bf16"),
    "max": ("u32", "s32", "u64", "s64", "f16", "bf16"),
    "inc": ("u32",),
    "dec": ("u32",),
    "and": ("b32", "b64"),
    "or": ("b32", "b64"),
    "xor": ("b32", "b64"),
}
CLUSTER_WINDOW_BYTES = 32 << 10  # at least: the other block's copy needs as much shared memory to read from
IN_CLUSTER = {  # what PTX gives block to block; ptxas refuses the rest
    "add": ("u32", "s32", "u64"),
    "min": ("u32", "s32"),
    "max": ("u32", "s32"),
    "inc": ("u32",),
    "dec": ("u32",),
    "and": ("b32",),
    "or": ("b32",),
    "xor": ("b32",),
}


def bulk_row(
    seed: int, direction: str, size: int, source: int, destination: int, op: str = "copy", kind: str = ""
) -> Row:
    """A linear bulk copy as a recording asks it."""
    row: Row = {"direction": direction, "op": op, "size": size, "source": source, "destination": destination}
    row |= {"seed": seed} | ({"type": kind} if kind else {})
    if direction in ("global_to_shared", "shared_to_cluster"):
        row |= {"transaction_bytes": size, "window_bytes": bulk_window_bytes(direction, destination + size)}
    return row


def bulk_window_bytes(direction: str, end: int) -> int:
    """The window that a copy to shared memory, ending at byte ``end``, gets."""
    return max(window_for(end), CLUSTER_WINDOW_BYTES if direction == "shared_to_cluster" else 0)


def whole_rows(seed: int) -> Iterator[Row]:
    """Legal copies and reductions."""
    rng = Random(f"{seed} bulk")

    def offset(limit: int) -> int:
        return 16 * rng.randrange(limit // 16)

    for direction, size in product(("global_to_shared", "shared_to_global", "shared_to_cluster"), SIZES):
        for _ in range(4):
            yield bulk_row(seed, direction, size, offset(16000), offset(8000))
    for direction, table in (("shared_to_global", REDUCTIONS), ("shared_to_cluster", IN_CLUSTER)):
        for op, kinds in table.items():
            for kind, size in product(kinds, (16, 48, 4096)):
                yield bulk_row(seed, direction, size, offset(16000), offset(8000), op, kind)
    for size in (0, 16, 4096, 1 << 20):
        yield bulk_row(seed, "prefetch", size, offset(16000), 0)


def broken_rows(seed: int) -> Iterator[Row]:
    """Sizes and addresses that are no multiple of 16, and global memory that is not there."""
    for direction in ("global_to_shared", "shared_to_global", "shared_to_cluster"):
        for size, source, destination in (
            (8, 0, 0),
            (24, 0, 0),
            (17, 0, 0),
            (64, 8, 0),
            (64, 4, 0),
            (64, 0, 8),
            (64, 0, 4),
            (24, 8, 0),
        ):
            yield bulk_row(seed, direction, size, source, destination) | {"why": "not whole 16 bytes"}
    for size, expected in ((24, 16), (17, 16), (8, 0), (15, 0)):
        row = bulk_row(seed, "global_to_shared", size, 0, 0)
        yield row | {"transaction_bytes": expected, "why": "not whole 16 bytes, the barrier told so"}
    for size, source in ((24, 0), (64, 8)):
        yield bulk_row(seed, "prefetch", size, source, 0) | {"why": "not whole 16 bytes"}
    yield bulk_row(seed, "prefetch", 4096, 1 << 44, 0) | {"why": "global memory not there"}
    yield bulk_row(seed, "shared_to_global", 24, 0, 0, "add", "u32") | {"why": "not whole 16 bytes"}
    yield bulk_row(seed, "shared_to_global", 64, 0, 8, "add", "u32") | {"why": "not whole 16 bytes"}
