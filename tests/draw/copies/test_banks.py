"""A read on the banks: every word is given once, in as many rows as turns, and the same in words."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from course_lib.draw import bank_picture
from course_lib.draw.copies.banks import gives_words, turns_of
from course_lib.draw.pen.palette import STATES
from course_lib.model.cost.banks import access
from course_lib.recordings.times.banks import bank_read, bank_reads

LANE = np.arange(32)


def boxes(picture, state):
    return picture.svg.count(f'fill="{STATES[state].fill}" stroke="{STATES[state].border}"')


@pytest.mark.parametrize("read", bank_reads()[::5], ids=lambda read: f"{read.pattern}, {read.access_bytes}")
def test_every_picture_of_a_recorded_read_is_well_formed_and_under_60_kb(read):
    picture = bank_picture(read.modelled)
    ElementTree.fromstring(picture.svg)
    ElementTree.fromstring(picture.standalone)
    assert max(len(picture.svg.encode()), len(picture.standalone.encode())) < 60_000


@pytest.mark.parametrize("read", bank_reads(), ids=lambda read: f"{read.pattern}, {read.access_bytes}")
def test_there_are_as_many_turns_as_the_model_counts_and_every_lane_gets_each_of_its_words(read):
    found = read.modelled
    turns = turns_of(found)
    assert len(turns) == found.turns
    served = sorted((lane, bank) for turn in turns for bank, lanes in turn.gives.items() for lane in lanes)
    asked = sorted(
        (lane, word % 32)
        for phase in found.phases
        for lane, words in zip(phase.lanes, phase.words.tolist(), strict=True)
        for word in words
    )
    assert served == asked


def test_a_turn_that_a_conflict_costs_and_a_shared_word_have_looks_of_their_own():
    column = bank_picture(access(128 * (LANE % 8) + 4 * (LANE // 8), 4))
    assert (boxes(column, "element"), boxes(column, "first"), boxes(column, "chosen")) == (4, 28, 0)
    assert boxes(bank_picture(access(0 * LANE, 16)), "chosen") == 8


def test_the_words_put_neighbours_together():
    def words(addresses, size):
        return [gives_words(turn) for turn in turns_of(access(addresses, size))]

    assert words(4 * LANE, 4) == ["banks 0–31 → 0–31"]
    assert words(0 * LANE, 4) == ["bank 0 → 0+31"]
    assert words(4 * (LANE // 2), 4)[0].startswith("bank 0 → 0+1; bank 1 → 2+1")
    assert words(8 * LANE, 8)[1].startswith("banks 0–1 → 16; banks 2–3 → 17")
    assert words(4 * (31 - LANE), 4)[0].startswith("bank 0 → 31; bank 1 → 30")
    assert words(np.array([0, 4, 4, 8]), 4) == ["bank 0 → 0; bank 1 → 1+1; bank 2 → 3"]


def test_the_sentence_tells_turns_phases_and_conflicts():
    text = bank_picture(bank_read("8-row columns, pitch 128", 16).modelled).text
    assert "32 lanes, 16 bytes each: 32 turns in 4 phases, conflicts cost 28 of them." in text
    assert "turn 32, lanes 24–31: banks 12–15 → 31" in text
    assert "1 lane" not in text.splitlines()[1]


def test_a_read_of_fewer_lanes_has_a_picture_too():
    assert "turn 1, lane 0: bank 2 → 0" in bank_picture(access([8], 4)).text


def test_the_same_read_gives_the_same_bytes():
    assert bank_picture(access(4 * LANE, 4)) == bank_picture(access(4 * LANE, 4))


def test_each_turn_that_a_conflict_costs_has_a_mark():
    found = access(128 * LANE, 4)
    assert bank_picture(found).svg.count(">! ") == found.extra_turns == 31
