"""The chart of cycles against degree: a mark for each read, and each number in words."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw import degree_chart
from course_lib.draw.pen.palette import STATES

LINES = {"4 bytes": [(1, 1.04), (2, 2.04), (32, 32.04)], "16 bytes": [(1, 4.04), (8, 32.05)]}


def test_each_read_has_its_mark_and_its_words():
    picture = degree_chart(LINES)
    assert [picture.svg.count(f'fill="{STATES[state].fill}"') for state in ("element", "byte")] == [3, 2]
    assert picture.text.splitlines()[1] == "4 bytes: 1 → 1.04, 2 → 2.04, 32 → 32.04"


def test_a_mark_stands_at_its_degree_and_its_cycles():
    picture = ElementTree.fromstring(degree_chart(LINES).svg)
    marks = [node for node in picture.iter() if node.tag.endswith("rect")]
    x, y = ([float(mark.get(axis)) for mark in marks] for axis in "xy")
    assert x[1] - x[0] == pytest.approx((x[2] - x[1]) / 30)
    assert y[0] - y[1] == pytest.approx((y[1] - y[2]) / 30)
    assert x[0] == x[3]


def test_it_is_small_and_takes_four_lines_at_most():
    assert len(degree_chart(LINES).standalone.encode()) < 60_000
    with pytest.raises(ValueError, match="tells 4 apart"):
        degree_chart({str(i): [(1, 1.0)] for i in range(5)})
