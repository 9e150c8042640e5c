"""The checks of exercise 11, proved four ways: untouched, mistaken, solved, and solved in other words."""

from math import ceil

import numpy as np
import pytest

from course_lib.checks.lesson_11 import checks as lesson_11
from course_lib.checks.lesson_11.questions import (
    FIRST_HINTS,
    FIRST_ROW_READS,
    hint_questions,
    losses,
    recorded_rows,
    recorded_times,
    rows_questions,
    rule_questions,
    second_questions,
    single_rows,
)
from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings.times.l2 import row_read
from tests.checks.four_ways import SEEDS, FourWays

# Task 1: sectors


def sectors_of(start, row_bytes):
    return (start + row_bytes - 1) // 32 - start // 32 + 1


def sectors_byte_by_byte(start, row_bytes):
    return np.int64(len({byte // 32 for byte in range(start, start + row_bytes)}))


def sectors_that_the_bytes_fill(start, row_bytes):
    return ceil(row_bytes / 32)


def sectors_to_the_byte_behind(start, row_bytes):
    return (start + row_bytes) // 32 - start // 32 + 1


def last_sector_left_out(start, row_bytes):
    return (start + row_bytes - 1) // 32 - start // 32


SECTOR_MISTAKES = [
    (
        sectors_that_the_bytes_fill,
        "a row of 32 bytes at 16: you say 1; an H200 was asked for 2. Yours counts",
        "A row at 16",
    ),
    (sectors_to_the_byte_behind, "a row of 64 bytes at 0: you say 3; an H200 was asked for 2. The last byte"),
    (
        last_sector_left_out,
        "a row of 16 bytes at 0: you say 0; an H200 was asked for 1. Count from the sector of the first byte",
    ),
    (lambda start, row_bytes: row_bytes / 32, "not a number as an integer"),
]

# Task 2: atoms and lines


def units(starts, row_bytes, unit):
    return {n for start in starts.tolist() for n in range(start // unit, (start + row_bytes - 1) // unit + 1)}


def dram_bytes_of(starts, row_bytes, promotion):
    unit = 128 if promotion == 2 else 64
    return unit * len(units(starts, row_bytes, unit))


def dram_bytes_by_a_map(starts, row_bytes, promotion):
    wanted = np.zeros(1 << 14, bool)
    for start in sorted(starts, reverse=True):
        wanted[start : start + row_bytes] = True
    unit = {L2Promotion.NONE: 64, L2Promotion.L2_64B: 64, L2Promotion.L2_128B: 128}[promotion]
    return np.uint64(unit * wanted.reshape(-1, unit).any(axis=1).sum())


def each_row_pays(starts, row_bytes, promotion):
    return sum(dram_bytes_of(starts[i : i + 1], row_bytes, promotion) for i in range(len(starts)))


def where_rows_begin(starts, row_bytes, promotion):
    unit = 128 if promotion == 2 else 64
    return unit * len(set((starts // unit).tolist()))


def sectors_asked_for(starts, row_bytes, promotion):
    return 32 * sum(sectors_of(start, row_bytes) for start in starts.tolist())


def lines_for_all(starts, row_bytes, promotion):
    return 128 * len(units(starts, row_bytes, 128))


DRAM_MISTAKES = [
    (
        each_row_pays,
        "8 rows of 64 bytes at 0, 64, 128 …, 128B: you say 1024; an H200 read 64.0 bytes a row",
        "The rows\n8 rows, 512 bytes",
    ),
    (each_row_pays, "Rows that share an atom or a line have it read once."),
    (where_rows_begin, "8 rows of 32 bytes at 48, 560, 1072 …, NONE: you say 512; an H200 read 128.0 bytes a row"),
    (where_rows_begin, "A row may cross into a second atom or line"),
    (sectors_asked_for, "That is what L2 is asked for"),
    (lines_for_all, "NONE and 64B read atoms of 64 bytes, not lines."),
    (lambda *_: 0, "each once."),
]

# Task 3: hints


def dram_bytes_256b(starts, row_bytes, of_a_hint=120):
    sectors, lines = units(starts, row_bytes, 32), units(starts, row_bytes, 128)
    hinted = {sector // 4 + 1 for sector in sectors if sector % 8 == 0}
    return 128 * len(lines) + of_a_hint * len(hinted - lines)


def hints_by_a_map(starts, row_bytes):
    wanted = np.zeros(1 << 14, bool)
    for start in starts:
        wanted[start : start + row_bytes] = True
    first, lines = wanted.reshape(-1, 8, 32)[:, 0].any(axis=1), wanted.reshape(-1, 2, 128).any(axis=2)
    return int(128 * lines.sum() + 120 * (first & ~lines[:, 1]).sum())


def no_hints(starts, row_bytes):
    return dram_bytes_256b(starts, row_bytes, 0)


def all_hints_followed(starts, row_bytes):
    return dram_bytes_256b(starts, row_bytes, 128)


def hints_for_lines_that_are_read(starts, row_bytes):
    firsts = [
        n for start in starts.tolist() for n in range(start // 32, (start + row_bytes - 1) // 32 + 1) if n % 8 == 0
    ]
    return no_hints(starts, row_bytes) + 120 * len(firsts)


def whole_blocks(starts, row_bytes):
    return 256 * len(units(starts, row_bytes, 256))


def each_row_as_alone(starts, row_bytes):
    return 248 * len(starts)


def hints_from_first_bytes(starts, row_bytes):
    lines = units(starts, row_bytes, 128)
    hinted = {start // 128 + 1 for start in starts.tolist() if start % 256 < 32}
    return 128 * len(lines) + 120 * len(hinted - lines)


HINT_MISTAKES = [
    (
        no_hints,
        "you say 1024; an H200 read 247.9 bytes a row, so 248 a row, 1984 in all. That is without the hints",
        "as a hint 128–255",
    ),
    (hints_from_first_bytes, "if a row touches its sector 0, be it with its end."),
    (all_hints_followed, "A hint is followed 15 times of 16"),
    (hints_for_lines_that_are_read, "A hint for a line that is read anyway"),
    (whole_blocks, "A hint is followed 15 times of 16"),
    (each_row_as_alone, "A hint comes only from sector 0 of a block"),
    (
        hints_from_first_bytes,
        "8 rows of 32 bytes at 240, 752, 1264 …, 256B: you say 2048; an H200 read 375.6 bytes a row",
    ),
]

# Task 4: rules


def where_it_fails(rule, times, tolerance):
    return [p for p, by in times.items() if by[rule(*p)] > (1 + tolerance) * min(by.values())]


def where_it_fails_in_a_set(rule, times, tolerance):
    return {
        (np.int64(row), np.int64(pitch))
        for (row, pitch), by in sorted(times.items(), reverse=True)
        if by[rule(row, pitch)] / sorted(by.values())[0] - 1 > tolerance
    }


def held_against_none(rule, times, tolerance):
    return [p for p, by in times.items() if by[rule(*p)] > (1 + tolerance) * by[0]]


def without_tolerance(rule, times, tolerance):
    return where_it_fails(rule, times, 0)


def held_against_the_worst(rule, times, tolerance):
    return [p for p, by in times.items() if max(by.values()) > (1 + tolerance) * by[rule(*p)]]


def per_cent_for_parts(rule, times, tolerance):
    return where_it_fails(rule, times, 100 * tolerance)


def best_against_the_rule(rule, times, tolerance):
    return [p for p, by in times.items() if min(by.values()) < (1 - tolerance) * by[rule(*p)]]


RULE_MISTAKES = [
    (
        held_against_none,
        "always NONE, tolerance 1.2%: rows of 16, pitch 1024: you leave it out, and it takes 1.8%",
        "rows of 16, pitch 1024: 1.8 %",
    ),
    (without_tolerance, "you name it, and it takes 0."),
    (held_against_the_worst, "match the width, tolerance 2.0%: rows of 16, pitch 256: you name it"),
    (per_cent_for_parts, "you leave it out, and it takes 7.2% longer than the best."),
    (lambda *_: [(1, 2)], "you leave it out"),
    (lambda *_: [3], "not pairs (row_bytes, pitch_bytes)."),
    (best_against_the_rule, "always 256B, tolerance 50.0%: rows of"),
    (lambda *asked: [(p[0] + 0.5, p[1]) for p in where_it_fails(*asked)], "not pairs (row_bytes, pitch_bytes)."),
]

# Task 5: what was kept


def second_read_of(x_bytes, y_bytes, dram_bytes, second_ns):
    return max(0, 1 - (dram_bytes - x_bytes - y_bytes) / x_bytes), x_bytes / second_ns


def second_read_as_an_array(x_bytes, y_bytes, dram_bytes, second_ns):
    kept = np.float64(2 * x_bytes + y_bytes - dram_bytes) / x_bytes
    return np.array([np.clip(kept, 0, 1), x_bytes / 1e9 / (second_ns / 1e9)])


def part_read_again(*counted):
    kept, rate = second_read_of(*counted)
    return 1 - kept, rate


def y_forgotten(x_bytes, y_bytes, dram_bytes, second_ns):
    return second_read_of(x_bytes, 0, dram_bytes, second_ns)


def below_zero(x_bytes, y_bytes, dram_bytes, second_ns):
    return 5 * (1 - (dram_bytes - x_bytes - y_bytes) / x_bytes), x_bytes / second_ns


def in_gib(*counted):
    kept, rate = second_read_of(*counted)
    return kept, rate * 1e9 / 2**30


SECOND_MISTAKES = [
    (
        part_read_again,
        "X 24 MiB, Y 0 MiB: part kept: you say 0.000223796, not 0.999776. That is the part that was read",
    ),
    (
        y_forgotten,
        "X 24 MiB, Y 16 MiB: part kept: you say 0.106547, not 0.773214. DRAM reads X once and Y once",
        "recorded: 0.773",
    ),
    (in_gib, "rate: you say 6313.98, not 6779.59. A byte a nanosecond is 1 GB/s"),
    (below_zero, "part kept"),
    (lambda *counted: (100 * second_read_of(*counted)[0], second_read_of(*counted)[1]), "That is per cent; a part is"),
    (lambda *_: 1, "not the pair (part kept, GB/s)"),
]


TASKS = [
    (lesson_11.check_sectors_of, [sectors_of, sectors_byte_by_byte], SECTOR_MISTAKES),
    (lesson_11.check_dram_bytes_of, [dram_bytes_of, dram_bytes_by_a_map], DRAM_MISTAKES),
    (lesson_11.check_dram_bytes_256b, [dram_bytes_256b, hints_by_a_map], HINT_MISTAKES),
    (lesson_11.check_where_it_fails, [where_it_fails, where_it_fails_in_a_set], RULE_MISTAKES),
    (lesson_11.check_second_read_of, [second_read_of, second_read_as_an_array], SECOND_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


@pytest.mark.parametrize("key", [*FIRST_ROW_READS, *FIRST_HINTS], ids=str)
def test_what_is_asked_of_a_recorded_read_is_what_dram_read(key):
    row_bytes, pitch, start, promotion, source = key
    asked, read = recorded_rows(key), row_read(row_bytes, pitch, promotion, start, source)
    assert asked.traffic.dram_bytes / len(asked.starts) == pytest.approx(read.dram_bytes_a_row, rel=0.01)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_seed_draws_questions_of_its_own_and_of_each_kind(seed):
    assert len(list(single_rows(seed))) == 31
    assert {rows.promotion for rows in rows_questions(seed)} == set(L2Promotion) - {L2Promotion.L2_256B}
    assert {rows.promotion for rows in hint_questions(seed)} == {L2Promotion.L2_256B}
    assert list(rows_questions(seed)) != list(rows_questions(seed + 7))
    assert len(second_questions(seed)) == 15


@pytest.mark.parametrize("seed", SEEDS)
def test_no_loss_is_so_near_the_tolerance_that_rounding_decides(seed):
    for _, rule, times, tolerance in rule_questions(seed):
        apart = [abs(loss - tolerance) for loss in losses(rule, times).values()]
        assert all(distance > 1e-9 or (tolerance == 0.25 and distance == 0) for distance in apart)  # 0.25 is exact


def test_the_times_are_those_of_all_15_patterns():
    times = recorded_times()
    assert len(times) == 15
    assert {tuple(by) for by in times.values()} == {(0, 1, 2, 3)}


def test_a_pattern_that_nobody_asked_about_is_named():
    def one_too_many(rule, times, tolerance):
        return [*where_it_fails(rule, times, tolerance), (1, 2)]

    assert "(1, 2) is none of the patterns." in lesson_11.check_where_it_fails(one_too_many).message
