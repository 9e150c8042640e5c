"""A live answer that is not the recorded one is an error; a child that fails is one too."""

from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

from course_lib.machines import Live, LiveError, Mismatch, Model, Recorded, agree
from course_lib.machines.causes import likely_causes

OTHER = {"bytes": "00" * 128}


def test_other_bytes_than_the_recorded_ones_are_a_loud_error(live, tile):
    with pytest.raises(Mismatch, match=r"NOT THE RECORDED ONE: \d+ bytes differ, the first at 1: 0x00 against 0x01"):
        live(**OTHER).encode(tile)


@pytest.mark.parametrize("changes", [{"result": 1}, {"fault": 716}, {"status": 0}, {"window": "cd" * 2048}])
def test_any_other_outcome_is_one_as_well(live, recorded_load, changes):
    m, at, place = recorded_load
    with pytest.raises(Mismatch):
        live(**changes).load(m, at, **place)


def test_another_architecture_may_answer_otherwise_and_says_so(live, tile):
    who = live().who._replace(device="Another", target="sm_100")
    assert "differs from NVIDIA H200: " in str(live(who=who, **OTHER).encode(tile).by)


def test_what_was_never_recorded_is_live_and_says_so(live, small):
    assert "no recording of exactly this call" in str(live().load(small, (0, 0)).by)


def test_a_refusal_comes_with_the_models_reason(live, small):
    answer = live().encode(replace(small, global_strides=(100,)))
    assert answer.result == 1
    assert "global_strides[0] = 100" in answer.why


def test_a_fault_that_the_model_does_not_predict_gets_the_usual_causes(live, small):
    answer = live(fault=700).load(small, (0, 0))
    assert answer.why.startswith("likely global memory that is not there")
    assert "not end" in likely_causes("timeout")
    assert likely_causes(999) == "no recorded copy ended so"


def test_a_memory_travels_as_it_is(live, small):
    one = live()
    memory = np.arange(6144, dtype=np.uint16).view(np.uint8)[:5120].copy()
    one.load(small, (0, 0), global_memory=memory)
    assert b64decode(one._asker.asked[-1]["global_memory"]) == memory.tobytes()


def test_a_memory_that_is_too_large_is_refused(live, small):
    with pytest.raises(ValueError, match="global_memory has"):
        live().load(small, (0, 0), global_memory=np.zeros((4 << 20) + 16, np.uint8))


def test_a_child_that_breaks_is_an_error_of_its_own(live, small):
    class Broken:
        def ask(self, do, row, keep=False):
            raise RuntimeError("the child ended without an answer")

    with pytest.raises(LiveError, match="without an answer"):
        Live(Broken(), live().who).load(small, (0, 0))


class Liar(Model):
    """A model that leaves one byte otherwise."""

    def ask(self, question):
        outcome, who = super().ask(question)
        outcome["memory"][0] ^= 1
        return outcome, who


def test_bytes_without_the_recorded_digest_are_an_error(recorded_load):
    m, at, place = recorded_load
    with pytest.raises(Mismatch, match="do not have the recorded digest"):
        Recorded(Liar()).load(m, at, **place)


def test_two_answers_part_at_their_first_difference(small):
    one, other = Model().load(small, (0, 0)), Liar().load(small, (0, 0))
    assert not agree(one, other)
    assert str(agree(one, other)).startswith("1 bytes differ, the first at 0: ")
    assert agree(one, one).sentence == "all 2,048 bytes are equal"
    assert "fault: None" in str(agree(one, Model().load(small, (1, 0))))


def test_only_answers_of_one_kind_can_be_compared(small, tile):
    with pytest.raises(TypeError):
        agree(Model().load(small, (0, 0)), Model().encode(tile))
