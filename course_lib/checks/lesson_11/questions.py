"""What the checks of exercise 11 ask: rows that an H200 read, rows drawn by a seed, rules and times, second reads."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import numpy as np

from course_lib.model.cost.traffic import Traffic, starts_traffic
from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings.times.l2 import COUNTED, HINTS, TIMED, SecondRead, row_read, row_reads, second_reads

MIB = 1 << 20
RowPattern = tuple[int, int]  # bytes of a row, bytes from row to row
Times = dict[RowPattern, dict[int, float]]  # nanoseconds by promotion
Rule = Callable[[int, int], int]
ASKED_ROWS = 8  # rows of a recorded read that a question asks about: it repeats after 256 bytes
FIRST_ROW_READS = (  # every common slip meets one that shows it: row, pitch, start, promotion, recording
    (16, 512, 0, 0, TIMED),
    (16, 512, 0, 2, TIMED),
    (64, 64, 0, 2, HINTS),
    (32, 512, 48, 0, COUNTED),
    (32, 512, 112, 2, COUNTED),
    (192, 512, 64, 2, COUNTED),
    (256, 256, 0, 1, TIMED),
)
FIRST_HINTS = (
    (16, 512, 0, 3, TIMED),
    (256, 256, 0, 3, HINTS),
    (32, 512, 48, 3, COUNTED),
    (32, 512, 240, 3, COUNTED),
    (128, 512, 128, 3, COUNTED),
)


class RowsQuestion(NamedTuple):
    """Rows of ``row_bytes`` at ``starts``, and who knows what they cost."""

    starts: tuple[int, ...]
    row_bytes: int
    promotion: L2Promotion
    by: str

    @property
    def traffic(self) -> Traffic:
        """What they cost, by the model."""
        return starts_traffic(self.starts, self.row_bytes, self.promotion)

    @property
    def words(self) -> str:
        """The question in words."""
        places = ", ".join(map(str, self.starts[:3])) + (" …" if len(self.starts) > 3 else "")
        name = self.promotion.name.removeprefix("L2_")
        return f"{len(self.starts)} rows of {self.row_bytes} bytes at {places}, {name}"


def single_rows(seed: int) -> Iterator[tuple[int, int, str]]:
    """(start, bytes of the row, who knows) of one row: recorded ones whose sectors were counted, then drawn ones."""
    counted = [r for r in row_reads() if r.sm_sectors is not None and r.promotion != L2Promotion.L2_256B]
    places = {(r.start_bytes, r.row_bytes): r for r in counted if r.source == COUNTED}
    for (start, row_bytes), read in places.items():
        yield start, row_bytes, f"an H200 was asked for {round((read.sm_sectors or 0) / read.rows)}"
    draw = Random(seed + 110)
    for _ in range(12):
        yield model_row(16 * draw.randrange(4096), 16 * draw.randint(1, 32))
    for start, row_bytes in (
        (31, 1),
        (31, 2),
        (0, 33),
        (1, 31),
        (1, 32),
        (32 * draw.randrange(99), 1 + 32 * draw.randint(1, 9)),
    ):
        yield model_row(start, row_bytes)


def model_row(start: int, row_bytes: int) -> tuple[int, int, str]:
    """A row that nobody recorded."""
    return start, row_bytes, f"the model counts {starts_traffic([start], row_bytes).requested_sectors}"


def rows_questions(seed: int) -> Iterator[RowsQuestion]:
    """Rows through NONE, 64B and 128B: recorded ones first, then scattered ones, some of which meet or repeat."""
    yield from map(recorded_rows, FIRST_ROW_READS)
    draw = Random(seed + 111)
    yield from (drawn_rows(draw, draw.choice(list(L2Promotion)[:3])) for _ in range(10))
    yield from (odd_rows(promotion) for promotion in list(L2Promotion)[:3])


def hint_questions(seed: int) -> Iterator[RowsQuestion]:
    """Rows through 256B."""
    yield from map(recorded_rows, FIRST_HINTS)
    draw = Random(seed + 112)
    yield from (drawn_rows(draw, L2Promotion.L2_256B) for _ in range(10))
    yield odd_rows(L2Promotion.L2_256B)


def recorded_rows(key: tuple[int, int, int, int, str]) -> RowsQuestion:
    """The first rows of a recorded read."""
    row_bytes, pitch, start, promotion, source = key
    read = row_read(row_bytes, pitch, promotion, start, source)
    starts = tuple(range(start, start + ASKED_ROWS * pitch, pitch))
    return RowsQuestion(starts, row_bytes, read.promotion, f"an H200 read {read.dram_bytes_a_row:.1f} bytes a row")


def drawn_rows(draw: Random, promotion: L2Promotion) -> RowsQuestion:
    """A few rows anywhere in 8 KiB."""
    starts = [16 * draw.randrange(512) for _ in range(draw.randint(2, 12))]
    starts += starts[: draw.randint(0, 2)]
    return RowsQuestion(tuple(starts), 16 * draw.randint(1, 20), promotion, "the model counts them")


def odd_rows(promotion: L2Promotion) -> RowsQuestion:
    """Rows that begin and end anywhere: one byte past a unit, and one short of it."""
    return RowsQuestion((1023, 3072, 6400, 6400), 129, promotion, "the model counts them")


def recorded_times() -> Times:
    """The recorded times of all 15 patterns, by promotion."""
    times: Times = {}
    for read in row_reads():
        if read.source == TIMED:
            times.setdefault((read.row_bytes, read.pitch_bytes), {})[int(read.promotion)] = read.ns
    return times


RULES: dict[str, Rule] = {
    "match the width": lambda row, pitch: {16: 0, 32: 0, 64: 1, 128: 2}.get(row, 3),
    "always NONE": lambda row, pitch: 0,
    "always 128B": lambda row, pitch: 2,
    "256B if dense, else NONE": lambda row, pitch: 3 if row == pitch else 0,
    "NONE below 64 bytes, else 128B": lambda row, pitch: 0 if row < 64 else 2,
}


def rule_questions(seed: int) -> Iterator[tuple[str, Rule, Times, float]]:
    """Rules, times and the tolerance: known rules on the recorded times, then rules drawn by the seed on some of them."""
    times, draw = recorded_times(), Random(seed + 113)
    for name, rule in RULES.items():
        yield name, rule, times, 0.02
    yield "always NONE", RULES["always NONE"], times, 0.012
    yield "always 256B", lambda row, pitch: 3, times, 0.5
    yield (
        "always 64B, at the tolerance",
        lambda row, pitch: 1,
        {(16, 512): {0: 128.0, 1: 160.0}, (32, 32): {0: 1.0, 1: 2.0}},
        0.25,
    )
    for number in range(6):
        few = dict(draw.sample(sorted(times.items()), draw.randint(3, 12)))
        choice = {pattern: draw.randrange(4) for pattern in few}
        yield f"drawn rule {number}", choose_by(choice), few, draw.choice((0.005, 0.03, 0.1, 0.5))


def choose_by(choice: dict[RowPattern, int]) -> Rule:
    """The rule that looks up its choice."""
    return lambda row, pitch: choice[row, pitch]


def losses(rule: Rule, times: Times) -> dict[RowPattern, float]:
    """How much longer than the best promotion the rule's choice takes, by pattern."""
    return {pattern: by[rule(*pattern)] / min(by.values()) - 1 for pattern, by in times.items()}


def second_questions(seed: int) -> list[SecondRead]:
    """Recorded second reads: three that show common slips, then others by the seed."""
    known = [r for r in second_reads() if (r.x_policy, r.y_policy) == (None, None) and r.x_bytes == 24 * MIB][:3]
    lost = [r for r in second_reads() if r.again_bytes > 1.002 * r.x_bytes]
    draw = Random(seed + 114)
    return [*known, draw.choice(lost), *draw.sample(second_reads(), 11)]


def address_array(starts: tuple[int, ...]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The addresses as a learner gets them."""
    return np.array(starts, dtype=np.int64)
