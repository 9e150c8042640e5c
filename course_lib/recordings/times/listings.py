"""What the compiler made of a kernel, and how many blocks the driver lets an SM of the H200 hold."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from course_lib.model.call.sizes import ceil_div
from course_lib.model.cost.occupancy import Occupancy, occupancy
from course_lib.model.facts.limits import WARP_LANES
from course_lib.recordings.files import committed, read_rows
from course_lib.rows.row import RecordingError, Row

LISTINGS, LAUNCHES = "measure_listing.jsonl.xz", "measure_bandwidth.jsonl.xz"
INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(.+?)\s*;")


class Listing(NamedTuple):
    """A kernel's ``source``, ``ptx`` and ``sass``; ``registers`` a thread, ``shared_bytes`` a block."""

    source: str
    ptx: str
    sass: str
    registers: int
    shared_bytes: int

    @property
    def ptx_body(self) -> list[str]:
        """The PTX instructions, without declarations and comments."""
        lines = (" ".join(line.split()) for line in self.ptx.splitlines())
        return [line for line in lines if line.endswith(";") and not line.startswith(".")]

    @property
    def instructions(self) -> list[str]:
        """The SASS instructions up to the last EXIT, each with its address in hex."""
        lines = [f"{at}  {words}" for at, words in INSTRUCTION.findall(self.sass)]
        ends = [number for number, line in enumerate(lines) if line.endswith("  EXIT")]
        return lines[: ends[-1] + 1] if ends else lines


class Resident(NamedTuple):
    """A launch: what a block needs, and how many ``blocks`` of it an SM holds, as the driver says."""

    kernel: str
    threads: int
    registers: int
    shared_bytes: int
    blocks: int

    @property
    def modelled(self) -> Occupancy:
        """The model's answer."""
        return occupancy(self.threads, self.registers, self.shared_bytes)


def listings_compiler() -> str:
    """The compiler of the listings, and the date."""
    run = next(iter(read_rows(committed(LISTINGS))))
    return f"{run['compiler']}, {run['date']}"


def listing(kernel: str, **macros: str | int) -> Listing:
    """The committed listing of a kernel with these macros; RecordingError where there is none."""
    for row in read_rows(committed(LISTINGS)):
        if (row.get("part"), row.get("kernel"), row.get("macros")) == ("listing", kernel, macros):
            return Listing(*(row[name] for name in Listing._fields))
    raise RecordingError(f"{kernel=}, {macros=}: no listing")


@lru_cache(1)
def resident_launches() -> tuple[Resident, ...]:
    """Every launch of the bandwidth measurement. The registers are those that the listings' compiler gives."""
    needs = {_key(row): row for row in read_rows(committed(LISTINGS)) if row.get("part") == "resources"}
    rows = read_rows(committed(LAUNCHES))
    return tuple(_resident(row, needs[_key(row)]) for row in rows if "resident_blocks" in row)


def _key(row: Row) -> tuple[str, frozenset[tuple[str, int]]]:
    return row["kernel"], frozenset(row["macros"].items())


def _resident(row: Row, need: Row) -> Resident:
    by_tma = row["kernel"] == "measure_read_tma"
    threads = (row["warps"] + by_tma) * WARP_LANES  # by TMA one warp more asks for the tiles
    shared_bytes = need["shared_bytes"] + _ring_bytes(row, by_tma)
    return Resident(row["kernel"], threads, need["registers"], shared_bytes, row["resident_blocks"])


def _ring_bytes(row: Row, by_tma: bool) -> int:
    """The shared memory that the launch asked for: the ring of tiles, each on 128 bytes, 1024 with a swizzle."""
    if not by_tma:
        return int(row["in_flight_bytes"] // row["blocks_per_sm"]) * bool(row["stages"])
    unit = 1024 if row["swizzle"] else 128
    return int(ceil_div(row["box_row_bytes"] * row["box_rows"], unit) * unit * row["stages"])


def in_flight() -> Iterator[tuple[str, int, float]]:
    """(kernel, bytes that an SM has asked for at most, GB/s) of each launch of the sweep."""
    for row in read_rows(committed(LAUNCHES)):
        if row.get("part") == "sweep":
            yield row["kernel"], row["in_flight_bytes"], row["gb_per_s"]
