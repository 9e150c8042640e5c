"""Shared memory's banks: the laws, whole small domains, and the cycles that an H200 took."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.model.cost.banks import access, bank_of, column, ldmatrix, padded_pitch_bytes
from course_lib.model.facts.enums import Swizzle
from course_lib.recordings import committed, read_rows

LDMATRIX = 0  # access_bytes of a recorded ldmatrix.x4
LOOP_CYCLES = 0.07  # what the measuring loop adds to an access, at most
FIRST_TURN_CYCLES, TURN_CYCLES = 26.848, 2  # of latency, the loop included
SIZES = (4, 8, 16)
SWIZZLES = (Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128)

ROWS = list(read_rows(committed("bank_cycles.jsonl.xz")))
sizes = st.sampled_from(SIZES)


@st.composite
def accesses(draw):
    """A whole warp's addresses and the bytes of each."""
    size = draw(sizes)
    return [size * word for word in draw(st.lists(st.integers(0, 511), min_size=32, max_size=32))], size


def modelled(row):
    return (
        ldmatrix(row["addresses"]) if row["access_bytes"] == LDMATRIX else access(row["addresses"], row["access_bytes"])
    )


def worst(served, lanes_together, size):
    """The turns of one phase, counted the slow way."""
    words = {(a + byte) // 4 for a in served[:lanes_together] for byte in range(size)}
    return max(sum(word % 32 == bank for word in words) for bank in range(32))


def test_every_recorded_access_takes_a_cycle_for_each_turn():
    assert len(ROWS) > 390
    off = [row["pattern"] for row in ROWS if not 0 <= row["cycles_median"] - modelled(row).turns < LOOP_CYCLES]
    assert off == []


def test_every_recorded_latency_grows_by_two_cycles_a_turn_and_one_a_phase():
    assert {row["access_bytes"] for row in ROWS} == {LDMATRIX, *SIZES}
    for row in ROWS:
        found = modelled(row)
        phases = 0 if row["access_bytes"] == LDMATRIX else len(found.phases) - 1
        assert row["latency_median"] == pytest.approx(FIRST_TURN_CYCLES + TURN_CYCLES * found.turns + phases, abs=0.01)


def test_a_bank_is_four_bytes_wide_and_there_are_32():
    assert [bank_of(a) for a in (0, 3, 4, 124, 127, 128, 132)] == [0, 0, 1, 31, 31, 0, 1]


def test_a_strided_read_conflicts_as_often_as_the_stride_and_32_share_factors():
    for stride_words in range(1, 257):
        assert access(np.arange(32) * stride_words * 4, 4).degree == np.gcd(stride_words, 32)


@pytest.mark.parametrize("size", SIZES)
def test_neighbours_read_at_full_width_without_conflict(size):
    found = access(np.arange(32) * size, size)
    assert (found.degree, found.turns, found.extra_turns) == (1, size // 4, 0)


@given(word=st.integers(0, 10_000))
def test_one_word_for_all_lanes_is_free(word):
    assert access([4 * word] * 32, 4).turns == 1


def test_wide_accesses_of_lanes_in_pairs_take_half_the_phases():
    assert [access([0] * 32, size).turns for size in SIZES] == [1, 1, 2]
    assert [access([lane // 2 * size for lane in range(32)], size).turns for size in SIZES] == [1, 1, 2]
    assert [access([lane % 2 * 128 for lane in range(32)], size).turns for size in SIZES] == [2, 2, 4]
    assert [access([lane % 8 * size for lane in range(32)], size).turns for size in SIZES] == [1, 2, 4]


@given(accesses())
def test_a_phase_needs_as_many_turns_as_its_busiest_bank_has_words(drawn):
    addresses, size = drawn
    found = access(addresses, size)
    together = len(found.phases[0].lanes)
    parts = [addresses[i : i + together] for i in range(0, 32, together)]
    assert [phase.degree for phase in found.phases] == [worst(part, together, size) for part in parts]


@given(accesses(), st.integers(0, 64))
def test_moving_everything_by_whole_lines_changes_nothing(drawn, lines):
    addresses, size = drawn
    assert access([a + 128 * lines for a in addresses], size).turns == access(addresses, size).turns


@given(accesses(), st.randoms())
def test_the_order_of_lanes_within_a_four_byte_access_does_not_matter(drawn, random):
    addresses = [a // 4 * 4 for a in drawn[0]]
    assert access(random.sample(addresses, 32), 4).turns == access(addresses, 4).turns


@given(accesses())
def test_an_access_takes_at_least_a_turn_a_phase_and_at_most_one_a_lane(drawn):
    found = access(*drawn)
    assert len(found.phases) <= found.turns <= 32


def test_a_column_of_128_byte_rows_is_32_way_and_the_128_byte_swizzle_leaves_4():
    ways = {swizzle: access(column(128, swizzle=swizzle), 4).degree for swizzle in SWIZZLES}
    assert ways == {Swizzle.NONE: 32, Swizzle.B32: 16, Swizzle.B64: 8, Swizzle.B128: 4}


@pytest.mark.parametrize("unit", range(8))
def test_eight_rows_read_as_sixteen_byte_columns_are_free_with_the_128_byte_swizzle(unit):
    assert access(column(128, 16 * unit, rows=8, swizzle=Swizzle.B128), 16).degree == 1
    assert ldmatrix(column(128, 16 * unit, rows=8, swizzle=Swizzle.B128)).degree == 1
    assert ldmatrix(column(128, 16 * unit, rows=8)).degree == 8


@pytest.mark.parametrize("size", SIZES)
def test_the_padded_pitch_is_the_smallest_without_conflict(size):
    for row_bytes in range(4, 513, 4):
        pitches = range(-(-row_bytes // size) * size, 1024, size)
        assert padded_pitch_bytes(row_bytes, size) == next(p for p in pitches if access(column(p), size).degree == 1)


def test_a_warp_can_not_read_what_it_can_not_address():
    with pytest.raises(ValueError, match="4, 8 or 16"):
        access([0], 12)
    with pytest.raises(ValueError, match="1 to 32 lanes"):
        access([0] * 33, 4)
    with pytest.raises(ValueError, match="multiples of 8"):
        access([4], 8)
    with pytest.raises(ValueError, match="8, 16 or 32 rows"):
        ldmatrix([0] * 4)
