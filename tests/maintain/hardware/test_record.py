"""Recordings reach their files as rows; a row that is answered otherwise is seen."""

import gzip
import json
from typing import ClassVar

import pytest

from maintain.hardware import record


class Answering:
    """A child that answers every job alike."""

    outcome: ClassVar[dict] = {"status": 1, "blake2b_96": "00"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def ask(self, do, row, keep=False):
        return dict(self.outcome) | ({"window": "cdcd"} if keep else {})


@pytest.fixture
def answers(monkeypatch):
    monkeypatch.setattr(record.actions, "child_with_actions", Answering)


def rows_of(path):
    data = path.read_bytes()
    return [json.loads(line) for line in (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()]


def test_a_recording_is_its_questions_with_the_answers(answers, tmp_path):
    told = record.record("load_wide", tmp_path, every=40)
    rows = rows_of(tmp_path / "load_wide.jsonl.gz")
    assert told["rows"] == len(rows) == 6
    assert all(row["api"] == "im2col_wide" and row["status"] == 1 for row in rows)


def test_kept_windows_lie_one_after_the_other(answers, tmp_path):
    record.record("load_pairs_windows", tmp_path, every=40)
    rows = rows_of(tmp_path / "load_pairs_windows.jsonl.gz")
    assert [row["window_at"] for row in rows] == [0, 2, 4]
    assert gzip.decompress((tmp_path / "load_pairs_windows.bin.gz").read_bytes()) == b"\xcd" * 6


def test_a_fault_is_recorded_beside_the_accepted_map(answers, monkeypatch, tmp_path):
    monkeypatch.setattr(Answering, "outcome", {"fault": 715})
    told = record.record("faults", tmp_path, every=20)
    assert told["faults"] == 4
    assert all(row["fault"] == 715 and row["result"] == 0 for row in rows_of(tmp_path / "faults.jsonl"))


def test_asking_again_finds_the_row_that_differs(answers, tmp_path):
    record.record("load_wide", tmp_path, every=40)
    path = tmp_path / "load_wide.jsonl.gz"
    assert list(record.ask_again(path)) == []
    lines = gzip.decompress(path.read_bytes()).splitlines()
    lines[2] = lines[2].replace(b'"blake2b_96":"00"', b'"blake2b_96":"11"')
    path.write_bytes(gzip.compress(b"\n".join(lines)))
    assert [recorded["blake2b_96"] for recorded, _ in record.ask_again(path)] == ["11"]


def test_without_a_gpu_nothing_is_recorded(status, tmp_path, capsys):
    if status.usable:
        pytest.skip("there is a GPU")
    assert record.main([str(tmp_path / "out"), "--kinds", "faults"]) == 1
    assert status.sentence in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_every_kind_has_a_file_of_its_own_and_jobs():
    names = [name for name, _ in record.KINDS.values()]
    assert len(set(names)) == len(names)
    assert all(next(iter(jobs())) for _, jobs in record.KINDS.values())


def test_a_question_holds_no_answer():
    row = {"api": "tiled", "bytes": 16, "result": 0, "fault": 715, "changed": 1}
    assert record.question_alone("store", row) == {"api": "tiled", "bytes": 16}
    assert record.question_alone("encode", row) == {"api": "tiled"}
