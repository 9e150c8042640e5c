"""The pictures of lesson 01: who copies what, what a tile costs, where registers go; each in words as well."""

import re
from itertools import pairwise

import pytest

from course_lib import DataType, Swizzle, TiledTensorMap
from course_lib.draw.charts.loop_law import law_chart
from course_lib.draw.charts.register_budget import budget_picture
from course_lib.draw.charts.tile_cost import cost_picture, instruction_bars
from course_lib.draw.copies.thread_copies import thread_picture
from course_lib.draw.pen.palette import STATES
from course_lib.model.cost.thread_copy import thread_copies
from course_lib.model.cost.tile_cost import EDGES, TileCost
from course_lib.recordings.times.tile_costs import loop_of

TILE = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0,
    global_dim=(4093, 300),
    global_strides=(8192,),
    box_dim=(64, 128),
    swizzle=Swizzle.B128,
)
COPIES = thread_copies(TILE, (4032, 192), 256)


def fills(picture, state):
    return picture.svg.count(f'fill="{STATES[state].fill}" stroke=')


def test_the_pieces_of_a_thread_are_dark_and_starred_and_cut_ones_say_their_bytes():
    picture = thread_picture(COPIES, 37)
    assert "Thread 37 has 4 pieces: row 4, unit 5; row 36, unit 5; row 68, unit 5; row 100, unit 5." in picture.text
    assert picture.text.count("t37*") == fills(picture, "chosen") == 4
    assert "t7 10 B" in picture.text
    assert "row 127: t248 0 B, t249 0 B" in picture.text
    assert (fills(picture, "byte"), fills(picture, "filled")) == (13, 8)


def test_rows_that_are_left_out_leave_a_line():
    rows = [int(row) for row in re.findall(r"^row (\d+):", thread_picture(COPIES, 37).text, re.M)]
    gaps = sum(after > before + 1 for before, after in pairwise(rows))
    assert thread_picture(COPIES, 37).svg.count('stroke-width="2"/>') == gaps == 5


def test_a_thread_without_a_piece_and_too_many_rows_are_refused():
    with pytest.raises(ValueError, match="thread 300 has no piece"):
        thread_picture(COPIES, 300)
    with pytest.raises(ValueError, match="room for 40"):
        thread_picture(thread_copies(TILE, (0, 0), 32), 3)


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("rows", [16, 128, 256])
def test_the_parts_of_a_bar_make_up_its_total(edges, rows):
    cost = TileCost(rows, 128, 256, edges)
    by_threads, by_tma = instruction_bars(cost)
    assert sum(part.number for part in by_threads.parts) == cost.instructions.stop - 1
    assert sum(part.number for part in by_tma.parts) == cost.tma_instructions
    assert all(part.number > 0 for bar in (by_threads, by_tma) for part in bar.parts)


def test_the_costs_stand_in_words_as_well():
    picture = cost_picture(TileCost(128, 128, 256, "any"))
    assert "Instructions that 8 warps issue for a tile: cp.async 552 to 600, TMA 166" in picture.text
    assert "Registers of a thread: cp.async 31, TMA 10." in picture.text


def test_registers_beyond_the_limit_are_told():
    assert budget_picture({"accumulators": 128, "others": 60}, 168).text.endswith("188 of 168: 20 too many.")
    assert budget_picture({"accumulators": 96}, 168).text.endswith("96 of 168: 72 left.")
    with pytest.raises(ValueError, match="tells 4 apart"):
        budget_picture(dict.fromkeys("abcde", 1), 10)


@pytest.mark.parametrize(
    "picture",
    [thread_picture(COPIES, 0), cost_picture(TileCost(8, 32, 1024)), budget_picture({"a": 9}, 255)],
    ids="abc",
)
def test_each_is_small(picture):
    assert len(picture.standalone.encode()) < 60_000


def test_each_compiled_loop_has_its_mark_on_the_law_and_its_number_in_words():
    lengths = {edges: [loop_of(edges, each).instructions for each in range(1, 17)] for edges in EDGES}
    picture = law_chart(lengths)
    assert [fills(picture, state) for state in ("element", "unit", "byte")] == [16, 16, 16]
    assert picture.svg.count('stroke-width="11"') == 48
    assert "rows: 17, 20, 22, 25, 28, 31, 36, 42" in picture.text
    assert len(picture.standalone.encode()) < 60_000
