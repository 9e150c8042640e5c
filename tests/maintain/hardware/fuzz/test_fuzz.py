"""What a fuzz run draws, that a planted difference is found and shrunk, and that a lost GPU ends the run."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.gpu.c_types import ARGUMENTS
from course_lib.model.call.sizes import transaction_bytes
from course_lib.recordings.replay.kinds import kind_of
from course_lib.rows.calls import tensor_map_of
from maintain.hardware.fuzz import campaign as fuzz
from maintain.hardware.fuzz import draws, shrink
from maintain.hardware.fuzz.differences import differing_parts, model_answer

ROOT = Path(__file__).resolve().parents[4]


def answering(do, row):
    """A GPU that answers as the model does, as a child spells it: with a count that the model of a linear copy lacks."""
    answer = {name: value for name, value in model_answer(do, row).items() if value is not None}
    more = {"last_touched": 7} if do == "bulk" and "blake2b_96" in answer else {}
    return more | {k: v for k, v in answer.items() if not (do == "store" and k == "bytes")}


def wrong_on_three_dimensions(do, row):
    """A GPU that refuses every map of three dimensions whose middle one is longer than 5."""
    refused = do == "encode" and row["rank"] == 3 and row["global_dim"][1] > 5
    return {"result": 1} if refused else answering(do, row)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_every_drawn_argument_fits_the_drivers_own_type(rng):
    _, row = draws.encode_call(rng, 0)
    for name, kind in ARGUMENTS[row["api"]].items():
        values, carrier = (row[name], kind[0]) if isinstance(kind, list) else ([row[name]], kind)
        assert [carrier(value).value for value in values] == values


def test_as_many_calls_are_accepted_as_refused_and_many_break_one_rule_alone():
    rng = Random(1)
    verdicts = [tensor_map_of(draws.encode_call(rng, 0)[1]).check() for _ in range(600)]
    assert 200 < sum(verdict.accepted for verdict in verdicts) < 400
    assert len({verdict.broken[0].id for verdict in verdicts if len(verdict.broken) == 1}) > 12


@pytest.mark.parametrize("family", ["load", "store", "bulk"])
def test_what_is_drawn_to_go_through_faults_nowhere_in_the_model(family):
    cases = fuzz.work_out(fuzz.Batch(family, 3, 40))
    assert len(cases) == 40
    assert all(case.model["fault"] is None and case.model["blake2b_96"] for case in cases)


@pytest.mark.parametrize("family", ["far load", "far store"])
def test_copies_that_go_around_all_addresses_come_back_more_often_than_not(family):
    cases = fuzz.work_out(fuzz.Batch(family, 3, 60))
    assert len(cases) > 20
    for case in cases:
        strides, at = (1, *case.row["global_strides"][: case.row["rank"] - 1]), case.row["coordinates"]
        reach = sum(s * c for s, c in zip(strides[1:], at[1 : case.row["rank"]], strict=True))
        assert reach >= 2**63
        assert case.model["fault"] is None
        assert case.model["blake2b_96"]


def test_every_trap_is_a_predicted_cuda_error():
    codes = {case.model["fault"] for case in fuzz.sample_traps(20, 3)}
    assert codes <= {700, 715, 716}
    assert len(codes) > 1
    assert list(fuzz.sample_traps(0, 3)) == []


def test_a_run_asks_what_was_ordered():
    sizes = {}
    for batch in fuzz.plan_batches(1000, 5):
        sizes[batch.family] = sizes.get(batch.family, 0) + batch.size
    assert sizes == {"encode": 1000, "load": 125, "store": 62, "bulk": 63, "far load": 125, "far store": 125}


def test_a_seed_repeats_a_run_and_another_does_not():
    one, again, other = (fuzz.work_out(fuzz.Batch("encode", seed, 20)) for seed in (8, 8, 9))
    assert one == again
    assert one != other


def report_of(ask, family="encode", size=60):
    report, batch = fuzz.FuzzReport(), fuzz.Batch(family, 4, size)
    fuzz.compare_batches([batch], ask, [fuzz.work_out(batch)], report)
    return report


@pytest.mark.parametrize("family", ["encode", "load", "store", "bulk"])
def test_two_that_answer_alike_have_no_difference(family):
    report = report_of(answering, family)
    assert not any(report.differences.values())
    assert report.asked[family] == 60


@pytest.mark.parametrize("family", ["load", "store", "bulk"])
def test_another_digest_is_a_difference(family):
    report = report_of(lambda do, row: answering(do, row) | {"blake2b_96": "0"}, family)
    assert len(report.differences[family]) == 60
    assert "60 differences" in str(report)


@pytest.fixture(scope="module")
def planted():
    """A planted difference: the case, and what is told of it."""
    difference = report_of(wrong_on_three_dimensions).differences["encode"][0]
    return difference[0], fuzz.describe_difference_of(wrong_on_three_dimensions, difference)


def test_a_planted_difference_is_found_and_shrunk_to_its_cause(planted):
    case, told = planted
    row = json.loads(told.split("shrunk: ")[1])
    assert row["global_dim"][1] in (6, 7, 8)
    assert row["global_dim"][0] == row["global_dim"][2] == 1
    assert shrink.weight(row) < shrink.weight(case.row) / 2


def test_a_difference_is_printed_as_rows_that_replay_reads(planted):
    for name in ("found:  ", "shrunk: "):
        row = json.loads(planted[1].split(name)[1].splitlines()[0])
        assert kind_of(row).compare(row).differing == ["result"]


def test_when_time_is_up_the_row_stays_as_found():
    case = report_of(wrong_on_three_dimensions).differences["encode"][0][0]
    differs = lambda do, row: bool(differing_parts(do, model_answer(do, row), wrong_on_three_dimensions(do, row)))  # noqa: E731
    assert shrink.smallest(case.do, case.row, differs, patience_s=0) == case.row


def test_a_fault_that_nobody_expected_ends_the_run_as_a_difference():
    def trapping(do, row):
        raise RuntimeError("kernel: CUDA_ERROR_MISALIGNED_ADDRESS (716)")

    report = report_of(trapping, "load")
    assert len(report.differences["load"]) == 1
    assert "the GPU was lost to kernel" in str(report)


def test_another_cuda_error_than_the_predicted_one_is_a_difference():
    report = fuzz.FuzzReport()
    fuzz.compare_traps(4, 6, [lambda do, row: {"fault": 999}] * 2, report)
    assert len(report.differences["trap"]) == 4
    report = fuzz.FuzzReport()
    fuzz.compare_traps(5, 6, [answering] * 2, report)
    assert (report.differences["trap"], report.asked["trap"]) == ([], 5)


def test_the_command_works_out_its_answers_in_processes_of_its_own(tmp_path):
    """As ``make fuzz`` runs it: the pool starts other processes, which must find the function that they are given."""
    program = (
        "from maintain.hardware.fuzz import campaign as c\n"
        "if __name__ == '__main__':\n"
        "    report = c.fuzz(40, 1, 8, lambda do, row: {'result': 1}, [lambda do, row: {'fault': 700}], 1)\n"
        "    print(sum(report.asked.values()))\n"
    )
    (tmp_path / "run.py").write_text(program)
    assert campaign_main_is_thin()
    command = [sys.executable, str(tmp_path / "run.py")]
    told = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert int(told.stdout) > 40


def campaign_main_is_thin():
    """The command's module defines nothing that a pool would look for in it."""
    nodes = ast.parse((ROOT / "maintain" / "hardware" / "fuzz" / "__main__.py").read_text()).body
    return not any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in nodes)


def test_a_far_copy_tells_its_barrier_the_bytes_of_its_box():
    rows = [case.row for case in fuzz.work_out(fuzz.Batch("far load", 3, 60))]
    assert [row["transaction_bytes"] for row in rows] == [transaction_bytes(tensor_map_of(row)) for row in rows]


def test_a_run_may_be_of_some_families_only():
    report = fuzz.fuzz(40, 0, 8, answering, [answering], 1, only=["far store"])
    assert set(report.asked) == {"far store"}
