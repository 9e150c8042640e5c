"""A streaming read with few copies in flight or many, by promotion and with a tensor prefetch: recorded times and counters."""

from functools import lru_cache
from typing import NamedTuple

from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings.files import committed, read_rows
from course_lib.rows.row import RecordingError, Row

RING_TIMES, RING_COUNTERS = "measure_prefetch.jsonl.xz", "measure_prefetch_counters.jsonl.xz"
NO_PREFETCH = -1  # of a row's "ahead"


class RingRead(NamedTuple):
    """512 MiB cut into rows, read once in boxes of 64 rows; one thread on each SM keeps ``stages`` copies in flight.

    ``ahead``: each tile was prefetched before the wait for the stage of the copy so many of the SM's tiles earlier,
    0: of its own copy; None: there was no prefetch.
    """

    row_bytes: int
    pitch_bytes: int
    promotion: L2Promotion
    stages: int
    ahead: int | None
    rows: int
    us: float  # median of 9 launches
    dram_bytes: int  # this and the sectors: one launch under the profiler
    sm_sectors: int  # what SMs asked L2 for, prefetches included
    read_sectors: int  # reads that L2 counted, those between its halves included, prefetches not

    @property
    def dram_bytes_a_row(self) -> float:
        """What DRAM read for each row."""
        return self.dram_bytes / self.rows


@lru_cache(1)
def ring_reads() -> tuple[RingRead, ...]:
    """All of them, in the order in which they were timed."""
    counted = {key_of(row): row for row in cases(RING_COUNTERS)}
    return tuple(ring_read_of(row, counted[key_of(row)]) for row in cases(RING_TIMES))


def ring_read(
    row_bytes: int, pitch_bytes: int, promotion: int = 0, stages: int = 8, ahead: int | None = None
) -> RingRead:
    """The recorded read of such rows; RecordingError where there is none."""
    asked = row_bytes, pitch_bytes, promotion, stages, ahead
    for read in ring_reads():
        if read[:5] == asked:
            return read
    raise RecordingError(f"{row_bytes=}, {pitch_bytes=}, {promotion=}, {stages=}, {ahead=}: not recorded")


def cases(name: str) -> list[Row]:
    """The rows of a recording that tell of a launch."""
    return [row for row in read_rows(committed(name)) if "stages" in row]


def key_of(row: Row) -> tuple[int, int, L2Promotion, int, int | None]:
    """What was asked."""
    ahead = None if row["ahead"] == NO_PREFETCH else row["ahead"]
    return row["row_bytes"], row["pitch_bytes"], L2Promotion(row["l2_promotion"]), row["stages"], ahead


def ring_read_of(timed: Row, counted: Row) -> RingRead:
    """Both recordings of one case."""
    counters = (int(counted[name]) for name in ("dram_read_bytes", "l2_sectors_from_sms", "l2_read_sectors"))
    return RingRead(*key_of(timed), timed["rows"], timed["us_median"], *counters)
