"""Every recording is asked again by its own rows; other data is an error, other times are not."""

import json
import lzma
from pathlib import Path

import pytest

from course_lib.gpu.child import ChildFailed
from course_lib.gpu.device import GpuStatus
from course_lib.recordings import committed, read_rows
from maintain.hardware import ask_plans, remake


def recorded_answers(name):
    """A child that answers as the recording says."""
    plan = ask_plans.PLANS[name]
    known = {}
    for row in read_rows(committed(name)):
        if ask := plan.ask(row):
            known[json.dumps(ask.row)] = {
                k: row[k] for k in plan.answers if k in row and not (k == "bytes" and "op" in row)
            }
    return known


class Answering:
    """Answers from a table; ``changes`` go over every answer."""

    def __init__(self, known, **changes):
        self.known, self.changes = known, changes

    def ask(self, do, row, keep=False):
        answer = dict(self.known[json.dumps(row)])
        if do == "encode":
            answer.setdefault("result", answer.get("driver_result", 1))
        if do == "operands":
            answer["result"] += "00" * 64
        return {k: v for k, v in answer.items() if not (k == "fault" and v is None)} | self.changes


@pytest.mark.parametrize("name", ask_plans.PLANS)
def test_a_gpu_that_answers_as_recorded_differs_nowhere_and_its_rows_are_the_recordings(name):
    every = max(1, sum(1 for _ in read_rows(committed(name))) // 40)
    made = remake.remake(name, [Answering(recorded_answers(name))] * 2, every)
    assert made.differences == []
    asked = [row for row, ask in ask_plans.rows_and_questions(name, every) if ask]
    plan = ask_plans.PLANS[name]
    pairs = [(new, row) for new, row in zip(made.rows, asked, strict=True) if plan.compares(row)]
    assert pairs
    assert all(new.get(k) == row.get(k) for new, row in pairs for k in plan.data)


def test_a_report_that_was_never_asked_gets_its_first_answer():
    known = recorded_answers("reports.jsonl.xz")
    made = remake.remake("reports.jsonl.xz", [Answering(known)])
    first = {row["id"]: row["driver_result"] for row in made.rows}
    never = {row["id"] for row in read_rows(committed("reports.jsonl.xz")) if "driver_result" not in row}
    assert made.skipped == 1
    assert {"T80", "T80fix", "T83", "T83b"} & never <= set(first)
    assert made.differences == []


@pytest.mark.parametrize("name", ["load.jsonl.xz", "store_more.jsonl.xz", "bulk.jsonl.xz", "faults.jsonl.xz"])
def test_other_bytes_are_a_difference(name):
    made = remake.remake(name, [Answering(recorded_answers(name), blake2b_96="0")], 50)
    assert made.differences
    assert "blake2b_96: recorded " in "\n".join(remake.lines_of_remake(made))


def test_other_times_are_no_difference():
    made = remake.remake(
        "bank_cycles.jsonl.xz", [Answering(recorded_answers("bank_cycles.jsonl.xz"), cycles_min=9)], 40
    )
    assert made.differences == []
    assert made.rows[0]["cycles_min"] == 9
    assert "not compared" in str(made)


def test_behind_a_fault_the_fault_is_compared_and_what_each_call_told_of_it_is_not():
    known = recorded_answers("stale.jsonl.xz")
    late = {asked: answer | {"answers": [0], "saw": "other"} for asked, answer in known.items()}
    assert not remake.remake("stale.jsonl.xz", [Answering(late)]).differences
    other = {asked: answer | ({"fault": 719} if answer.get("fault") == 715 else {}) for asked, answer in known.items()}
    assert len(remake.remake("stale.jsonl.xz", [Answering(other)]).differences) == 8


def test_what_is_timed_runs_alone():
    class Idle:
        def ask(self, *_):
            raise AssertionError("two processes at a time")

    children = [Answering(recorded_answers("bank_cycles.jsonl.xz")), Idle()]
    assert len(remake.remake("bank_cycles.jsonl.xz", children, 40).rows) == 10


def test_a_child_that_breaks_is_a_difference():
    class Broken:
        def ask(self, *_):
            raise ChildFailed("KeyError: 'rank'")

    assert len(remake.remake("load_far.jsonl.xz", [Broken()], 100).differences) == 5


def test_a_question_holds_no_answer_but_the_size_of_a_stores_box():
    row = next(read_rows(committed("store.jsonl.xz")))
    asked = ask_plans.of_copy(row)
    assert (asked.do, asked.row["bytes"]) == ("store", row["bytes"])
    assert not {"result", "changed", "blake2b_96"} & set(asked.row)


def test_no_recording_is_forgotten():
    told = set(ask_plans.PLANS) | set(ask_plans.names_left_out())
    assert told == {path.name for path in committed("load.jsonl.xz").parent.glob("*.jsonl.xz")}


def test_what_is_written_can_be_read_as_a_recording(tmp_path):
    made = remake.remake("load_far.jsonl.xz", [Answering(recorded_answers("load_far.jsonl.xz"))], 100)
    remake.write_recording(made, tmp_path)
    assert list(read_rows(tmp_path / "load_far.jsonl.xz")) == made.rows
    assert lzma.decompress((tmp_path / "load_far.jsonl.xz").read_bytes()).count(b"\n") == 5


@pytest.mark.parametrize(
    ("device", "driver", "place"),
    [
        ("NVIDIA H200", "580.159.04", Path("work/recordings/nvidia_h200_580.159.04")),
        ("NVIDIA H200", "600.1", committed("load.jsonl.xz").parent / "nvidia_h200_600.1"),
        ("NVIDIA B200", "580.159.04", committed("load.jsonl.xz").parent / "nvidia_b200_580.159.04"),
    ],
)
def test_another_device_or_driver_has_a_folder_beside_the_h200s(device, driver, place):
    assert remake.place_of({"device": device, "driver": driver}) == place


def test_without_a_gpu_nothing_is_asked(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(remake, "gpu_status", lambda: GpuStatus(False, "No GPU: none."))
    assert remake.main(["--folder", str(tmp_path / "out")]) == 1
    assert "No GPU: none." in capsys.readouterr().out
    assert not (tmp_path / "out").exists()
