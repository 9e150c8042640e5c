"""A child that traps, hangs or dies is a value or an error, never the end of the caller."""

import sys

import pytest

from course_lib.gpu.child import Child, ChildFailed

ANSWERS = """
import json, sys, time
for line in sys.stdin:
    row = json.loads(line)["row"]
    if "sleep" in row:
        time.sleep(60)
    if "die" in row:
        sys.exit(3)
    print(json.dumps(row["answer"]), flush=True)
"""
FINE = {"answer": {"ok": True, "status": 1}}


@pytest.fixture
def child():
    with Child(patience_s=20, command=(sys.executable, "-c", ANSWERS)) as running:
        yield running


def test_an_answer_comes_back_without_the_protocols_key(child):
    assert child.ask("load", FINE) == {"status": 1}


def test_one_child_answers_many_jobs(child):
    for _ in range(3):
        child.ask("load", FINE)
    assert child.starts == 1


def test_a_fault_is_a_value_and_the_next_job_gets_a_new_child(child):
    assert child.ask("load", {"answer": {"fault": 715, "seen": [1]}}) == {"fault": 715, "seen": [1]}
    assert child.ask("load", FINE) == {"status": 1}
    assert child.starts == 2


def test_a_hang_ends_as_a_timeout(child):
    child.ask("load", FINE)
    child.patience_s = 0.2
    assert child.ask("load", {"sleep": 1}) == {"fault": "timeout"}


def test_a_child_that_dies_is_an_error(child):
    with pytest.raises(ChildFailed, match="ended without an answer"):
        child.ask("load", {"die": 1})


def test_an_error_in_the_child_keeps_its_words(child):
    with pytest.raises(ChildFailed, match="KeyError: 'rank'"):
        child.ask("load", {"answer": {"error": "KeyError: 'rank'"}})


def test_without_a_gpu_the_real_child_says_what_failed(status):
    if status.usable:
        pytest.skip("there is a GPU")
    pytest.importorskip("cuda.bindings", reason="cuda-python is not installed")
    with Child() as real, pytest.raises(ChildFailed, match=r"Error: "):
        real.ask("load", {})
