"""The picture of a strided array in memory: every element on its bytes, and the same in words."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw import memory_picture
from course_lib.draw.copies.memory import LINE_BYTES, MOST_LINES, byte_runs, owners_of, shown_lines
from course_lib.model.call.strided import Strided

PADDED = Strided((4, 8), (48, 4), 4, 64)
ARRAYS = [
    (PADDED, (2, 5)),
    (Strided((4, 8), (12, 1), 4, 64), (2, 5)),
    (Strided((4, 8), (0, 4), 4), (3, 7)),
    (Strided((4, 8), (-48, 4), 4, 512), (3, 0)),
    (Strided((16, 16), (16, 1), 1, 4096), (9, 9)),
    (Strided((16, 16), (32, 2), 2, 4096), (15, 15)),
    (Strided((3, 4, 8), (1024, 32, 4), 4, 7), (2, 3, 7)),
    (Strided((5,), (4096,), 8, 0), (4,)),
]


@pytest.mark.parametrize(("array", "index"), ARRAYS)
def test_every_array_is_drawn_small_and_well_formed(array, index):
    picture = memory_picture(array, index)
    assert len(picture.svg) < 60_000
    assert picture == memory_picture(array, index)
    ElementTree.fromstring(picture.standalone)
    assert len(shown_lines(array, index)) <= MOST_LINES


@pytest.mark.parametrize(("array", "index"), ARRAYS)
def test_the_element_is_on_the_drawn_lines_and_marked(array, index):
    lines = shown_lines(array, index)
    assert set(array.bytes_of(index)) <= set(range(lines[0], lines[-1] + LINE_BYTES))
    assert 'fill="#0b4f8a"' in memory_picture(array, index).svg


@pytest.mark.parametrize(("array", "index"), ARRAYS)
def test_the_runs_of_a_line_hold_every_byte_that_an_element_takes_once(array, index):
    lines = shown_lines(array, index)
    owners = owners_of(array, lines)
    for first in lines:
        line = range(first, first + LINE_BYTES)
        drawn = [at for run in byte_runs(line, owners) for at in run]
        assert drawn == [at for at in line if at in owners]


def test_the_words_say_where_the_element_lies_and_what_is_on_each_line():
    lines = memory_picture(PADDED, (2, 5)).text.splitlines()
    assert lines[1] == (
        "Element [2, 5]: bytes 180 to 183. The array reaches from byte 64 to 239, 176 bytes for 128 of elements."
    )
    assert lines[2:4] == ["0x0040: +0 to +31 [0, 0] to [0, 7]", "0x0060: +16 to +31 [1, 0] to [1, 3]"]


def test_bytes_of_several_elements_are_told_and_drawn_apart():
    picture = memory_picture(Strided((2, 4), (4, 2), 2), (0, 0))
    assert "+4 to +5 [0, 2] and [1, 0]" in picture.text
    assert "+4 to +5 [0, 2] and [1, 0]; +6 to +7 [0, 3] and [1, 1]" in picture.text
    assert re.search(r'fill="#ffd98a"', picture.svg)
    assert not re.search(r'fill="#ffd98a"', memory_picture(PADDED, (0, 0)).svg)


def test_four_rows_on_one_are_named_three_times_and_more():
    assert "+0 to +3 [0, 0] and [1, 0] and [2, 0] and more" in memory_picture(Strided((4, 2), (0, 4), 4), (0, 0)).text


def test_an_element_outside_is_an_error():
    with pytest.raises(IndexError):
        memory_picture(PADDED, (4, 0))
