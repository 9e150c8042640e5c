"""Bars of one amount: as long as the amount, with its words and its number."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw import Bar, cost_bars
from course_lib.draw.charts.cost_bars import WIDE


def widths(picture):
    rectangles = (node for node in ElementTree.fromstring(picture.svg).iter() if node.tag.endswith("rect"))
    return [float(node.get("width")) for node in rectangles]


def test_a_bar_is_as_long_as_its_amount():
    assert widths(cost_bars([Bar("a", 64), Bar("b", 256), Bar("c", 0)], "bytes", "t")) == [WIDE / 4, WIDE, 1]


def test_the_text_has_every_amount_with_its_unit_and_note():
    picture = cost_bars([Bar("NONE", 64), Bar("256B", 247.53, "(model 248)")], "bytes a row", "DRAM", digits=1)
    assert picture.text.splitlines() == ["DRAM", "NONE: 64.0 bytes a row", "256B: 247.5 bytes a row (model 248)"]
    assert "The largest: 256B" in picture.svg


def test_amounts_of_nothing_are_drawn_too():
    assert widths(cost_bars([Bar("a", 0)], "bytes", "t")) == [1]


@pytest.mark.parametrize("bars", [[], [Bar("a", -1)]])
def test_no_bar_and_a_negative_amount_are_refused(bars):
    with pytest.raises(ValueError, match="0 or more"):
        cost_bars(bars, "bytes", "t")
