"""The protocol of all checks: three outcomes, and no exception for what a learner wrote."""

import subprocess
import sys

import numpy as np
import pytest

from course_lib.checks.base import CLASS_SEED, Status, Wrong, ask, check, class_seed


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
