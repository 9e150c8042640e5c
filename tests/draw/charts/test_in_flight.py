"""The chart of Little's law: a mark for each launch, and a line that no launch of the H200 passes."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw import in_flight_chart
from course_lib.draw.charts.in_flight import line_at
from course_lib.recordings.times.listings import in_flight

LATENCY_NS, BEST = 386, 4585.3


def test_every_launch_has_a_mark_and_the_picture_is_small_and_well_formed():
    points = {"a": [(512, 172.3), (2**17, 4500.0)], "b": [(1024, 300.0)]}
    picture = in_flight_chart(points, LATENCY_NS, BEST)
    ElementTree.fromstring(picture.standalone)
    assert picture.svg.count("<rect") == 3 + len(points)
    whole = {"all": [(at, rate) for _, at, rate in in_flight()]}
    assert len(in_flight_chart(whole, LATENCY_NS, BEST).svg) < 60_000


def test_the_line_is_bytes_over_time_up_to_the_best():
    assert line_at(512, LATENCY_NS, BEST) == pytest.approx(512 * 132 / 386)
    assert line_at(2**17, LATENCY_NS, BEST) == BEST


def test_no_launch_of_the_h200_lies_above_the_line():
    launches = list(in_flight())
    assert len(launches) == 179
    assert [launch for launch in launches if launch[2] > line_at(launch[1], LATENCY_NS, BEST)] == []


def test_the_words_name_the_line_and_every_launch():
    lines = in_flight_chart({"a": [(1024, 1234.5), (512, 172.3)]}, LATENCY_NS, BEST).text.splitlines()
    assert lines[1:] == ["The line: bytes in flight / 386 ns, up to 4,585 GB/s.", "a: 512 B → 172, 1024 B → 1,234"]


def test_more_names_than_looks_are_refused():
    with pytest.raises(ValueError, match="4 names: this chart tells 3 apart"):
        in_flight_chart({name: [(512, 1.0)] for name in "abcd"}, LATENCY_NS, BEST)
