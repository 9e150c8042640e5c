"""The claims table: every row leads to a section that shows it, with its label, its numbers and what it rests on."""

from collections import Counter

import pytest

from maintain.claims import LABELS, NOTHING, Claim, claims, faults
from maintain.lessons import Section, lessons, passages
from maintain.reading import read_by_name, read_by_section
from maintain.tables import ROOT, numbers, table_rows

ROWS = claims()
DESCRIPTOR = ROOT / "notebooks" / "03_the_descriptor.ipynb"
TRUE = Claim(
    "bits 68 to 70 hold the rank less one, in all 8,091 calls",
    NOTHING,
    "measured",
    "[x](03_the_descriptor.ipynb#Part-B-·-The-bits)",
    "encode.jsonl.xz",
)
DOCUMENTED = TRUE._replace(
    holds="the edit is for sm_90a",
    label="documented",
    shown_in="[x](03_the_descriptor.ipynb#Editing-on-the-device)",
    rests_on="PTX ISA",
)


@pytest.mark.parametrize("claim", ROWS, ids=lambda claim: f"{claim.link.path.stem[:2]}: {claim.holds[:60]}")
def test_a_claim_is_shown_where_its_row_says(claim):
    assert faults(claim) == []


def test_the_rows_follow_the_order_of_the_lessons_and_every_row_is_read():
    paths = [claim.link.path for claim in ROWS]
    legend = len(LABELS)
    assert paths == sorted(paths)
    assert len(table_rows((ROOT / "notebooks" / "CLAIMS.md").read_text(encoding="utf-8"))) == len(ROWS) + legend


def test_each_lesson_has_its_claims_and_no_more_than_a_page_of_them():
    told = Counter(claim.link.path for claim in ROWS)
    assert {path.stem: told[path] for path in lessons() if not 8 <= told[path] <= 20} == {}


def test_no_claim_stands_twice():
    assert len({claim.holds for claim in ROWS}) == len(ROWS)


def test_a_row_that_holds_has_no_fault():
    assert faults(TRUE) == faults(DOCUMENTED) == []


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (TRUE._replace(shown_in="[x](03_the_descriptor.ipynb#Part-C)"), "no such lesson or heading"),
        (TRUE._replace(shown_in="[x](03_the_descriptor.ipynb)"), "no such lesson or heading"),
        (TRUE._replace(shown_in="[x](99_no_lesson.ipynb#Part-B-·-The-bits)"), "no such lesson or heading"),
        (TRUE._replace(label="proved"), "is no label"),
        (TRUE._replace(label="seen"), "does not say **seen**"),
        (TRUE._replace(holds="the rank has 987654 bits"), "shows no 987654"),
        (TRUE._replace(rests_on="no_such.jsonl.xz"), "no recording, or no provenance: no_such.jsonl.xz"),
        (TRUE._replace(rests_on="load.jsonl.xz"), "does not read load.jsonl.xz"),
        (TRUE._replace(rests_on=NOTHING), "names its recording"),
        (DOCUMENTED._replace(rests_on=NOTHING), "names its document"),
        (DOCUMENTED._replace(rests_on="The Art of Copying"), "does not name The Art of Copying"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_row_that_does_not_hold_is_seen(row, found):
    assert any(found in fault for fault in faults(row))


def test_a_variable_reads_what_made_it_and_a_function_of_the_library_what_it_calls():
    read = read_by_section(DESCRIPTOR)
    assert "encode.jsonl.xz" in read["Strides"]  # by `agree`, which looks at `numbers`
    assert read["The-one-that-worked"] == set()
    assert read_by_name("course_lib.recordings.copies.descriptors", "rows_tried") == {"descriptor.jsonl.xz"}
    assert "load_views.jsonl.xz" in read_by_name("course_lib.machines", "machine")


def test_a_section_ends_at_the_next_heading_of_its_level():
    found = [passage.heading for passage in passages(DESCRIPTOR) if passage.level]
    assert found.index("The trap") < found.index("The one that worked")
    assert "workspace" in Section("", [p for p in passages(DESCRIPTOR) if p.heading == "The one that worked"]).prose


def test_numbers_are_told_without_their_commas_and_not_out_of_names():
    assert numbers("8,091 of B128 at 0x3FF in sm_90, 2.5 % of float32") == {"8091", "0x3ff", "2.5"}
