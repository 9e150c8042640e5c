"""The checks of exercise 08, proved four ways: untouched, mistaken, solved, and solved in other words."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib.checks.lesson_08 import checks as lesson_08
from course_lib.checks.lesson_08.questions import bank_questions, calls_to_pad, columns_of, tile_reads, timed_questions
from course_lib.model.cost.banks import access
from course_lib.recordings.times.banks import bank_read
from tests.checks.four_ways import FourWays

# Task 1: the degree


def degree_of(addresses):
    return np.bincount(np.unique(addresses // 4) % 32).max()


def degree_by_sets(addresses):
    banks = {}
    for address in reversed(list(addresses)):
        banks.setdefault(int(address) // 4 % 32, set()).add(int(address) // 128)
    return max(len(lines) for lines in banks.values())


def lanes_not_words(addresses):
    return np.bincount(addresses // 4 % 32).max()


def banks_that_are_asked(addresses):
    return len(set(addresses // 4 % 32))


def bytes_for_words(addresses):
    return np.bincount(np.unique(addresses) % 32).max()


DEGREE_MISTAKES = [
    (
        lanes_not_words,
        "two addresses in one bank: you say 32; the H200 took 2.04.",
        "turn 2, lanes 0–31: bank 0 → 1+15",
    ),
    (lanes_not_words, "Yours counts lanes; lanes that ask for one word are served together."),
    (banks_that_are_asked, "Yours counts the banks that are asked"),
    (bytes_for_words, "you say 4; the H200 took 1.04. Count the different words"),
    (lambda addresses: "32", "not a degree as an integer"),
    (lambda addresses: None, "returned None"),
]

# Tasks 2 and 3: turns


def turns_in_phases_of(addresses, access_bytes, lanes):
    words = addresses[:, None] + np.arange(0, access_bytes, 4)
    return sum(degree_of(words[first : first + lanes].reshape(-1)) for first in range(0, len(words), lanes))


def turns_of(addresses, access_bytes):
    return turns_in_phases_of(addresses, access_bytes, 128 // access_bytes)


def turns_by_a_loop(addresses, access_bytes):
    turns, together = 0, {4: 32, 8: 16, 16: 8}[access_bytes]
    for first in range(0, len(addresses), together):
        asked = {
            at // 4 + word for at in addresses[first : first + together].tolist() for word in range(access_bytes // 4)
        }
        turns += max(sum(word % 32 == bank for word in asked) for bank in range(32))
    return turns


def all_lanes_together(addresses, access_bytes):
    return turns_in_phases_of(addresses, access_bytes, 32)


def worst_phase(addresses, access_bytes):
    return access(addresses, access_bytes).degree


def first_word_alone(addresses, access_bytes):
    return degree_of(addresses)


def four_phases_at_every_width(addresses, access_bytes):
    return turns_in_phases_of(addresses, access_bytes, 8)


TURN_MISTAKES = [
    (all_lanes_together, "only lanes of one phase are in each other's way."),
    (
        worst_phase,
        "stride 1 x 8 bytes, 8 bytes a lane: you say 1; the H200 took 2.04. That is the degree of the worst",
        "2 turns in 2 phases, free of conflicts.",
    ),
    (first_word_alone, "16 bytes a lane: you say 4; the H200 took 8.04. A lane asks for every word of its bytes"),
    (four_phases_at_every_width, "rows, pitch 128, 4 bytes a lane: you say 4; the H200 took 1.04."),
    (lambda addresses, access_bytes: 4.0, "not a number of turns as an integer"),
]


def turns_shared(addresses, access_bytes):
    lane = np.arange(len(addresses))
    if access_bytes == 4:
        return turns_of(addresses, 4)
    pairs = any((addresses == addresses[lane ^ bit]).all() for bit in (1, 2))
    return turns_in_phases_of(addresses, access_bytes, 128 // access_bytes * (1 + pairs))


def shared_by_slices(addresses, access_bytes):
    a = [int(at) for at in addresses]
    by_one = len(a) % 2 == 0 and a[0::2] == a[1::2]
    by_two = len(a) % 4 == 0 and a[0::4] + a[1::4] == a[2::4] + a[3::4]
    return turns_in_phases_of(addresses, access_bytes, min(32, 128 // access_bytes * (2 if by_one or by_two else 1)))


def any_partner(addresses, access_bytes):
    lane = np.arange(len(addresses))
    pairs = access_bytes > 4 and any((addresses == addresses[lane ^ bit]).all() for bit in (1, 2, 4, 8, 16))
    return turns_in_phases_of(addresses, access_bytes, 128 // access_bytes * (1 + pairs))


def either_partner(addresses, access_bytes):
    lane = np.arange(len(addresses))
    if access_bytes == 4:
        return turns_of(addresses, 4)
    pairs = ((addresses == addresses[lane ^ 1]) | (addresses == addresses[lane ^ 2])).all()
    return turns_in_phases_of(addresses, access_bytes, 128 // access_bytes * (1 + bool(pairs)))


def one_turn_for_one_place(addresses, access_bytes):
    return 1 if len(set(addresses.tolist())) == 1 else turns_of(addresses, access_bytes)


SHARED_MISTAKES = [
    (
        turns_of,
        "broadcast, 16 bytes a lane: you say 4; the H200 took 2.06. Lanes that share in pairs are served with twice",
        "turn 2, lanes 16–31: banks 16–19 → 16+15",
    ),
    (
        any_partner,
        "lanes share whose number differs in bit 2, 16 bytes a lane: you say 2; the H200 took 4.04. Twice as",
    ),
    (
        either_partner,
        "lower half shares by bit 0, upper by bit 1, 16 bytes a lane: you say 2; the H200 took 4.04. Twice as many lanes "
        "only if every lane shares by the same of the two",
    ),
    (one_turn_for_one_place, "broadcast, 16 bytes a lane: you say 1"),
]

# Task 4: a pitch


def best_pitch(row_bytes, step_bytes, access_bytes, read):
    first = -(-row_bytes // step_bytes) * step_bytes
    return min(range(first, row_bytes + 129, step_bytes), key=lambda p: access(read(p), access_bytes).turns)


def best_pitch_by_a_loop(row_bytes, step_bytes, access_bytes, read):
    best, fewest = None, 999
    for pitch in range(row_bytes + 128, row_bytes - 1, -1):
        if pitch % step_bytes == 0 and (turns := turns_shared(read(pitch), access_bytes)) <= fewest:
            best, fewest = pitch, turns
    return np.int64(best)


def one_step_more(row_bytes, step_bytes, access_bytes, read):
    return (row_bytes // step_bytes + 1) * step_bytes


def odd_words(row_bytes, step_bytes, access_bytes, read):
    return (row_bytes // 4 | 1) * 4


def no_padding(row_bytes, step_bytes, access_bytes, read):
    return -(-row_bytes // step_bytes) * step_bytes


def as_large_as_may_be(row_bytes, step_bytes, access_bytes, read):
    turns = {
        p: access(read(p), access_bytes).turns for p in range(row_bytes + 128, row_bytes - 1, -1) if p % step_bytes == 0
    }
    return min(turns, key=turns.get)


def as_if_no_lanes_shared(row_bytes, step_bytes, access_bytes, read):
    pitches = [p for p in range(row_bytes, row_bytes + 129) if p % step_bytes == 0]
    return min(pitches, key=lambda pitch: turns_of(read(pitch), access_bytes))


PITCH_MISTAKES = [
    (
        as_if_no_lanes_shared,
        "a row for two lanes, 16 bytes a lane, rows of 160, step 16: you say 160. The read takes 4 turns; at 176 it",
    ),
    (one_step_more, "rows of 132, step 4: you say 136. The read takes 2 turns; at 132 it takes 1."),
    (odd_words, "rows of 128, step 16: you say 132. That is no multiple of 16."),
    (
        no_padding,
        "a column of 32 rows, 4 bytes a lane, rows of 128, step 4: you say 128. The read takes 32 turns; at 132",
        "Rows 128 bytes apart",
    ),
    (as_large_as_may_be, "The read takes 1 turns, and as many at 132, which is smaller."),
    (lambda *_: 68, "the rows would overlap"),
    (lambda *_: [132], "not a pitch as an integer"),
]

# Task 5: a box


def with_width(call, width):
    return replace(call, box_dim=(width, *call.box_dim[1:]))


def padded_box(call):
    size = call.data_type.size_bytes
    return with_width(call, (call.box_dim[0] * size // 16 | 1) * 16 // size)


def padded_by_trying(call):
    width = call.box_dim[0]
    while not with_width(call, width).check().accepted or columns_of(with_width(call, width)).degree > 1:
        width += 1
    return with_width(call, np.int64(width).item())


def one_element_more(call):
    return with_width(call, call.box_dim[0] + 1)


def always_a_unit_more(call):
    return with_width(call, call.box_dim[0] + 16 // call.data_type.size_bytes)


def width_in_bytes(call):
    return with_width(call, padded_box(call).box_dim[0] * call.data_type.size_bytes)


def padded_tensor_too(call):
    box = padded_box(call)
    return replace(box, global_dim=(box.box_dim[0], box.global_dim[1]))


def in_three_dimensions(call):
    call = padded_box(call)
    dims, strides, box = (*call.global_dim, 1), (*call.global_strides, 2**16), (*call.box_dim, 1)
    return replace(call, global_dim=dims, global_strides=strides, box_dim=box, element_strides=(1, 1, 1))


BOX_MISTAKES = [
    (one_element_more, "box_dim=(64, 32) of BFLOAT16: you say box_dim[0] = 65: the driver refuses it."),
    (
        always_a_unit_more,
        "box_dim=(24, 32) of FLOAT16: you say box_dim[0] = 32: rows lie 64 bytes apart, and 8 of them conflict.",
    ),
    (width_in_bytes, "you say box_dim[0] = 144: that is its bytes; a box is counted in elements."),
    (padded_tensor_too, "something other than box_dim[0] has changed."),
    (
        lambda call: call,
        "rows lie 128 bytes apart, and 8 of them conflict.",
        "8 lanes, 16 bytes each: 8 turns in 1 phase",
    ),
    (in_three_dimensions, "something other than box_dim[0] has changed."),
    (lambda call: padded_box(call).box_dim, "something of type tuple, not a TiledTensorMap."),
    (lambda call: with_width(call, padded_box(call).box_dim[0] + 32 // call.data_type.size_bytes), "are enough."),
]

TASKS = [
    (lesson_08.check_degree_of, [degree_of, degree_by_sets], DEGREE_MISTAKES),
    (lesson_08.check_turns_of, [turns_of, turns_by_a_loop], TURN_MISTAKES),
    (lesson_08.check_turns_shared, [turns_shared, shared_by_slices], SHARED_MISTAKES),
    (lesson_08.check_best_pitch, [best_pitch, best_pitch_by_a_loop], PITCH_MISTAKES),
    (lesson_08.check_padded_box, [padded_box, padded_by_trying], BOX_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


def test_the_turns_that_are_asked_for_are_the_cycles_that_the_hardware_took():
    for (name, size), question in timed_questions().items():
        assert question.found.turns == int(bank_read(name, size).cycles)


@pytest.mark.parametrize("seed", range(20))
def test_where_no_lanes_share_the_plain_rule_is_the_right_one(seed):
    for question in bank_questions(seed, shared=False):
        assert turns_of(question.addresses, question.access_bytes) == question.found.turns


@pytest.mark.parametrize("seed", range(20))
def test_every_tile_and_box_has_an_answer_that_keeps_the_specification(seed):
    for tile in tile_reads(seed):
        assert tile.row_bytes <= tile.best <= tile.row_bytes + 128
        assert tile.best % tile.step_bytes == tile.step_bytes % tile.access_bytes == 0
    for call in calls_to_pad(seed):
        assert call.check().accepted
        assert padded_box(call).check().accepted
        assert columns_of(padded_box(call)).degree == 1


def test_another_seed_asks_about_other_reads_tiles_and_boxes():
    assert [q.name for q in bank_questions(1)] != [q.name for q in bank_questions(2)]
    assert [t.row_bytes for t in tile_reads(1)] != [t.row_bytes for t in tile_reads(2)]
    assert list(calls_to_pad(1)) != list(calls_to_pad(2))
