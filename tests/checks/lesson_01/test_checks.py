"""The checks of exercise 01, proved four ways: untouched, mistaken, solved, and solved in other words."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from course_lib.checks.lesson_01 import checks as lesson_01
from course_lib.checks.lesson_01.questions import (
    OUTCOMES,
    Box,
    budgets,
    differing_bytes,
    edge_boxes,
    inside_boxes,
    issue_questions,
    tile_sizes,
)
from course_lib.model.barrier.mbarrier import MBarrier
from course_lib.model.cost.tile_cost import registers_of_a_thread
from tests.checks.four_ways import FourWays
from tests.checks.odd_words import WordThatEqualsAll

# Task 1: three counts


def count_copies(rows, row_bytes, threads):
    pieces = rows * row_bytes // 16
    return pieces, -(-pieces // threads), -(-pieces // 32)


def count_by_a_loop(rows, row_bytes, threads):
    work = np.zeros(threads, np.int64)
    warps = set()
    for piece in range(rows * (row_bytes // 16)):
        work[piece % threads] += 1
        warps.add((piece // threads, piece % threads // 32))
    return [np.int64(work.sum()), work.max(), len(warps)]


def count_as_an_array(rows, row_bytes, threads):
    return np.array(count_copies(rows, row_bytes, threads))


def counts_rounded_down(rows, row_bytes, threads):
    pieces = rows * row_bytes // 16
    return pieces, pieces // threads, pieces // 32


def every_warp_issues(rows, row_bytes, threads):
    pieces, each, _ = count_copies(rows, row_bytes, threads)
    return pieces, each, each * threads // 32


def one_a_thread(rows, row_bytes, threads):
    return threads, 1, threads // 32


COUNT_MISTAKES = [
    (counts_rounded_down, "64 rows of 128 bytes, 1024 threads: you say 0 copies of the busiest thread, and it is 1."),
    (every_warp_issues, "1024 threads: you say 32 warp instructions, and it is 16. Warps that have no piece"),
    (one_a_thread, "you say 256 copies of 16 bytes, and it is 1024. A piece is 16 bytes."),
    (lambda *_: 1024, "not three counts as a tuple"),
    (lambda *_: {1024, 4, 32}, "not three counts as a tuple"),
    (lambda *_: (1024, 4.0, 32), "4.0, not a count as an integer"),
]

# Tasks 2 and 3: the pieces of a thread


def pieces(thread, threads, m, start, place, guard=True):
    size, pitch = m.data_type.size_bytes, m.global_strides[0]
    units, rows = m.box_dim[0] * size // 16, m.box_dim[1]
    found = []
    for piece in range(thread, rows * units, threads):
        line, column = start[1] + piece // units, start[0] * size + piece % units * 16
        inside = max(0, min(16, m.global_dim[0] * size - column)) if 0 <= line < m.global_dim[1] and column >= 0 else 0
        found.append((m.global_address + line * pitch + column, inside, place(piece * 16)))
    return found


def pieces_inside(thread, threads, m, start):
    return [(source, target) for source, _, target in pieces(thread, threads, m, start, lambda address: address)]


def inside_with_arrays(thread, threads, m, start):
    size = m.data_type.size_bytes
    row, unit = np.indices((m.box_dim[1], m.box_dim[0] * size // 16)).reshape(2, -1)
    source = m.global_address + (row + start[1]) * m.global_strides[0] + unit * 16 + start[0] * size
    target = row * m.box_dim[0] * size + unit * 16
    mine = np.flatnonzero(np.arange(row.size) % threads == thread)[::-1]
    return tuple((np.int64(source[i]), np.int64(target[i])) for i in mine)


def inside_one_by_one(thread, threads, m, start):
    yield from pieces_inside(thread, threads, m, start)


def inside_as_an_array(thread, threads, m, start):
    return np.array(pieces_inside(thread, threads, m, start))


def start_in_bytes(thread, threads, m, start):
    return pieces_inside(thread, threads, m, (start[0] // m.data_type.size_bytes, start[1]))


def stride_of_the_box(thread, threads, m, start):
    row_bytes = m.box_dim[0] * m.data_type.size_bytes
    base = pieces_inside(0, 1, m, start)[0][0]
    return [
        (base + target // row_bytes * row_bytes + target % row_bytes, target)
        for _, target in pieces_inside(thread, threads, m, start)
    ]


def neighbours_take_turns(thread, threads, m, start):
    every = pieces_inside(0, 1, m, start)
    each = -(-len(every) // threads)
    return every[thread * each : (thread + 1) * each]


def forgets_the_address(thread, threads, m, start):
    return [(source - m.global_address, target) for source, target in pieces_inside(thread, threads, m, start)]


def one_piece_in_a_box_made_small(thread, threads, m, start):
    object.__setattr__(m, "box_dim", (16 // m.data_type.size_bytes, 1))
    return pieces_inside(thread, threads, m, start)


INSIDE_MISTAKES = [
    (
        start_in_bytes,
        "the piece in row 0, unit 0 of the box has source 66688; you say 66624. Row 130 of the tensor, 128",
    ),
    (stride_of_the_box, "row 32, unit 0 of the box has source 83072; you say 70784."),
    (
        neighbours_take_turns,
        "thread 0: the piece in row 32, unit 0 of the box has source 83072; you say 66704.",
        "Thread 0 has 4 pieces: row 0, unit 0; row 32, unit 0",
    ),
    (forgets_the_address, "box (8, 40) of FLOAT32 at (16, 3)"),
    (
        one_piece_in_a_box_made_small,
        "box (64, 128) of BFLOAT16 at (64, 130) in a tensor of (256, 300), thread 0: you give 1",
    ),
    (lambda *_: 7, "not a list of (source, target)"),
    (lambda *question: dict(pieces_inside(*question)), "not a list of (source, target)"),
    (lambda *_: [], "you give 0 pieces; it has 4."),
]


def pieces_backwards(thread, threads, m, start, place):
    return [tuple(map(np.int64, piece)) for piece in reversed(pieces(thread, threads, m, start, place))]


def pieces_from_the_last_byte(thread, threads, m, start, place):
    size, width = m.data_type.size_bytes, m.global_dim[0] * m.data_type.size_bytes
    units = m.box_dim[0] * size // 16
    found = []
    for piece in range(units * m.box_dim[1] - 1, -1, -1):
        if piece % threads == thread:
            row, unit = divmod(piece, units)
            columns = range(start[0] * size + unit * 16, start[0] * size + unit * 16 + 16)
            inside = sum(0 <= c < width for c in columns) * (0 <= row + start[1] < m.global_dim[1])
            source = m.global_address + (row + start[1]) * m.global_strides[0] + columns[0] if inside else 0
            found.append((source, inside, place(row * units * 16 + unit * 16)))
    return found


def pieces_without_a_source_where_nothing_is_copied(*question):
    return [(source if inside else None, inside, target) for source, inside, target in pieces(*question)]


def no_piece_has_a_source(*question):
    return [(None, inside, target) for source, inside, target in pieces(*question)]


def whole_pieces_only(thread, threads, m, start, place):
    return [
        (source, 16 * (inside == 16), target) for source, inside, target in pieces(thread, threads, m, start, place)
    ]


def leaves_out_what_lies_outside(thread, threads, m, start, place):
    return [piece for piece in pieces(thread, threads, m, start, place) if piece[1]]


def without_place(thread, threads, m, start, place):
    return pieces(thread, threads, m, start, lambda address: address)


def edge_at_the_stride(thread, threads, m, start, place):
    row_bytes = m.global_dim[0] * m.data_type.size_bytes
    rounded = pieces(thread, threads, m, start, place)
    return [
        (source, 16 if 0 < inside < 16 and row_bytes % 16 else inside, target) for source, inside, target in rounded
    ]


def left_edge_forgotten(thread, threads, m, start, place):
    size = m.data_type.size_bytes
    found = []
    for source, inside, target in pieces(thread, threads, m, start, place):
        column = (source - m.global_address) - (source - m.global_address) // m.global_strides[0] * m.global_strides[0]
        found.append(
            (source, 16 if start[0] < 0 and inside == 0 and column >= m.global_dim[0] * size - 16 else inside, target)
        )
    return found


def edges_above_and_below_forgotten(thread, threads, m, start, place):
    endless = replace(m, global_dim=(m.global_dim[0], 2**20))
    inside = pieces(thread, threads, endless, (start[0], start[1] + 2**10), place)
    return [(source - 2**10 * m.global_strides[0], count, target) for source, count, target in inside]


GUARD_MISTAKES = [
    (edges_above_and_below_forgotten, "row 13, unit 0 of the box has inside 0; you say 16."),
    (whole_pieces_only, "unit 4 of the box has inside 10; you say 0.", "10 B"),
    (leaves_out_what_lies_outside, "you give"),
    (without_place, "row 1, unit 0 of the box has target 144; you say 128. It is `place(128)`."),
    (edge_at_the_stride, "has inside 10; you say 16."),
    (left_edge_forgotten, "at (-8, -3)"),
    (no_piece_has_a_source, "None, not a count as an integer"),
]

# Task 4: who issues


def outcome(announces, copies, threads):
    announced, copied = (sum(bool(c(t, t % 32 == 0)) for t in range(threads)) for c in (announces, copies))
    if announced > 1:
        return "faults"
    if announced == 0 or copied == 0:
        return "hangs at tile 1"
    return {1: "completes", 2: "wakes early at tile 2"}.get(copied, "hangs at tile 2")


def outcome_by_the_barrier(announces, copies, threads):
    barrier = MBarrier(1)
    for tile in (0, 1):
        for thread in range(threads):
            if announces(thread, not thread % 32):
                if barrier.state.pending == 0:
                    return "faults"
                barrier.arrive_expect_tx(512)
        if barrier.state.phase > tile:
            return "wakes early at tile 2"
        for thread in range(threads):
            if copies(thread, not thread % 32):
                barrier.complete_tx(512)
        if barrier.state.phase <= tile:
            return f"hangs at tile {tile + 1}"
    return "completes"


def elects_one_of_the_block(announces, copies, threads):
    return outcome(*(lambda t, elected, c=c: c(t, elected and t == 0) for c in (announces, copies)), threads)


def more_copies_hang_at_once(announces, copies, threads):
    said = outcome(announces, copies, threads)
    return "hangs at tile 1" if said.endswith("tile 2") else said


def two_copies_hang(announces, copies, threads):
    said = outcome(announces, copies, threads)
    return "hangs at tile 2" if said.startswith("wakes") else said


def all_is_well(announces, copies, threads):
    return "completes"


OUTCOME_MISTAKES = [
    (elects_one_of_the_block, "announce if elected, copy if elected, 128 threads: you say 'completes', and it faults."),
    (
        more_copies_hang_at_once,
        "you say 'hangs at tile 1', and it hangs at tile 2. The tile is announced 1 times and copied",
    ),
    (two_copies_hang, "you say 'hangs at tile 2', and it wakes early at tile 2."),
    (all_is_well, "and it faults.", "2. arrive.expect_tx 1024 → phase 0"),
    (lambda *_: 719, "the function returned 719; it is one of 'completes'"),
    (lambda *_: WordThatEqualsAll("all is well"), "'all is well'; it is one of 'completes'"),
    (lambda *_: np.array(OUTCOMES), "; it is one of 'completes'"),
]

# Task 5: the widest tile


def widest(tile_m, threads, fetching, others):
    room = (registers_of_a_thread(threads) - fetching - others) * threads
    columns = min(256, room // tile_m // 8 * 8)
    return columns, tile_m * columns / (tile_m + columns)


def widest_by_trying(tile_m, threads, fetching, others):
    columns = 256
    while tile_m * columns / threads + fetching + others > registers_of_a_thread(threads):
        columns -= 8
    return np.int64(columns), np.float64(2 * tile_m * columns) / (2 * tile_m + 2 * columns)


def widest_as_a_list_with_a_fraction(tile_m, threads, fetching, others):
    columns, _ = widest(tile_m, threads, fetching, others)
    return [columns, Fraction(tile_m * columns, tile_m + columns)]


def registers_255(tile_m, threads, fetching, others):
    columns = min(256, (255 - fetching - others) * threads // tile_m // 8 * 8)
    return columns, tile_m * columns / (tile_m + columns)


def no_steps_of_8(tile_m, threads, fetching, others):
    columns = min(256, (registers_of_a_thread(threads) - fetching - others) * threads // tile_m)
    return columns, tile_m * columns / (tile_m + columns)


def one_operation(tile_m, threads, fetching, others):
    columns, operations = widest(tile_m, threads, fetching, others)
    return columns, operations / 2


def fetching_is_free(tile_m, threads, fetching, others):
    return widest(tile_m, threads, 0, others)


WIDTH_MISTAKES = [
    (
        registers_255,
        "192 rows, 384 threads, 31 registers to fetch, 40 others: you say 256 columns. It needs 199 registers of 168.",
        "accumulators: 128",
    ),
    (no_steps_of_8, "It is a multiple of 8 up to 256."),
    (one_operation, "A multiplication and an addition are two operations."),
    (fetching_is_free, "you say 216 columns. It needs"),
    (lambda *_: 128, "not a pair (columns, operations a byte)"),
    (lambda *budget: (widest(*budget)[0], str(widest(*budget)[1])), "not a pair (columns, operations a byte)"),
    (lambda *budget: (widest(*budget)[0], None), "not a pair (columns, operations a byte)"),
    (lambda *budget: (widest(*budget)[0], float("nan")), "you say nan operations a byte"),
    (lambda tile_m, threads, *_: (8, tile_m * 8 / (tile_m + 8)), "columns fit too."),
]

INSIDE = [pieces_inside, inside_with_arrays, inside_one_by_one, inside_as_an_array]
PIECES = [pieces, pieces_backwards, pieces_from_the_last_byte, pieces_without_a_source_where_nothing_is_copied]
TASKS = [
    (lesson_01.check_count_copies, [count_copies, count_by_a_loop, count_as_an_array], COUNT_MISTAKES),
    (lesson_01.check_pieces_inside, INSIDE, INSIDE_MISTAKES),
    (lesson_01.check_pieces, PIECES, GUARD_MISTAKES),
    (lesson_01.check_outcome, [outcome, outcome_by_the_barrier], OUTCOME_MISTAKES),
    (lesson_01.check_widest, [widest, widest_by_trying, widest_as_a_list_with_a_fraction], WIDTH_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


def test_a_box_with_too_many_rows_to_draw_is_judged_without_a_picture():
    dense = replace(
        next(iter(inside_boxes(0))).tensor_map, global_dim=(64, 128), global_strides=(128,), box_dim=(64, 128)
    )
    assert lesson_01.copies_picture(Box(dense, (0, 0), 32), 3) is None
    assert lesson_01.copies_picture(Box(dense, (0, 0), 256), 3) is not None


@pytest.mark.parametrize("seed", range(12))
def test_what_is_asked_is_legal_and_the_right_copies_leave_what_the_engine_leaves(seed):
    for box in [*inside_boxes(seed), *edge_boxes(seed)]:
        assert box.tensor_map.check().accepted
        assert differing_bytes(box, box.copies) == 0
    for box in inside_boxes(seed):
        assert all(copy.inside == 16 for copy in box.copies)


def test_every_outcome_and_every_cut_is_asked_for_whatever_the_seed():
    assert {issue.outcome for issue in issue_questions(5)} == set(OUTCOMES)
    assert {16, 10, 0} <= {copy.inside for box in edge_boxes(5) for copy in box.copies}


def test_another_seed_asks_about_other_tiles_boxes_and_budgets():
    for ask in (tile_sizes, edge_boxes, inside_boxes, budgets):
        assert list(ask(1)) != list(ask(2))
