"""The loads of real views: what would be asked again is what was recorded."""

from course_lib.recordings import committed, read_rows
from maintain.hardware.cases.views import view_loads
from maintain.hardware.record import question_alone


def test_the_recording_holds_the_answer_to_each_of_these_loads():
    recorded = [question_alone("load", row) for row in read_rows(committed("load_views.jsonl.xz"))]
    assert [{k: v for k, v in row.items() if k != "window_at"} for row in recorded] == list(view_loads())


def test_refusals_traps_and_copies_are_among_them():
    rows = list(read_rows(committed("load_views.jsonl.xz")))
    assert {row["result"] for row in rows} == {0, 1}
    assert {row.get("fault") for row in rows} == {None, 715}
    assert {row["rank"] for row in rows} == {1, 2, 3, 5}
