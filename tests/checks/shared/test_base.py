"""The protocol of all checks: three outcomes, and no exception for what a learner wrote."""

import subprocess
import sys
from itertools import count

import numpy as np
import pytest

from course_lib.checks.lesson_00.mended_calls import GOOD_CALL
from course_lib.checks.shared import patience
from course_lib.checks.shared.base import CLASS_SEED, Status, Wrong, ask, check, class_seed, show


@check("four it is.")
def check_four(answer, seed):
    if ask(answer, 2) != 4:
        raise Wrong("first difference: 2 gives something else.")


def stub(number):
    raise NotImplementedError


OUTCOMES = [
    (stub, Status.NOT_ATTEMPTED, "still raises NotImplementedError"),
    (lambda number: 5, Status.INCORRECT, "first difference"),
    (lambda number: None, Status.INCORRECT, "returned None: is a `return` missing?"),
    (lambda number: number / 0, Status.INCORRECT, "raised ZeroDivisionError: division by zero"),
    (lambda: 4, Status.INCORRECT, "raised TypeError"),
    (lambda number: sys.exit(), Status.INCORRECT, "raised SystemExit"),
    (lambda number: np.arange(3), Status.INCORRECT, "is of another kind than asked: ValueError"),
    (lambda number: 4, Status.CORRECT, "four it is."),
]


@pytest.mark.parametrize(("answer", "status", "message"), OUTCOMES)
def test_an_answer_gets_one_of_three_outcomes(answer, status, message):
    outcome = check_four(answer)
    assert outcome.status is status
    assert message in outcome.message
    assert str(outcome).startswith(status.value.upper())


@pytest.mark.parametrize(("answer", "status", "message"), OUTCOMES)
def test_a_grader_gets_an_exception_for_all_but_the_right_answer(answer, status, message):
    if status is Status.CORRECT:
        assert check_four(answer).require().is_correct
    else:
        with pytest.raises(AssertionError, match=status.value.upper()):
            check_four(answer).require()


def test_the_class_seed_is_the_same_on_every_machine_and_differs_by_class(monkeypatch):
    monkeypatch.setenv(CLASS_SEED, "autumn")
    here = class_seed()
    there = "from course_lib.checks import class_seed; print(class_seed())"
    told = subprocess.run([sys.executable, "-c", there], capture_output=True, text=True, check=True).stdout
    monkeypatch.setenv(CLASS_SEED, "spring")
    assert int(told) == here != class_seed()


def test_without_a_class_the_seed_is_0(monkeypatch):
    monkeypatch.delenv(CLASS_SEED, raising=False)
    assert class_seed() == 0


def loop(number):
    while True:
        number += 1


def loop_that_catches_exceptions(number):
    while True:
        try:
            number += 1
        except Exception:
            number = 0


def loop_that_catches_everything_once(number):
    try:
        loop(number)
    except BaseException:
        loop(number)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(patience, "PATIENCE_S", 0.2)


@pytest.mark.parametrize("answer", [loop, loop_that_catches_exceptions])
def test_a_loop_without_an_end_is_incorrect(answer, impatient):
    outcome = check_four(answer)
    assert outcome.status is Status.INCORRECT
    assert outcome.message == f"{answer.__name__}(2) does not end: is there a loop without an end?"


def test_a_loop_that_goes_on_is_stopped_again(impatient):
    assert check_four(loop_that_catches_everything_once).status is Status.INCORRECT


@pytest.mark.parametrize("answer", [count, lambda: iter(int, 1), lambda: (number for number in count())])
def test_a_lazy_answer_without_an_end_is_incorrect(answer):
    @check("a list.")
    def check_list(answer, seed):
        assert list(ask(answer))

    assert check_list(answer).message == "what the function returned has no end: is there a loop without an end?"


def test_a_picture_that_does_not_end_leaves_one_line(impatient):
    assert "no picture, because the function does not end" in show(lambda: loop(0)).message


def test_after_a_stopped_loop_the_next_check_has_all_its_time(impatient):
    check_four(loop)
    assert check_four(lambda number: sum(range(10**5)) * 0 + 4).is_correct


def deep(number):
    return deep(number + 1)


def test_a_recursion_without_an_end_is_incorrect():
    assert "deep(2) raised RecursionError" in check_four(deep).message


def test_an_answer_gets_a_call_of_its_own():
    def changed(call):
        object.__setattr__(call, "box_dim", (8, 8))
        return call

    assert ask(changed, GOOD_CALL).box_dim != GOOD_CALL.box_dim == (64, 32)


def test_a_message_names_a_large_array_by_type_and_shape():
    with pytest.raises(Wrong, match=r"\(<array of float32, shape \(10, 16\)>\) returned None"):
        ask(lambda array: None, np.zeros((10, 16), np.float32))


def test_a_message_is_cut_where_an_answer_is_endless_in_another_way():
    assert len(str(Wrong("0, " * 10**6))) < 2100
