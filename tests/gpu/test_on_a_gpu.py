"""A live Hopper GPU answers as the recorded one did. Skipped with the reason where there is none."""

import json
import lzma
from importlib.resources import files

import pytest

from course_lib.rows.row import ANSWERED
from maintain.hardware import record
from maintain.hardware.cases import barriers as cases_barriers
from maintain.hardware.cases import drawn as cases

pytestmark = pytest.mark.gpu
RECORDED = ("encode", "load", "load_offset", "store")


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_rows_are_answered_alike(child, name):
    path = files("course_lib.recordings") / "data" / f"{name}.jsonl.xz"
    if not path.is_file():
        pytest.skip(f"{name}.jsonl.xz is not there")
    lines = lzma.decompress(path.read_bytes()).splitlines()
    rows = [json.loads(line) for line in lines[:: max(1, len(lines) // 40)]]
    do = name.split("_")[0]
    for row in rows:
        now = record.answer_job(child, (do, record.question_alone(do, row), False))
        assert {k: now.get(k) for k in ANSWERED} == {k: row.get(k) for k in ANSWERED}


def test_a_right_count_completes_three_phases(child):
    row = next(cases_barriers.barrier_rows())
    assert child.ask("barrier", row)["ended"][-1] == [1, 0]


def test_a_shared_address_off_128_bytes_traps_with_716_and_the_caller_lives_on(child):
    row = next(cases.loads(1, cases.tiled_map, (0, 0), 1))
    assert child.ask("load", row | {"shared_address": 64}) == {"fault": 716}
    assert child.ask("load", row)["status"] == 1
