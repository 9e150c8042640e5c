"""What streaming stores and additions through a tensor map cost, by promotion: recorded times and counters."""

from functools import lru_cache
from typing import NamedTuple

from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings.files import committed, read_rows
from course_lib.rows.row import RecordingError, Row

WRITE_TIMES, WRITE_COUNTERS = "measure_stores.jsonl.xz", "measure_stores_counters.jsonl.xz"


class RowWrite(NamedTuple):
    """512 MiB cut into rows, each written once in boxes of 64 rows, by one thread on each SM; ``op``: "store" or "add"."""

    row_bytes: int
    pitch_bytes: int
    promotion: L2Promotion
    op: str
    rows: int
    us: float  # median of 9 launches
    dram_read_bytes: int  # this and what follows: one launch under the profiler
    dram_write_bytes: int  # without what L2 still holds at the end
    sm_sectors: int  # what SMs sent to L2
    l2_write_sectors: int  # writes that L2 counted, those between its halves included; additions are none

    @property
    def useful_gb_per_s(self) -> float:
        """Bytes that were stored or added, a nanosecond."""
        return self.rows * self.row_bytes / self.us / 1e3

    @property
    def dram_read_bytes_a_row(self) -> float:
        """What DRAM read for each row."""
        return self.dram_read_bytes / self.rows


@lru_cache(1)
def row_writes() -> tuple[RowWrite, ...]:
    """All of them, in the order in which they were timed."""
    counted = {key_of(row): row for row in cases(WRITE_COUNTERS)}
    return tuple(row_write_of(row, counted[key_of(row)]) for row in cases(WRITE_TIMES))


def row_write(row_bytes: int, pitch_bytes: int, op: str = "store", promotion: int = 0) -> RowWrite:
    """The recorded write of such rows; RecordingError where there is none."""
    for write in row_writes():
        if write[:4] == (row_bytes, pitch_bytes, promotion, op):
            return write
    raise RecordingError(f"{row_bytes=}, {pitch_bytes=}, {op=}, {promotion=}: not recorded")


def cases(name: str) -> list[Row]:
    """The rows of a recording that tell of a launch."""
    return [row for row in read_rows(committed(name)) if "op" in row]


def key_of(row: Row) -> tuple[int, int, L2Promotion, str]:
    """What was asked."""
    return row["row_bytes"], row["pitch_bytes"], L2Promotion(row["l2_promotion"]), row["op"]


def row_write_of(timed: Row, counted: Row) -> RowWrite:
    """Both recordings of one case."""
    names = ("dram_read_bytes", "dram_write_bytes", "l2_sectors_from_sms", "l2_write_sectors")
    return RowWrite(*key_of(timed), timed["rows"], timed["us_median"], *(int(counted[name]) for name in names))
