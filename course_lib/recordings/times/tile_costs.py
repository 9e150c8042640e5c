"""What it costs to fetch tiles, as counted in machine code and as timed on the H200: by cp.async, by loads and by TMA."""

from functools import lru_cache
from typing import NamedTuple

from course_lib.recordings.files import committed, read_rows
from course_lib.rows.row import Row

TMA, CP_ASYNC = "measure_read_tma", "measure_read_cp_async"


class Loop(NamedTuple):
    """The loop over tiles by cp.async: instructions of a warp for one tile, registers of a thread. ``edges``: none, rows, any."""

    edges: str
    each: int  # copies of a thread
    units: int  # 16-byte units in a row of the tile
    threads: int
    instructions: int
    registers: int


class TmaLoop(NamedTuple):
    """The loop by TMA: ``instructions`` of the warp that issues, ``of_one_warp`` of them in no other, their texts."""

    issuer: str  # elect.sync, threadIdx.x == 0, every lane
    rows: int
    instructions: int
    of_one_warp: int
    registers: int
    issuing: tuple[str, ...]  # for 128 rows

    def of_all(self, warps: int) -> int:
        """What all warps issue for one tile, where no wait is repeated."""
        return self.of_one_warp + warps * (self.instructions - self.of_one_warp)


def one_tile() -> list[Row]:
    """One tile, once, with everything around it: cp.async by 256 threads; TMA by elect.sync; TMA by threadIdx.x == 0."""
    return [row for row in read_rows(committed("measure_sass.jsonl.xz")) if "opcodes" in row]


@lru_cache(1)
def loop_rows() -> tuple[Row, ...]:
    """Every loop that was compiled; the first one copies nothing."""
    return tuple(row for row in read_rows(committed("measure_loops.jsonl.xz")) if "part" in row)


def loops() -> list[Loop]:
    """The loops by cp.async."""
    rows = [row for row in loop_rows() if row["part"] == "cp.async"]
    return [
        Loop(r["edges"], r["copies_each"], r["macros"]["UNITS"], r["macros"]["THREADS"], r["loop_instructions"], r["registers"])
        for r in rows
    ]  # fmt: skip


def loop_of(edges: str, each: int) -> Loop:
    """The loop of 128 threads on rows of 128 bytes, ``each`` copies a thread, 1 to 16."""
    return next(loop for loop in loops() if loop[:4] == (edges, each, 8, 128))


def tma_loop(issuer: str = "elect.sync", rows: int = 128) -> TmaLoop:
    """The loop by TMA for tiles of 8, 64, 128 or 256 rows of 128 bytes."""
    found = (row for row in loop_rows() if row["part"] == "TMA" and row["macros"]["ROWS"] == rows)
    row = next(row for row in found if row["issuer"] == issuer)
    return TmaLoop(issuer, rows, row["loop_instructions"], row["of_one_warp"], row["registers"], tuple(row["issuing"]))


def cycles_alone(how: str) -> dict[int, float]:
    """SM cycles until a tile from L2 has arrived, by its bytes; one block alone. ``how``: tma, bulk, cp.async, loads."""
    rows = (row for row in read_rows(committed("measure_latency.jsonl.xz")) if row.get("from") == "l2")
    return {row["tile_bytes"]: row["cycles_median"] for row in rows if row["how"] == how}


def streaming(kernel: str, warps: int) -> float:
    """The best GB/s of a long read by so many reading warps, one block an SM; whatever tile and stages, tensor copies."""
    asked = (kernel, warps, 1, 0)
    rows = (r for r in sweep() if (r["kernel"], r["warps"], r["blocks_per_sm"], r.get("linear", 0)) == asked)
    return max(float(row["gb_per_s"]) for row in rows)


@lru_cache(1)
def sweep() -> tuple[Row, ...]:
    """Every long read of the sweep."""
    return tuple(row for row in read_rows(committed("measure_bandwidth.jsonl.xz")) if row.get("part") == "sweep")


def dense_rows(kernel: str) -> dict[int, float]:
    """The best GB/s on dense rows, by their width in bytes."""
    best: dict[int, float] = {}
    for row in narrow():
        width = row["row_bytes"]
        if (row["part"], row["kernel"], row["pitch_bytes"]) == ("width", kernel, width):
            best[width] = max(best.get(width, 0.0), row["gb_per_s"])
    return best


def small_tiles(issuers: int) -> dict[int, float]:
    """GB/s by the bytes of a tile, rows of 128 bytes, where so many threads of an SM issue tensor copies."""
    rows = (r for r in narrow() if r["part"] == "tile" and not r["linear"] and r["blocks_per_sm"] == issuers)
    return {128 * r["box_rows"]: r["gb_per_s"] for r in rows if r["fence"]}


@lru_cache(1)
def narrow() -> tuple[Row, ...]:
    """The reads of narrow rows and small tiles."""
    return tuple(row for row in read_rows(committed("measure_narrow.jsonl.xz")) if row.get("part") in ("width", "tile"))
