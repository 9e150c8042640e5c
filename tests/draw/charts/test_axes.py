"""Axes: where values lie, on an even scale and on one that doubles; and bars of several stretches."""

import pytest

from course_lib.draw.charts.axes import Axes, Scale
from course_lib.draw.charts.bars import Stretch, stretches
from course_lib.draw.pen.svg import Drawing

EVEN = Axes(10, 20, 100, 50, Scale(0, 4), Scale(0, 10))
DOUBLING = Axes(0, 0, 90, 90, Scale(2, 1024, doubling=True), Scale(0, 1))


def drawing():
    return Drawing(120, 90, "a chart", "of nothing")


def test_the_lowest_values_meet_at_the_foot_and_the_highest_at_the_top():
    assert (EVEN.x(0), EVEN.y(0)) == (10, 70)
    assert (EVEN.x(4), EVEN.y(10)) == (110, 20)
    assert EVEN.foot == 70


@pytest.mark.parametrize("power", range(1, 10))
def test_each_doubling_is_one_step_of_the_same_length(power):
    assert DOUBLING.x(2 ** (power + 1)) - DOUBLING.x(2**power) == pytest.approx(10)


def test_a_level_is_a_line_across_the_field_with_its_value_before_it():
    drawn = drawing()
    EVEN.level(drawn, 5)
    line, number = drawn.parts
    assert 'x1="10" y1="45" x2="110" y2="45"' in line
    assert number.endswith(">5</text>")


def test_a_value_stands_below_the_field_in_its_own_words_or_in_given_ones():
    drawn = drawing()
    EVEN.below(drawn, 2)
    EVEN.below(drawn, 2, "two")
    assert [part.split(">")[1] for part in drawn.parts] == ["2</text", "two</text"]
    assert all('x="60" y="86"' in part for part in drawn.parts)


def test_a_mark_has_its_middle_at_its_point():
    drawn = drawing()
    EVEN.marks(drawn, [(2, 5)], "element", 6)
    assert 'x="57" y="42" width="6" height="6"' in drawn.parts[0]


def test_stretches_of_a_bar_lie_one_behind_the_other():
    drawn = drawing()
    end = stretches(drawn, 10, 0, 8, [Stretch("element", 30), Stretch("byte", 12, "12")])
    assert end == 52
    assert [part.split('"')[1] for part in drawn.parts if part.startswith("<rect")] == ["10", "40"]
