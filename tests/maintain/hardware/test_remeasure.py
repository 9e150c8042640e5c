"""Every measurement can be made again: its facts must be the recorded ones, its times need not."""

import json
from pathlib import Path

import pytest

from course_lib.gpu.device import GpuStatus
from course_lib.recordings import committed, read_rows
from maintain.hardware import remeasure


@pytest.mark.parametrize("name", remeasure.names_to_measure())
def test_a_gpu_that_measures_as_recorded_differs_nowhere(name):
    rows = remeasure.compared_rows(committed(f"measure_{name}.jsonl.xz"))
    made = remeasure.compare_measurements(rows, rows)
    assert rows
    assert (made.rows, made.differences) == (len(rows), [])
    assert made.ratio in (None, 1.0)


def test_a_wrong_sum_other_bits_and_a_missing_row_are_differences():
    recorded = [{"sum_is_right": True, "gb_per_s": 4000.0}, {"results": "7fff"}]
    now = [{"sum_is_right": False, "gb_per_s": 3000.0}, {"results": "7ff7"}]
    made = remeasure.compare_measurements(recorded, now)
    assert made.differences == [(0, "sum_is_right", True, False), (1, "results", "7fff", "7ff7")]
    assert remeasure.compare_measurements(recorded, recorded[:1]).differences == [(1, "rows", 2, 1)]
    assert remeasure.compare_measurements(recorded, [{}, recorded[1]]).differences == [(0, "sum_is_right", True, None)]


def test_other_times_are_told_and_are_no_difference():
    made = remeasure.compare_measurements([{"gb_per_s": 4000.0}] * 3, [{"gb_per_s": 3000.0}] * 3)
    assert str(made) == "3 rows, 0 facts differ, rates now 0.750 of the recorded"


def test_only_what_ships_and_needs_a_gpu_is_measured_again():
    chosen = remeasure.names_to_measure()
    assert {"bandwidth", "fma", "tensor_core", "multicast_counters"} <= set(chosen)
    assert not {"sass", "assemble", "offsets_counters"} & set(chosen)


OTHER = {"results": "00"}


@pytest.mark.parametrize(("changed", "target", "code"), [({}, "sm_90", 0), (OTHER, "sm_90", 1), (OTHER, "sm_100", 0)])
def test_other_facts_are_an_error_on_the_recordings_architecture_and_told_on_every(
    monkeypatch, tmp_path, capsys, changed, target, code
):
    def measured(name: str, folder: Path, quick: bool) -> str:
        rows = [row | (changed if "results" in row else {}) for row in read_rows(committed(f"measure_{name}.jsonl.xz"))]
        remeasure.path_of(folder, name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return f"{name}: done (0.1 s)"

    monkeypatch.setattr(remeasure, "gpu_status", lambda: GpuStatus(True, "GPU: a pretended one."))
    monkeypatch.setattr(remeasure, "run_measurement", measured)
    monkeypatch.setattr(remeasure, "device_provenance", lambda: {"device": "D", "driver": "1", "target": target})
    assert remeasure.main(["fma", "--folder", str(tmp_path)]) == code
    assert ("results: recorded" in capsys.readouterr().out) == bool(changed)


def test_another_devices_measurements_lie_beside_the_h200s(monkeypatch, tmp_path):
    folders = []
    monkeypatch.setattr(remeasure, "gpu_status", lambda: GpuStatus(True, "GPU: a pretended one."))
    monkeypatch.setattr(remeasure, "place_of", lambda who: tmp_path / who["device"])
    monkeypatch.setattr(remeasure, "device_provenance", lambda: {"device": "NVIDIA B200", "target": "sm_100"})
    monkeypatch.setattr(remeasure, "remeasure", lambda name, folder: folders.append(folder) or [])
    assert remeasure.main(["fma"]) == 0
    assert folders == [tmp_path / "NVIDIA B200" / "measured"]


@pytest.mark.parametrize(("name", "count"), [("bandwidth", 1), ("hints_counters", 0)])
def test_a_measurement_that_failed_is_a_difference_and_one_without_a_profiler_is_only_told(
    monkeypatch, tmp_path, name, count
):
    monkeypatch.setattr(remeasure, "run_measurement", lambda *_: f"{name}: ran out of time (90.0 s)")
    assert list(remeasure.remeasure(name, tmp_path)) == [(f"{name}: ran out of time (90.0 s)", count)]


def test_what_this_machine_lacks_is_told_and_is_no_difference(monkeypatch, tmp_path):
    monkeypatch.setattr(remeasure, "run_measurement", lambda *_: "peers: done (0.6 s)")
    row = {"kind": "missing", "said": "A second GPU is needed."}
    remeasure.path_of(tmp_path, "peers").write_text(json.dumps(row) + "\n")
    assert list(remeasure.remeasure("peers", tmp_path))[1:] == [("    not compared: A second GPU is needed.", 0)]
