"""A law of a measurement holds of what was recorded, and is told when it holds no longer."""

import json

import pytest

from course_lib.recordings import committed
from maintain.hardware import laws, remeasure

ALL = [(name, law) for name, found in laws.LAWS.items() for law in found]


def recorded(name):
    return remeasure.compared_rows(committed(f"measure_{name}.jsonl.xz"))


@pytest.mark.parametrize(("name", "law"), ALL, ids=lambda of: getattr(of, "sentence", of))
def test_every_law_holds_of_its_recording_and_not_of_nothing(name, law):
    assert law.holds(recorded(name))
    assert not law.holds([])


def changed(rows, wanted, **values):
    """The rows, the first of those wanted with other values."""
    at = next(n for n, row in enumerate(rows) if wanted.items() <= row.items())
    return [*rows[:at], rows[at] | values, *rows[at + 1 :]]


FENCE = {"case": "remote", "fence": "fence.proxy.async by the writers", "how": "relaxed"}
BARE = {"case": "global", "fence": "none", "how": "busy"}
POLITE = {"x_policy": None, "y_policy": "evict_first", "x_bytes": 16 << 20, "y_bytes": 64 << 20}
PLAIN, ADD = {"op": "store", "l2_promotion": 3}, {"op": "add", "l2_promotion": 0, "row_bytes": 256}


@pytest.mark.parametrize(
    ("name", "wanted", "values", "said"),
    [
        ("fences_close", FENCE, {"runs_with_wrong_words": 1}, "with the fence that PTX asks for"),
        ("fences_close", FENCE, {"never_ended": 1}, "with the fence that PTX asks for"),
        ("fences_close", BARE, {"runs_with_wrong_words": 33_792}, "close to the copy"),
        ("fences", {"case": "store", "fence": "fence.proxy.async.shared::cta"}, {"runs_with_wrong_words": 1}, "with"),
        ("order", {"way": "copy, expect"}, {"runs_with_old_bytes": 1}, "behind a wait"),
        ("order", {"way": "expect, copy"}, {"ended": 1055}, "behind a wait"),
        ("hints_tensor_counters", POLITE, {"dram_read_bytes": 81 << 20}, "a stream marked evict_first"),
        ("hints_counters", POLITE | {"y_policy": None}, {"dram_read_bytes": 81 << 20}, "64 MiB without a policy"),
        ("stores_counters", PLAIN, {"dram_write_bytes": 40e6}, "promotion changes no write's traffic"),
        ("stores_counters", PLAIN, {"l2_sectors_from_sms": 2e6}, "promotion changes no write's traffic"),
        ("stores_counters", ADD, {"dram_read_bytes": 1e6, "dram_write_bytes": 509e6}, "a store reads nothing"),
    ],
)
def test_a_law_that_holds_no_longer_is_told(name, wanted, values, said):
    rows = recorded(name)
    assert list(laws.broken_laws(name, rows)) == []
    assert any(sentence.startswith(said) for sentence in laws.broken_laws(name, changed(rows, wanted, **values)))


def test_a_broken_law_is_a_difference_of_make_record(monkeypatch, tmp_path):
    rows = changed(recorded("fences_close"), FENCE, runs_with_wrong_words=7)
    remeasure.path_of(tmp_path, "fences_close").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    monkeypatch.setattr(remeasure, "run_measurement", lambda *_: "fences_close: done (60 s)")
    lines = list(remeasure.remeasure("fences_close", tmp_path))
    assert ("    no longer so: with the fence that PTX asks for no run has a wrong word", 1) in lines


def test_a_measurement_without_laws_breaks_none():
    assert list(laws.broken_laws("fma", [{}])) == []
