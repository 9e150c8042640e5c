"""Sparse rows that begin off their 512 bytes, by promotion, under the profiler: what DRAM and L2 were asked for.

``python -m maintain.hardware.measure.traffic.offsets measure_offsets_counters.jsonl`` prints the rows as l2_offsets.csv has them.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from course_lib.gpu.context import Gpu
from course_lib.gpu.measure.buffers import MIB, filled_buffer
from course_lib.gpu.measure.timing import finish
from course_lib.gpu.measure.ways import MemoryRows, TileWay
from course_lib.rows.row import Row
from maintain.hardware.measure.counters import rows_in
from maintain.hardware.measure.traffic.reads import MemoryReader

MEMORY_BYTES = 512 * MIB
PROMOTIONS = ("NONE", "64B", "128B", "256B")  # by the driver's numbers
WIDENED = ("NONE", "128B", "256B")
BOX_ROWS, STAGES, WARPS = 32, 8, 4
COLUMNS = {  # of l2_offsets.csv, and where each comes from
    "row_pitch_bytes": "pitch_bytes",
    "box_inner_bytes": "row_bytes",
    "l2_promotion": "promotion",
    "row_offset_bytes": "offset_bytes",
    "dram_bytes_read": "dram_read_bytes",
    "lts_sectors_read": "l2_read_sectors",
    "from_sm_sectors": "l2_sectors_from_sms",
    "from_fabric_sectors": "l2_sectors_from_fabric",
    "profiled_ns": "profiled_ns",
}


class SparseRead(NamedTuple):
    """Rows of ``inner_bytes``, ``pitch_bytes`` apart, the first at ``offset_bytes``."""

    pitch_bytes: int
    inner_bytes: int
    promotion: str
    offset_bytes: int = 0


def sparse_reads() -> Iterator[SparseRead]:
    """Rows at the start of their 512 bytes, dense rows, narrow rows across a line's end, wide ones in the middle."""
    yield from (SparseRead(512, *case) for case in product((16, 64, 128, 256), WIDENED))
    yield from (SparseRead(width, width, promotion) for promotion, width in product(PROMOTIONS, (256, 512)))
    yield from (SparseRead(512, 32, promotion, offset) for offset, promotion in product((16, 48, 112, 240), WIDENED))
    for offset, promotion, inner in product((64, 128), WIDENED, (128, 192)):
        yield SparseRead(512, inner, promotion, offset)


def launch_sparse_read(gpu: Gpu, memory: int, size_bytes: int, case: SparseRead) -> Row:
    """One read of all the rows."""
    rows = MemoryRows(case.inner_bytes, case.pitch_bytes, size_bytes // case.pitch_bytes)
    way = TileWay(case.inner_bytes, BOX_ROWS, STAGES, WARPS, l2_promotion=PROMOTIONS.index(case.promotion))
    read = MemoryReader(gpu, memory + case.offset_bytes, rows)(way)
    read.launch()
    finish()
    return {"part": "offsets", "promotion": case.promotion, "offset_bytes": case.offset_bytes} | read.row


def profile(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Every case once."""
    size_bytes = 16 * MIB if quick else MEMORY_BYTES
    memory = filled_buffer(gpu, "rows", size_bytes)
    yield from (
        launch_sparse_read(gpu, memory, size_bytes, case) for case in list(sparse_reads())[:: 5 if quick else 1]
    )


def as_csv(rows: Iterable[Row]) -> str:
    """The lines of l2_offsets.csv."""
    lines = [",".join(COLUMNS)]
    for row in rows:
        values = (row[source] for source in COLUMNS.values())
        lines.append(",".join(str(int(v) if isinstance(v, float) else v) for v in values))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(as_csv(row for row in rows_in(Path(sys.argv[1])) if row.get("part") == "offsets"), end="")
