"""What reads from beyond L2 cost on a real device: DRAM bytes, L2 sectors and times of rows, and what L2 keeps."""

from collections.abc import Iterator
from csv import DictReader
from functools import lru_cache
from typing import NamedTuple

from course_lib.model.cost.traffic import Traffic, rows_traffic
from course_lib.model.facts.enums import L2Promotion
from course_lib.model.facts.limits import SECTOR_BYTES
from course_lib.recordings.files import DATA, committed, read_rows
from course_lib.rows.calls import PROMOTIONS
from course_lib.rows.row import RecordingError, Row

TIMED, COUNTED, HINTS = "l2_promotion.csv", "l2_offsets.csv", "measure_hints_counters.jsonl.xz"
TENSOR_HINTS = "measure_hints_tensor_counters.jsonl.xz"  # as HINTS, by tensor copies
MEMORY_BYTES = {TIMED: 2 << 30, COUNTED: 512 << 20}  # cut into rows, each read once


class RowRead(NamedTuple):
    """Many rows, ``pitch_bytes`` apart, read once by one kernel on all SMs; nothing of them was in L2 before."""

    source: str  # the recording
    rows: int
    row_bytes: int
    pitch_bytes: int
    start_bytes: int  # where in its block of 256 bytes the first row begins
    promotion: L2Promotion
    ns: float  # best of 4 launches in l2_promotion.csv; one launch under the profiler elsewhere
    dram_bytes: int
    l2_sectors: int  # all that L2 counted
    sm_sectors: int | None  # those of them that SMs asked for; None where that was not counted

    @property
    def useful_bytes(self) -> int:
        """What the copies brought."""
        return self.rows * self.row_bytes

    @property
    def useful_gb_per_s(self) -> float:
        """Useful bytes a nanosecond."""
        return self.useful_bytes / self.ns

    @property
    def dram_bytes_a_row(self) -> float:
        """What DRAM read for each row."""
        return self.dram_bytes / self.rows

    @property
    def l2_sectors_a_row(self) -> float:
        """What L2 counted for each row."""
        return self.l2_sectors / self.rows

    @property
    def modelled(self) -> Traffic:
        """The same rows in the model."""
        return rows_traffic(self.rows, self.row_bytes, self.pitch_bytes, self.promotion, self.start_bytes)


@lru_cache(1)
def row_reads() -> tuple[RowRead, ...]:
    """All of them: those with times, those that begin elsewhere in their block, those counted beside the cache hints."""
    return (*table_reads(TIMED), *table_reads(COUNTED), *dense_reads())


def row_read(
    row_bytes: int, pitch_bytes: int, promotion: int = 0, start_bytes: int = 0, source: str | None = None
) -> RowRead:
    """The first recorded read of such rows, or the one of the recording ``source``; RecordingError where there is none."""
    asked = row_bytes, pitch_bytes, promotion, start_bytes
    for read in row_reads():
        if (read.row_bytes, read.pitch_bytes, read.promotion, read.start_bytes) == asked and source in (
            None,
            read.source,
        ):
            return read
    raise RecordingError(f"{row_bytes=}, {pitch_bytes=}, {promotion=}, {start_bytes=}, {source=}: not recorded")


def table_reads(name: str) -> Iterator[RowRead]:
    """The reads of a table."""
    with (DATA / name).open() as table:
        for row in DictReader(table):
            pitch, sm_sectors = int(row["row_pitch_bytes"]), row.get("from_sm_sectors")
            yield RowRead(
                name,
                MEMORY_BYTES[name] // pitch,
                int(row["box_inner_bytes"]),
                pitch,
                int(row.get("row_offset_bytes", 0)),
                PROMOTIONS[row["l2_promotion"]],
                float(row["best_ms"]) * 1e6 if "best_ms" in row else float(row["profiled_ns"]),
                int(row["dram_bytes_read"]),
                int(row["lts_sectors_read"]),
                int(sm_sectors) if sm_sectors else None,
            )


def dense_reads() -> Iterator[RowRead]:
    """The reads of HINTS: rows one behind the other, of a tensor that may be wider than its box, and some apart."""
    for row in read_rows(committed(HINTS)):
        if row.get("part") == "promotion":
            yield RowRead(
                HINTS,
                row["rows"],
                row["row_bytes"],
                row["pitch_bytes"],
                0,
                L2Promotion(row["l2_promotion"]),
                row["profiled_ns"],
                int(row["dram_read_bytes"]),
                int(row["l2_read_sectors"]),
                int(row["l2_sectors_from_sms"]),
            )


class SecondRead(NamedTuple):
    """All SMs read memory X, then Y, then X again, in one kernel, by bulk copies with a cache policy or none."""

    x_policy: str | None
    y_policy: str | None
    x_bytes: int
    y_bytes: int
    first_ns: int
    between_ns: int  # about 1,050 where Y is empty: the blocks meet
    second_ns: int
    dram_bytes: int
    l2_sectors: int

    @property
    def again_bytes(self) -> int:
        """What DRAM read beyond X and Y once: what of X was no longer in L2."""
        return self.dram_bytes - self.x_bytes - self.y_bytes

    @property
    def partition_sectors(self) -> int:
        """L2 sectors beyond those that the copies asked for: traffic between the two halves of L2."""
        return self.l2_sectors - (2 * self.x_bytes + self.y_bytes) // SECTOR_BYTES


@lru_cache(4)
def second_reads(source: str = HINTS) -> tuple[SecondRead, ...]:
    """All of them, in the order in which they were recorded: by linear copies (HINTS) or tensor copies (TENSOR_HINTS)."""
    return tuple(map(second_read_of, (row for row in read_rows(committed(source)) if row.get("part") == "policy")))


def second_read(
    x_bytes: int, y_bytes: int, x_policy: str | None = None, y_policy: str | None = None, source: str = HINTS
) -> SecondRead:
    """The recorded read with these sizes and policies; RecordingError where there is none."""
    for read in second_reads(source):
        if (read.x_bytes, read.y_bytes, read.x_policy, read.y_policy) == (x_bytes, y_bytes, x_policy, y_policy):
            return read
    raise RecordingError(f"{x_bytes=}, {y_bytes=}, {x_policy=}, {y_policy=}: not recorded")


def second_read_of(row: Row) -> SecondRead:
    """A row of HINTS or TENSOR_HINTS."""
    first, between, second = row["phases_ns"]
    counted = int(row["dram_read_bytes"]), int(row["l2_read_sectors"])
    x, y = row["x_policy"], row["y_policy"]
    return SecondRead(x, y, row["x_bytes"], row["y_bytes"], first, between, second, *counted)
