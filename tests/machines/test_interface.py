"""One question, three machines, one shape of answer."""

import subprocess
import sys

import numpy as np
import pytest

from course_lib import IllegalTensorMap, ReduceOp
from course_lib.gpu import device
from course_lib.machines import Live, LiveError, Model, Recorded, agree, machine


@pytest.fixture
def machines(live):
    return Model(), Recorded(), live()


def test_all_three_encode_alike_and_say_who_answered(machines, tile):
    answers = [one.encode(tile) for one in machines]
    assert all(agree(answers[0], answer) and len(answer.bytes) == 128 for answer in answers)
    assert [answer.by.kind for answer in answers] == ["model", "recorded", "live"]


def test_all_three_load_alike(machines, recorded_load):
    m, at, place = recorded_load
    answers = [one.load(m, at, **place) for one in machines]
    assert [answer.by.kind for answer in answers] == ["model", "recorded", "live"]
    assert all(answer.completed and agree(answers[0], answer) for answer in answers)
    assert {answer.memory.size for answer in answers} == {2048}


def test_who_answered_is_one_line_with_device_driver_and_date(machines, tile):
    lines = [str(one.encode(tile).by) for one in machines]
    assert lines[0] == "the model"
    assert lines[1] == "recorded: NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0, 2026-11-29"
    assert lines[2].startswith("live: NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0, 2026-12-01; equal to")


def test_what_was_never_recorded_is_said_to_be_the_models(small):
    answer = Recorded().load(small, (0, 0))
    assert str(answer.by) == "no recording of exactly this call: the model answers"
    assert agree(answer, Model().load(small, (0, 0)))


@pytest.mark.parametrize("change", [{"seed": 92}, {"shared_address": 768}, {"expected_bytes": 16}])
def test_a_load_that_differs_in_one_argument_is_not_the_recorded_one(recorded_load, change):
    m, at, place = recorded_load
    assert Recorded().load(m, at, **place | change).by.kind == "model"


def test_a_memory_of_ones_own_is_read(machines, small):
    memory = np.arange(2**13, dtype=np.uint64).view(np.uint8)[:5120].copy()
    for one in machines:
        answer = one.store(small, (0, 8), shared_memory=memory, global_memory=np.zeros(5120, np.uint8))
        assert answer.memory.size == 5120
        assert not answer.memory[:1024].any()
        assert answer.memory[1024:2048].any()


def test_a_fault_is_an_answer_with_its_reason(machines, small):
    for one in machines:
        answer = one.load(small, (1, 0))
        assert (answer.fault, answer.memory, answer.completed) == (715, None, None)
        assert "coordinates[0] = 1 starts at byte 2" in answer.why


def test_a_wrong_count_ends_and_tells_what_the_barrier_awaits(machines, small):
    for one in machines:
        answer = one.load(small, (0, 0), expected_bytes=1040)
        assert (answer.completed, answer.awaited_bytes) == (False, 16)
        assert "told 1,040 bytes, it still awaits 16" in str(answer)


def test_a_count_that_pieces_add_up_to_is_promised_by_nobody(small):
    answer = Model().load(small, (0, 0), expected_bytes=64)
    assert answer.completed is None
    assert "early, late or never" in answer.outcome


def test_reductions_and_linear_copies_answer_too(machines, small):
    for one in machines:
        assert one.reduce(ReduceOp.ADD, small, (0, 0)).memory.size == 256 * 1024
        assert one.bulk("global_to_shared", 64, 0, 256).completed
        assert one.bulk("shared_to_global", 8, 0, 256).fault == 716


def test_a_refused_map_has_no_copy(machines, small):
    for one in machines:
        with pytest.raises(IllegalTensorMap):
            one.load(type(small)(**{**vars(small), "global_strides": (100,)}), (0, 0))


@pytest.mark.parametrize(("direction", "words"), [("up", {}), ("shared_to_global", {"kind": "u9", "op": ReduceOp.ADD})])
def test_nonsense_is_an_error_that_names_what_there_is(direction, words):
    with pytest.raises(ValueError, match="must be one of"):
        Model().bulk(direction, 0, 0, 16, **words)


def test_without_a_gpu_the_recordings_answer(monkeypatch):
    monkeypatch.setattr(device, "gpu_status", lambda: device.GpuStatus(False, "No GPU: none."))
    assert isinstance(machine(), Recorded)
    with pytest.raises(LiveError, match="No GPU: none"):
        machine("live")


def test_with_a_gpu_it_answers(monkeypatch):
    monkeypatch.setattr(device, "gpu_status", lambda: device.GpuStatus(True, "GPU: one."))
    monkeypatch.setattr(
        device, "device_provenance", lambda: dict.fromkeys(("device", "target", "driver", "cuda", "date"), "")
    )
    assert isinstance(machine(), Live)


def test_an_unknown_machine_is_an_error():
    with pytest.raises(ValueError, match="model, recorded, live"):
        machine("dream")


def test_importing_machines_loads_neither_cuda_nor_the_gpu_room():
    script = (
        "import sys, course_lib.machines; print([n for n in sys.modules if n.startswith(('cuda', 'course_lib.gpu'))])"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "[]"
