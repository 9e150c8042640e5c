"""The loads of the photograph: legal, each with its own memory, and recorded in rows that the replay reads."""

import json
import lzma
from collections import Counter

import numpy as np
import pytest

from course_lib import Interleave
from course_lib.gpu.device import GpuStatus
from course_lib.machines import machine
from course_lib.recordings.copies import photo_loads
from course_lib.recordings.replay.kinds import kind_of
from course_lib.rows.memory import digest
from maintain.hardware import photo_loads as recorder

LOADS = photo_loads.photo_loads()


def test_the_cases_reach_every_pair_every_slice_and_every_edge():
    why = Counter(load.why for load in LOADS)
    assert (why["a pair"], why["a slice"], why["an edge"]) == (16, 5, 8)
    assert all(load.tensor_map.check().accepted for load in LOADS)


@pytest.mark.parametrize(("name", "interleave"), [("rank 5", 1), ("NHWC", 1), ("rank 5, 32B", 2)])
def test_a_map_without_interleave_brings_the_bytes_of_a_slice_too(name, interleave):
    plain = next(load for load in photo_loads.plain_loads() if load.why == name)
    documented = photo_loads.photo_map(interleave)
    slices = next(load for load in photo_loads.pair_loads() if load.tensor_map == documented)
    boxes = [
        machine("model").load(load.tensor_map, load.coordinates, global_memory=load.memory).memory
        for load in (plain, slices)
    ]
    assert np.array_equal(*boxes)


def test_the_map_with_channels_first_completes_the_barrier_with_the_count_of_its_author():
    load = photo_loads.channels_first()
    answer = machine("model").load(load.tensor_map, load.coordinates, global_memory=load.memory)
    assert answer.told_bytes == 16 * 16 * 16 * 2
    assert answer.completed


class Answering:
    """A child that answers with what the model would leave."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def ask(self, do, row, keep=False):
        compared = kind_of(row | {"result": 0}).compare(row | {"result": 0, "blake2b_96": ""})
        return {"result": 0, **{k: compared.model[k] for k in ("status", "last_touched", "blake2b_96")}}


def test_a_recording_holds_rows_that_the_replay_compares(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(recorder, "Child", Answering)
    monkeypatch.setattr(recorder, "gpu_status", lambda: GpuStatus(True, "there is one"))
    monkeypatch.setattr(recorder, "device_provenance", dict)
    assert recorder.main([str(tmp_path)]) == 0
    lines = lzma.decompress((tmp_path / recorder.NAME).read_bytes()).splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == len(LOADS) == json.loads(capsys.readouterr().out.splitlines()[1])["rows"]
    assert all(not kind_of(row).compare(row).differing for row in rows[::7])


def test_without_a_gpu_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(recorder, "gpu_status", lambda: GpuStatus(False, "there is none"))
    assert recorder.main([str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()


def test_the_recorded_digest_is_that_of_the_packets():
    load = next(load for load in photo_loads.place_loads(Interleave.B16) if load.why == "a slice")
    memory = machine("model").load(load.tensor_map, load.coordinates, global_memory=load.memory).memory
    row = recorder.photo_row(load)
    assert (
        kind_of(row | {"result": 0}).compare(row | {"result": 0, "status": 1, "blake2b_96": digest(memory)}).differing
        == []
    )
