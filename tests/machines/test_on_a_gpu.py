"""The live machine on a real GPU. Skipped with the reason where there is none."""

import numpy as np
import pytest

from course_lib import ReduceOp
from course_lib.gpu.device import gpu_status
from course_lib.machines import Live, Model, agree
from course_lib.recordings import committed, read_rows
from course_lib.rows.calls import tensor_map_of

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def real():
    if not gpu_status().usable:
        pytest.skip(gpu_status().sentence)
    machine = Live()
    yield machine
    machine.stop()


def test_a_live_answer_names_this_machine_and_equals_the_recording(real, tile, recorded_load):
    m, at, place = recorded_load
    for answer in (real.encode(tile), real.load(m, at, **place)):
        assert str(answer.by).startswith("live: NVIDIA")
        assert answer.by.note == "equal to the recording"


def test_the_notebook_lives_on_after_a_fault(real, small):
    for coordinates, address, code in (((1, 0), 0, 715), ((0, 0), 64, 716)):
        answer = real.load(small, coordinates, shared_address=address)
        assert agree(answer, Model().load(small, coordinates, shared_address=address))
        assert answer.fault == code
    assert agree(real.load(small, (0, 0)), Model().load(small, (0, 0)))


@pytest.mark.parametrize("told", [1024, 1040, 4096, 48, 1008])
def test_a_wrong_count_ends_with_the_barriers_state(real, small, told):
    answer, expected = (one.load(small, (0, 0), expected_bytes=told) for one in (real, Model()))
    assert agree(answer, expected)
    if expected.completed is not None:
        assert answer.awaited_bytes == expected.awaited_bytes == told - 1024


def test_memories_of_ones_own_come_back_as_the_model_says(real, small):
    rng = np.random.default_rng(1)
    near, far = (rng.integers(0, 256, 5120, np.uint8) for _ in range(2))
    memories = {"shared_memory": near, "global_memory": far}
    assert agree(real.load(small, (0, 3), global_memory=far), Model().load(small, (0, 3), global_memory=far))
    assert agree(real.store(small, (0, 3), **memories), Model().store(small, (0, 3), **memories))
    stored = [one.reduce(ReduceOp.MIN, small, (0, 3), **memories) for one in (real, Model())]
    assert agree(*stored)


def test_linear_copies_are_answered_alike(real):
    row = next(r for r in read_rows(committed("bulk.jsonl.xz")) if r["size"] and r["direction"] == "shared_to_cluster")
    places = (row["direction"], row["source"], row["destination"], row["size"])
    assert real.bulk(*places, seed=row["seed"]).by.note == "equal to the recording"


def test_stores_equal_their_recordings(real):
    rows = [r for r in read_rows(committed("store_more.jsonl.xz")) if r["op"] == "store"][::300]
    for row in rows:
        place = {name: row[name] for name in ("seed", "shared_address")}
        assert real.store(tensor_map_of(row), row["coordinates"], **place).by.note == "equal to the recording"
