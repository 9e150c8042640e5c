"""What goes wrong comes back whole from another process, where pickle carries it."""

import copy
import pickle

import pytest

from course_lib import DataType, Deadlock, DeviceFault, IllegalTensorMap, NotMeasured, TiledTensorMap

LEGAL = TiledTensorMap(
    data_type=DataType.UINT8, global_address=0, global_dim=(64, 4), global_strides=(64,), box_dim=(16, 2)
)
ODD = TiledTensorMap(
    data_type=DataType.UINT8, global_address=8, global_dim=(64, 4), global_strides=(60,), box_dim=(16, 2)
)
WRONG = [
    DeviceFault(716, "shared_address = 64 is no multiple of 128"),
    Deadlock([("consumer 0", "phase 1"), ("producer", "an empty stage")]),
    IllegalTensorMap(ODD.check()),
    NotMeasured("nobody asked"),
]


@pytest.mark.parametrize("carried", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("error", WRONG, ids=lambda e: type(e).__name__)
def test_an_error_keeps_its_words_and_what_it_knows(error, carried):
    back = carried(error)
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


@pytest.mark.parametrize("m", [LEGAL, ODD])
@pytest.mark.parametrize("target", ["sm_90", "sm_100"])
def test_a_verdict_keeps_its_findings_and_fixes(m, target):
    verdict = m.check(target)
    back = pickle.loads(pickle.dumps(verdict))
    assert back == verdict
    assert str(back) == str(verdict)
    assert pickle.loads(pickle.dumps(verdict.broken)) == verdict.broken
    assert [broken.fix for broken in pickle.loads(pickle.dumps(verdict.broken))] == [b.fix for b in verdict.broken]
