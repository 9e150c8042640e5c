"""What rows cost, drawn: every byte of a row, every sector and every byte that DRAM reads has its place, and its words."""

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.draw import row_cost_picture
from course_lib.draw.charts.row_cost import LEFT, SECTOR, places_words, strips, within
from course_lib.draw.pen.palette import STATES
from course_lib.model.cost.traffic import starts_traffic
from course_lib.model.facts.enums import L2Promotion

STARTS = st.lists(st.integers(0, 120).map(lambda n: 16 * n), min_size=1, max_size=60)


def boxes(picture, state):
    look = f'fill="{STATES[state].fill}"'
    return [node for node in picture.svg.splitlines() if node.startswith("<rect") and look in node]


@given(STARTS, st.integers(1, 20), st.sampled_from(list(L2Promotion)))
def test_the_strips_hold_what_the_model_counts(starts, units, promotion):
    found, shown = starts_traffic(starts, 16 * units, promotion), strips(starts, 16 * units, promotion)
    assert sum(span.end - span.begin for span in shown.rows) == found.useful_bytes
    assert sum(int(s.words.split()[0]) if s.words else 1 for s in shown.sectors) == found.requested_sectors
    assert sum(span.end - span.begin for span in shown.demanded) == found.demanded_bytes
    assert len(shown.hinted) == found.hinted_lines


def test_a_narrow_row_is_16_bytes_in_a_sector_in_an_atom():
    picture = row_cost_picture([0], 16)
    widths = [
        float(ElementTree.fromstring(boxes(picture, s)[0]).get("width")) + 2 for s in ("byte", "element", "moved")
    ]
    assert widths == [SECTOR / 2, SECTOR, 2 * SECTOR]


def test_a_row_stands_at_its_place_in_the_block():
    (row,) = boxes(row_cost_picture([48], 16), "byte")
    assert float(ElementTree.fromstring(row).get("x")) - 1 == LEFT + 1.5 * SECTOR


def test_a_hint_has_a_look_of_its_own_and_only_the_first_sector_gives_one():
    assert len(boxes(row_cost_picture([0], 16, L2Promotion.L2_256B), "waiting")) == 1
    assert not boxes(row_cost_picture([32], 16, L2Promotion.L2_256B), "waiting")
    assert not boxes(row_cost_picture([0, 128], 16, L2Promotion.L2_256B), "waiting")
    assert not boxes(row_cost_picture([0], 16, L2Promotion.L2_128B), "waiting")


def test_the_words_say_where_everything_lies():
    lines = row_cost_picture([240], 32, L2Promotion.L2_256B).text.splitlines()
    assert lines[1] == "1 row, 32 bytes: L2 is asked for 2 sectors, DRAM reads about 376 bytes."
    assert lines[2] == "block at byte 0: rows 240–255; L2 is asked 224–255; DRAM reads 128–255"
    assert lines[3] == "block at byte 256: rows 0–15; L2 is asked 0–31; DRAM reads 0–127; as a hint 128–255"


def test_a_sector_that_several_rows_ask_for_says_how_often():
    assert "2 times" in row_cost_picture([0, 16], 16).svg
    assert "times" not in row_cost_picture([0, 32], 16).svg


def test_a_row_over_two_blocks_is_cut_at_the_border():
    shown = strips([240], 32, 0)
    assert [list(within(block, shown.rows)) for block in (0, 1)] == [[(240, 256, "")], [(256, 272, "")]]
    assert places_words(1, shown.rows) == "0–15"


@pytest.mark.parametrize("promotion", L2Promotion)
@pytest.mark.parametrize(("row_bytes", "pitch"), [(16, 16), (512, 1024), (48, 80), (256, 4096)])
def test_it_shows_four_blocks_says_how_many_more_there_are_and_stays_small(row_bytes, pitch, promotion):
    picture = row_cost_picture(range(0, 64 * pitch, pitch), row_bytes, promotion)
    ElementTree.fromstring(picture.svg)
    assert picture.text.count("block at byte") == min(4, picture.text.count("block at byte"))
    assert (" blocks more" in picture.text) == (64 * pitch > 1024)
    assert max(len(picture.svg.encode()), len(picture.standalone.encode())) < 60_000


def test_the_same_rows_give_the_same_bytes():
    assert row_cost_picture([16], 64, 2) == row_cost_picture([16], 64, 2)
