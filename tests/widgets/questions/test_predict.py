"""Predict: an answer counts when it is committed; the reveal runs with and without one."""

import numpy as np
import pytest

from course_lib.widgets import predict, reveal

KINDS = {
    "number": ({"number": (0, 16)}, 3, 17),
    "choices": ({"choices": ["accepted", "refused"]}, "refused", "perhaps"),
    "cells": ({"cells": (2, 3)}, (1, 2), (2, 0)),
    "order": ({"order": ["a", "b", "c"]}, ["c", "a", "b"], ["a", "b"]),
}


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def asked(request):
    kind, good, bad = request.param
    return predict("Which?", **kind), good, bad


def test_there_is_no_answer_before_one_is_committed(asked):
    guess, good, _ = asked
    assert guess.answer is None
    guess.set(answer=list(good) if isinstance(good, tuple) else good)
    assert guess.answer is None
    assert "then commit it" in guess.text


def test_the_button_commits_what_is_answered(asked):
    guess, good, _ = asked
    guess.set(answer=list(good) if isinstance(good, tuple) else good)
    guess.set(commit=1)
    assert guess.answer == good
    assert "Committed: " in guess.text


def test_an_answer_can_be_set_from_a_cell(asked):
    guess, good, _ = asked
    guess.answer = good
    assert guess.answer == good
    assert type(guess.answer) is type(good)


def test_what_is_no_answer_is_refused_with_what_would_be_one(asked):
    guess, _, bad = asked
    with pytest.raises(ValueError, match=r"the answer is (a whole number|one|a cell|an order)"):
        guess.answer = bad
    assert guess.answer is None


def test_another_answer_counts_only_when_it_is_committed_too():
    guess = predict("Which?", number=(0, 16))
    guess.answer = 3
    guess.set(answer=4)
    assert guess.answer == 3
    assert guess.text.endswith("then commit it. Until then it is 3.")


def test_committing_nothing_says_what_an_answer_is():
    guess = predict("Which?", number=(0, 16)).set(commit=1)
    assert guess.answer is None
    assert guess.text.endswith("Not committed: the answer is a whole number from 0 to 16.")


def test_a_number_of_another_kind_is_the_same_number():
    guess = predict("Which?", number=(0, 16))
    guess.answer = np.int64(3)
    assert type(guess.answer) is int


def test_a_truth_value_is_no_number():
    with pytest.raises(ValueError, match="whole number"):
        predict("Which?", number=(0, 16)).answer = True


@pytest.mark.parametrize("kinds", [{}, {"number": (0, 1), "choices": ["a"]}])
def test_a_question_has_exactly_one_kind_of_answer(kinds):
    with pytest.raises(TypeError, match="exactly one of number, choices, cells, order"):
        predict("Which?", **kinds)


def test_the_reveal_without_an_answer_says_so_and_shows_the_rest(asked):
    guess, good, _ = asked
    text = reveal(guess, model=good, hardware=good, source="an H200").text
    assert text.startswith("you      no answer committed\n")
    assert "(an H200)" in text
    assert "You committed no answer; model and hardware say" in text


def test_the_reveal_marks_a_right_answer_whatever_the_kind(asked):
    guess, good, _ = asked
    guess.answer = good
    assert "Your prediction agrees" in reveal(guess, model=good, hardware=good).text


def test_a_cell_is_revealed_in_words():
    guess = predict("Which?", cells=(2, 3))
    guess.answer = (0, 0)
    assert "You predicted row 0, column 0; the model says row 1, column 2." in reveal(guess, model=(1, 2)).text


def test_the_same_question_shows_the_same_words_every_time():
    assert repr(predict("Which?", number=(0, 16))) == repr(predict("Which?", number=(0, 16)))
