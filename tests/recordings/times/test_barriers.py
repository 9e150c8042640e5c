"""Recorded barrier scripts as lessons read them."""

import pytest

from course_lib.model.barrier.mbarrier import MBarrier, State
from course_lib.recordings.times.barriers import (
    TokenFields,
    barrier_scripts,
    is_permitted,
    phases_ended,
    read_token,
    recorded_tokens,
    script_named,
)


def test_every_recorded_script_goes_as_the_model_permits():
    scripts = barrier_scripts()
    assert len(scripts) > 220
    assert all(map(is_permitted, scripts))


def test_a_run_that_the_model_forbids_would_be_seen():
    right = script_named("right", (64, 1))
    assert is_permitted(right)
    assert not is_permitted(right | {"fault": 719})
    assert not is_permitted(right | {"ended": [[1, 0], *right["ended"][1:]]})


def test_a_script_is_found_by_name_and_box():
    assert script_named("no arrival", (256, 64))["steps"][0] == ["expect", 16384]
    with pytest.raises(KeyError, match="no such recorded script"):
        script_named("no arrival", (1, 1))


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (State(0, 1, 1, 0), TokenFields(0, 1, 0)),
        (State(3, 2, 5, -16384), TokenFields(1, 2, -16)),
        (State(2, 7, 9, 4096), TokenFields(0, 7, 4)),
    ],
)
def test_a_token_tells_parity_arrivals_and_kilobytes(state, says):
    assert read_token(f"{state.word >> 32:08x}") == says


def test_expecting_adds_and_landing_subtracts_as_recorded_tokens_say():
    after_expect = script_named("two copies, two expects", (256, 64))["tokens"][2]
    after_copy = script_named("copy before expect", (256, 64))["tokens"][3]
    assert (read_token(after_expect).awaited_kib, read_token(after_copy).awaited_kib) == (16, -16)


def test_a_recorded_fresh_barrier_lets_parity_1_pass():
    assert all(script["ended"][0] == [0, 1] for script in barrier_scripts() if "ended" in script)
    assert [MBarrier(1).test_wait(parity) for parity in (0, 1)] == [False, True]


def test_every_recorded_token_is_the_word_before_its_arrival():
    pairs = list(recorded_tokens())
    assert len(pairs) > 500
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


def test_phases_are_counted_as_the_answers_change():
    assert phases_ended(script_named("right", (64, 4))) == 3
    assert phases_ended(script_named("no arrival", (64, 4))) == 0
