"""Answers of an odd kind: a word that agrees with every other, a pair without an order, a call that is changed in place."""

import pytest

from course_lib.checks import Status
from course_lib.checks.lesson_01 import checks as lesson_01
from course_lib.checks.lesson_02 import checks as lesson_02
from course_lib.checks.lesson_04 import checks as lesson_04
from course_lib.checks.lesson_05 import checks as lesson_05
from course_lib.checks.lesson_06 import checks as lesson_06
from course_lib.checks.lesson_08 import checks as lesson_08
from course_lib.checks.lesson_09 import checks as lesson_09
from course_lib.checks.lesson_10 import checks as lesson_10
from course_lib.checks.lesson_11 import checks as lesson_11
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, Swizzle
from tests.checks.odd_words import WordThatEqualsAll

WORDS = [
    (lesson_01.check_outcome, "completes"),
    (lesson_02.check_diagnose, "passes"),
    (lesson_04.check_why_not, "stride"),
    (lesson_05.check_type_for, "load"),
    (lesson_06.check_culprit, "box_dim"),
]


@pytest.mark.parametrize(("check", "word"), WORDS)
@pytest.mark.parametrize("other", ["", "anything"])
def test_a_word_that_agrees_with_every_other_is_incorrect(check, word, other):
    assert check(lambda *_: WordThatEqualsAll(word)).status is Status.INCORRECT
    assert check(lambda *_: WordThatEqualsAll(other)).status is Status.INCORRECT


PAIRS = [
    (lesson_09.check_rule_of, "not the pair (mask, shift)"),
    (lesson_10.check_standing, "not the pair of True or False"),
    (lesson_10.check_copies_for, "not the pair (list of coordinates, bytes)"),
    (lesson_11.check_second_read_of, "not the pair (part kept, GB/s)"),
]


@pytest.mark.parametrize(("check", "message"), PAIRS)
@pytest.mark.parametrize("got", [{1, 2}, {1: 2, 3: 4}, "ab", (1, 2, 3)])
def test_a_pair_has_an_order(check, message, got):
    assert message in check(lambda *_: got).message


SMALL = TiledTensorMap(
    data_type=DataType.UINT8, global_address=0, global_dim=(16, 16), global_strides=(16,), box_dim=(16, 8)
)


def the_small_call_in_its_place(call):
    for name, value in vars(SMALL).items():
        object.__setattr__(call, name, value)
    return call


def its_bytes(call):
    the_small_call_in_its_place(call)
    return 128


CHANGED = [
    (lesson_08.check_padded_box, the_small_call_in_its_place),
    (lesson_06.check_same_bytes, the_small_call_in_its_place),
    (lesson_04.check_bytes_of_copy, its_bytes),
]


@pytest.mark.parametrize(("check", "answer"), CHANGED)
def test_a_call_that_is_changed_in_place_is_compared_with_what_was_asked(check, answer):
    assert check(answer).status is Status.INCORRECT


def test_a_swizzle_may_be_its_number():
    assert lesson_09.check_best_mode(lambda *_: 3).message == lesson_09.check_best_mode(lambda *_: Swizzle.B128).message


class AlwaysAccepted(TiledTensorMap):
    """A call that no rule refuses."""

    def check(self, target="sm_90"):
        return SMALL.check()


def test_a_call_may_not_bring_a_verdict_of_its_own():
    outcome = lesson_06.check_same_bytes(lambda call: AlwaysAccepted(**vars(call)))
    assert "of type AlwaysAccepted, not a TiledTensorMap" in outcome.message
