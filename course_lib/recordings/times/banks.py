"""What reads of shared memory took on a real device: 395 patterns of 32 lanes, and transposes of a whole matrix."""

from functools import lru_cache
from typing import NamedTuple

from course_lib.model.cost.banks import Access, access, ldmatrix
from course_lib.model.facts.enums import DataType
from course_lib.recordings.files import committed, read_rows
from course_lib.recordings.sessions import Provenance
from course_lib.rows.row import RecordingError, Row

READS, TRANSPOSES, COUNTED = "bank_cycles.jsonl.xz", "measure_transpose.jsonl.xz", "measure_transpose_counters.jsonl.xz"
LDMATRIX = 0  # access_bytes of a recorded ldmatrix.x4


class BankRead(NamedTuple):
    """A read of 32 lanes. ``access_bytes`` is 4, 8 or 16, or 0 for ldmatrix.x4; medians of 15 runs, in SM cycles."""

    pattern: str
    access_bytes: int
    addresses: tuple[int, ...]
    cycles: float  # for each read, while 16 warps keep shared memory busy
    latency: float  # from one read to one that depends on it, one warp alone

    @property
    def modelled(self) -> Access:
        """The same read in the model."""
        if self.access_bytes == LDMATRIX:
            return ldmatrix(self.addresses)
        return access(self.addresses, self.access_bytes)


@lru_cache(1)
def bank_reads() -> tuple[BankRead, ...]:
    """All of them, in the order in which they were recorded."""
    return tuple(
        BankRead(
            row["pattern"], row["access_bytes"], tuple(row["addresses"]), row["cycles_median"], row["latency_median"]
        )
        for row in read_rows(committed(READS))
    )


def bank_read(pattern: str, access_bytes: int = 4) -> BankRead:
    """The recorded read of this name and width; RecordingError where there is none."""
    for read in bank_reads():
        if (read.pattern, read.access_bytes) == (pattern, access_bytes):
            return read
    raise RecordingError(f"pattern={pattern!r}, access_bytes={access_bytes}: not recorded")


def transpose(way: str, counted: bool = False, data_type: int = DataType.FLOAT32, warps: int = 4) -> Row:
    """A measured transpose: ``way`` is "plain", "padded", "tma" …; ``counted`` for a profiler's numbers, else times.

    RecordingError where there is none.
    """
    for row in read_rows(committed(COUNTED if counted else TRANSPOSES)):
        if (row.get("way"), row.get("data_type"), row.get("warps")) == (way, data_type, warps):
            return row
    raise RecordingError(f"{way=}, {data_type=}, {warps=}: not recorded")


def transposes_provenance() -> Provenance:
    """Device, driver and date of the transposes."""
    run = next(iter(read_rows(committed(TRANSPOSES))))
    return Provenance(*(run[name] for name in Provenance._fields))
