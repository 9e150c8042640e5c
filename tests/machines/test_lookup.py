"""Every recorded row is found by what it asks."""

import json
from base64 import b64encode

import numpy as np
import pytest

from course_lib.machines import lookup
from course_lib.machines.questions import Question
from course_lib.recordings import committed, read_rows

KINDS = dict.fromkeys(lookup.LOADS, "load") | dict.fromkeys(lookup.STORES, "store") | {"bulk": "bulk"}


def rows(name):
    """Some rows that describe a launch."""
    found = [row for row in read_rows(committed(f"{name}.jsonl.xz")) if row.get("direction") != "prefetch"]
    return found[:: max(1, len(found) // 12)]


def do_of(row, name):
    return "store" if "op" in row and name != "bulk" else KINDS[name] if name != "faults" else "load"


@pytest.mark.parametrize("name", KINDS)
def test_a_row_is_found_by_its_question(name):
    for row in rows(name):
        found = lookup.find(Question(do_of(row, name), row, {}))
        assert found.row.get("blake2b_96") == row.get("blake2b_96")
        assert found.by.device == "NVIDIA H200"


def test_a_row_that_asks_something_special_is_found_by_nothing_else():
    row = rows("load_pairs")[0]
    assert lookup.find(Question("load", row, {}))
    assert lookup.find(Question("load", row | {"barrier_offset": 4}, {})) is None
    assert lookup.find(Question("load", row, {"global_memory": np.zeros(16, np.uint8)})) is None


def test_a_row_that_holds_its_own_memory_is_found_by_these_bytes_alone(monkeypatch):
    row, memory = rows("load_pairs")[0], np.arange(64, dtype=np.uint8)
    own = row | {"global_memory": b64encode(memory.tobytes()).decode()}
    monkeypatch.setattr(lookup, "candidates", lambda name, wanted: [json.dumps(own).encode()])
    assert lookup.find(Question("load", row, {"global_memory": memory})).row == own
    assert lookup.find(Question("load", row, {"global_memory": memory + 1})) is None
    assert lookup.find(Question("load", row, {})) is None
