"""The public trouble reports: their calls, the driver's answers, and what the model's copies come to."""

import pytest

from course_lib.model.rules.judge import RULES
from course_lib.recordings import committed, read_rows
from course_lib.recordings.copies.reports import answers_to, copy_of, in_short, refusals, reports, rows_behind_rules


def test_every_report_whose_call_can_be_made_is_there():
    rows = [row["id"] for row in read_rows(committed("reports.jsonl.xz"))]
    assert set(rows) - set(reports()) == {"T82"}  # four corner entries where the call takes two


def test_the_model_answers_as_the_driver_did():
    asked = list(reports().values())
    assert len(asked) == 56
    assert [report.id for report in asked if report.call.check().accepted != (report.result == 0)] == []


def test_refusals_are_counted():
    assert refusals(["T02", "T05", "T07"]) == (2, 2)
    assert refusals(["T80", "T80fix", "T83", "T83b"]) == (3, 3)


def test_a_table_shows_call_answers_and_rule():
    shown = repr(answers_to(["T02", "T80fix"]))
    assert "FLOAT32 (1733, 128), strides (6932,), box (32, 32), swizzle B128" in shown
    assert "strides-are-aligned" in shown
    assert shown.splitlines()[-1].split()[-3:] == ["0", "0", "–"]


def test_a_call_in_short_names_what_is_not_plain():
    assert in_short(reports()["T26c"].call).endswith("address …10, interleave B32, swizzle B32")
    assert "element strides (1, 3)" in in_short(reports()["T54"].call)
    assert "corners (-129, 0) and (0, 0), channels 64, pixels 64" in in_short(reports()["T83b"].call)


@pytest.mark.parametrize(("name", "code"), [("T47", 715), ("T48", 715), ("T61", 716), ("T54", 0), ("T58", 0)])
def test_a_copy_comes_to_its_code(name, code):
    assert copy_of(reports()[name])[0] == code


def test_the_rows_behind_the_rules_are_those_of_the_derived_table():
    counted = rows_behind_rules()
    known = {rule.id for rules in RULES.values() for rule in rules}
    assert set(counted) <= known
    assert counted["strides-are-aligned"] == 881
