"""The words: sorted, each once, each in its lesson, none without its meaning and its two translations."""

import pytest

from maintain.words import Word, glossary, why_absent

WORDS = glossary()
GUARD = Word(
    "guard", "a test for the edge", "[07](07_out_of_bounds.ipynb#What-a-kernel-gets-rid-of)", "garde", "边界检查"
)


def test_the_words_are_sorted_and_each_stands_once():
    plain = [word.plain for word in WORDS]
    assert plain == sorted(set(plain))


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.word)
def test_a_word_occurs_under_the_heading_of_the_lesson_that_owns_it(word):
    assert why_absent(word) == ""


def test_no_cell_is_empty_and_a_meaning_is_one_line_of_plain_words():
    assert [word.word for word in WORDS if not all(word) or len(word.meaning) > 120] == []


def test_the_chinese_column_is_chinese_or_repeats_the_english_word():
    chinese = [word for word in WORDS if any("\u4e00" <= sign <= "\u9fff" for sign in word.chinese)]
    assert [
        word.word for word in WORDS if word not in chinese and word.word.casefold() != word.chinese.casefold()
    ] == []


@pytest.mark.parametrize(
    "row",
    [
        GUARD._replace(word="sentinel"),
        GUARD._replace(owner="[07](07_out_of_bounds.ipynb#No-such-heading)"),
        GUARD._replace(owner="[07](07_no_such_lesson.ipynb#What-a-kernel-gets-rid-of)"),
    ],
)
def test_a_word_that_is_not_where_its_row_says_would_be_seen(row):
    assert why_absent(GUARD) == ""
    assert why_absent(row) != ""
