"""One and many in words."""

import pytest

from course_lib.draw.pen.plural import first_to_last, noun, plural


@pytest.mark.parametrize(("count", "words"), [(0, "0 bytes"), (1, "1 byte"), (1.0, "1.0 byte"), (2, "2 bytes")])
def test_only_one_is_without_an_s(count, words):
    assert plural(count, "byte") == words


def test_a_count_can_be_written_in_another_way():
    assert plural(0, "bit", "No") == "No bits"
    assert plural(1024, "row", "1,024") == "1,024 rows"


def test_the_word_stands_alone_where_its_count_is_not_written():
    assert (noun(1, "bit"), noun(3, "bit")) == ("bit", "bits")


def test_one_place_is_named_once_and_several_by_the_first_and_the_last():
    assert first_to_last("lane", 3, 3) == "lane 3"
    assert first_to_last("lane", 3, 5) == "lanes 3–5"
    assert first_to_last("byte", 3, 5, " to ") == "bytes 3 to 5"
