"""Yours beside the reference: every difference marked, the first one named; bytes in hexadecimal."""

import pytest

from course_lib.draw.bits.hexdump import changed_bytes, hex_lines
from course_lib.draw.pen.palette import LINES, STATES
from course_lib.draw.replies.compare import ComparedRow, compare_rows, compare_values, first_differing_place


@pytest.mark.parametrize(
    ("ours", "theirs", "place"), [([], [], None), ([1], [1], None), ([1, 2], [1, 3], 1), ([1], [1, 2], 1), ([], [0], 0)]
)
def test_the_first_difference_is_found_also_at_an_end(ours, theirs, place):
    assert first_differing_place(ours, theirs) == place


def test_values_are_told_apart_row_by_row_and_a_missing_one_is_a_dash():
    picture = compare_values([16, 32], [16, 48, 64], ("you", "right"), "addresses")
    lines = picture.text.splitlines()
    assert [line.split() for line in lines[1:4]] == [
        ["0", "16", "=", "16"],
        ["1", "32", "≠", "48"],
        ["2", "–", "≠", "64"],
    ]
    assert lines[4] == "First difference: number 1: you 32, right 48."


def test_equal_values_are_said_to_be_equal():
    assert compare_values([1, 2], [1, 2]).text.endswith("All 2 values are equal: yours = reference.")


def test_the_first_difference_has_a_mark_of_its_own():
    svg = compare_rows(
        "t", [ComparedRow("a", "1", "1"), ComparedRow("b", "1", "2"), ComparedRow("c", "1", "3")], ("x", "y"), "s"
    ).svg
    assert svg.count(f'fill="{STATES["first"].fill}" stroke="{STATES["first"].border}"') == 1
    assert svg.count(f'stroke="{LINES["differs"]}" stroke-width="2"') == 1


def test_bytes_that_changed_stand_in_brackets():
    data = bytes(range(16))
    changed = data[:9] + b"\xff" + data[10:]
    assert hex_lines(data).splitlines()[1] == "  8  08  09  0a  0b  0c  0d  0e  0f "
    assert hex_lines(changed, data).splitlines()[1].startswith("  8  08 [ff] 0a ")
    assert changed_bytes(changed, data) == "1 of 16 bytes changed, the first is byte 9."
    assert changed_bytes(data, data) == "No byte changed."


def test_a_long_note_goes_on_below_itself_and_is_one_line_in_words():
    note = "rank, element_type, swizzle, l2_promotion, stride"
    short, long = (compare_rows("t", [ComparedRow("0", "1", "1", words)], ("x", "y"), "s") for words in ("rank", note))
    assert long.text.splitlines()[1].endswith(note)
    assert long.svg.count("<text") == short.svg.count("<text") + 2
