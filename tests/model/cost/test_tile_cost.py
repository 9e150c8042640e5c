"""What a tile costs: laws of the copies a thread has, held against every loop that was compiled."""

import pytest

from course_lib.model.cost.gemm import gemm_traffic
from course_lib.model.cost.tile_cost import (
    EDGES,
    LOOP_ALONE,
    REGISTERS,
    TMA_LOOP,
    TMA_OF_ONE_WARP,
    TMA_REGISTERS,
    TileCost,
    loop_instructions,
    registers_of_a_thread,
    widest_tile,
)
from course_lib.recordings.times.tile_costs import loop_of, loop_rows, loops, one_tile, tma_loop

SEEN = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16)


def named(loop):
    return f"{loop.edges}-{loop.each}-{loop.units}-{loop.threads}"


@pytest.mark.parametrize("loop", loops(), ids=named)
def test_a_loop_is_as_long_as_its_law_says_whatever_the_shape_of_the_tile(loop):
    assert loop.instructions in loop_instructions(loop.each, loop.edges)


def test_half_of_what_the_laws_are_held_against_was_not_used_to_find_them():
    unseen = [loop for loop in loops() if loop.each not in SEEN or (loop.units, loop.threads) != (8, 128)]
    assert len(unseen) > len(loops()) / 2 - 3
    assert {loop.each for loop in unseen} >= {9, 11, 13, 15}


@pytest.mark.parametrize("edges", EDGES)
def test_registers_are_those_that_the_compiler_gave(edges):
    assert REGISTERS[edges] == tuple(loop_of(edges, each).registers for each in range(1, 17))


def test_by_tma_a_tile_costs_the_same_whatever_its_rows():
    for rows in (8, 64, 128, 256):
        loop = tma_loop(rows=rows)
        assert (loop.instructions, loop.of_one_warp, loop.registers) == (TMA_LOOP, TMA_OF_ONE_WARP, TMA_REGISTERS)
    assert TileCost(128, 128, 256).tma_instructions == tma_loop().of_all(8) == 166


def test_the_loop_alone_is_the_one_that_copies_nothing():
    assert loop_rows()[0]["loop_instructions"] == LOOP_ALONE


def test_the_tile_of_the_lesson_has_1024_pieces_4_for_a_thread_and_32_warp_instructions():
    cost = TileCost(128, 128, 256)
    assert (cost.thread_copies, cost.each, cost.copy_instructions) == (1024, 4, 32)
    assert cost.copy_instructions == one_tile()[0]["opcodes"]["LDGSTS.E.BYPASS.128.ZFILL"] * 8


@pytest.mark.parametrize("edges", EDGES)
def test_more_copies_never_cost_less_and_wider_guards_never_either(edges):
    lengths = [loop_of(edges, each).instructions for each in range(1, 17)]
    assert lengths == sorted(lengths)
    wider = {"none": "rows", "rows": "any", "any": "any"}[edges]
    assert all(loop_of(wider, n).instructions >= loop_of(edges, n).instructions - 1 for n in range(1, 17))


def test_beyond_16_copies_nothing_was_compiled():
    with pytest.raises(ValueError, match="1 to 16"):
        loop_instructions(17, "none")


def test_a_thread_has_registers_so_that_one_block_fits():
    assert [registers_of_a_thread(threads) for threads in (128, 256, 384, 512, 1024)] == [255, 255, 168, 128, 64]


def test_the_widest_tile_fits_and_the_next_one_does_not():
    for fetching, columns in ((10, 208), (37, 184), (54, 168)):
        assert widest_tile(256, 256, fetching, 32) == columns
        assert columns + fetching + 32 <= 255 < columns + 8 + fetching + 32
    assert widest_tile(64, 128, 10, 40) == 256
    assert widest_tile(256, 128, 100, 160) == 0


def test_a_wider_tile_does_more_for_each_byte():
    rates = [gemm_traffic(256, n, 64, 256, n).operations_per_byte for n in (168, 184, 208)]
    assert rates == sorted(rates)
    assert rates[2] == pytest.approx(256 * 208 / (256 + 208))
