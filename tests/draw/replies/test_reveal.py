"""Prediction, model and hardware side by side: what agrees, what does not, and what nobody answered."""

import numpy as np
import pytest

from course_lib.draw.replies.reveal import plain_value, reveal_picture, spell_answer, verdict_sentence


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ((2, 2, 2), "Your prediction agrees: model and hardware say 2 too."),
        ((3, 2, 2), "You predicted 3; model and hardware say 2."),
        ((None, 2, 2), "You committed no answer; model and hardware say 2."),
        ((2, 2, None), "Your prediction agrees: the model says 2 too."),
        ((2, None, 3), "You predicted 2; the hardware says 3."),
        ((2, 2, 3), "You predicted 2; the hardware says 3. The model says 2: it is wrong here."),
        ((["a", "b"], ("a", "b"), ("a", "b")), "Your prediction agrees: model and hardware say a → b too."),
    ],
)
def test_one_sentence_says_how_the_answers_stand(answers, sentence):
    assert verdict_sentence(*answers) == sentence


def test_each_answer_is_marked_against_the_hardware_by_a_word():
    lines = reveal_picture("How many?", 3, 2, 2, "an H200").text.splitlines()
    assert lines[:3] == ["you      3  differs", "model    2  agrees", "hardware 2 (an H200)"]


def test_where_no_hardware_was_asked_the_model_decides():
    lines = reveal_picture("How many?", 2, 2, None).text.splitlines()
    assert lines[:3] == ["you      2  agrees", "model    2", "hardware not asked"]


def test_no_answer_is_no_mistake():
    picture = reveal_picture("How many?", None, 2, 2)
    assert picture.text.startswith("you      no answer committed\n")
    assert "differs" not in picture.svg


def test_answers_of_any_kind_compare_by_value():
    assert plain_value(np.int64(3)) == 3
    assert plain_value([np.int64(1), 2]) == plain_value(np.array([1, 2])) == plain_value((1, 2))
    assert spell_answer((1, 2)) == "(1, 2)"


def test_another_than_the_hardware_may_be_asked_and_is_named():
    picture = reveal_picture("How many?", 4, None, 32, "NVRTC 13.5", "compiler")
    assert "compiler 32 (NVRTC 13.5)" in picture.text
    assert picture.text.endswith("You predicted 4; the compiler says 32.")
    assert "hardware" not in picture.text
