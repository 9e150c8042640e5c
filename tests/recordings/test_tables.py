"""A table says the same in Markdown and in aligned text."""

from course_lib.recordings.tables import table

ROWS = [{"memory": "pinned", "fault": None, "right": 512}, {"memory": "null", "fault": 700, "right": True}]


def test_a_table_is_markdown_on_a_page():
    shown = table(ROWS, memory="memory", fault="CUresult")._repr_markdown_()
    assert shown == "| memory | CUresult |\n| --- | --- |\n| pinned | – |\n| null | 700 |"


def test_a_table_is_aligned_text_elsewhere():
    assert repr(table(ROWS, fault="CUresult", right="right")) == "CUresult  right\n–         512\n700       yes"


def test_thousands_are_told_apart():
    assert "233,472" in repr(table([{"a": 233472}], a="bytes"))


def test_two_powers_in_a_cell_do_not_make_bold_words():
    shown = table([{"a": "1 to 2**32, or 2**31"}, {"a": "below 2**40"}], a="limit")
    assert shown._repr_markdown_().splitlines()[2:] == [r"| 1 to 2\*\*32, or 2\*\*31 |", "| below 2**40 |"]
    assert "1 to 2**32, or 2**31" in repr(shown)
