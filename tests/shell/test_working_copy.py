"""The learner's copies: no answer shows before its question, and nothing that a learner wrote is ever lost."""

import json
from pathlib import Path

import pytest

from shell.working_copy import drop_outside_links, give


def notebook(source: str) -> str:
    output = {"output_type": "stream", "name": "stdout", "text": "the answer"}
    metadata = {"tags": ["predict"], "jupyter": {"outputs_hidden": True}}
    cell = {"cell_type": "code", "source": source, "outputs": [output], "execution_count": 1, "metadata": metadata}
    return json.dumps({"cells": [cell], "metadata": {"widgets": {}}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for name in ("notebooks/00_a.ipynb", "exercises/00_a/00_a.ipynb", "solutions/00_a/00_a.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(notebook("first"))
    return tmp_path


def lesson(course: Path) -> Path:
    return course / "work" / "notebooks" / "00_a.ipynb"


def deal(course: Path) -> list[str]:
    return give(course, course / "work")


def test_lessons_and_exercises_are_copied_and_solutions_are_not(course):
    assert deal(course) == []
    copies = {path.relative_to(course / "work").as_posix() for path in (course / "work").rglob("*.ipynb")}
    assert copies == {"notebooks/00_a.ipynb", "exercises/00_a/00_a.ipynb"}


def test_a_copy_shows_no_output_and_hides_none_that_comes(course):
    deal(course)
    given = json.loads(lesson(course).read_text())
    (cell,) = given["cells"]
    assert cell["outputs"] == []
    assert cell["execution_count"] is None
    assert cell["metadata"] == {"tags": ["predict"]}
    assert "widgets" not in given["metadata"]


def test_what_a_learner_wrote_stays_and_the_newer_version_lies_beside_it(course):
    deal(course)
    lesson(course).write_text("mine")
    (course / "notebooks/00_a.ipynb").write_text(notebook("second"))
    (line,) = deal(course)
    (newer,) = lesson(course).parent.glob("*.newer-*.ipynb")
    assert lesson(course).read_text() == "mine"
    assert "second" in newer.read_text()
    assert newer.name in line
    assert deal(course) == []


def test_a_copy_that_is_no_text_any_more_stays_as_it_is(course):
    deal(course)
    lesson(course).write_bytes(b"\xff\x00")
    (course / "notebooks/00_a.ipynb").write_text(notebook("second"))
    assert len(deal(course)) == 1
    assert lesson(course).read_bytes() == b"\xff\x00"


def test_a_newer_version_that_a_learner_wrote_in_stays_too(course):
    deal(course)
    for source in ("second", "first", "second"):
        lesson(course).write_text("mine")
        (course / "notebooks/00_a.ipynb").write_text(notebook(source))
        deal(course)
        for newer in lesson(course).parent.glob("*.newer-*.ipynb"):
            newer.write_text("mine too")
    assert {path.read_text() for path in lesson(course).parent.iterdir()} == {"mine", "mine too"}


def test_an_untouched_copy_follows_the_course_without_a_word(course):
    deal(course)
    (course / "notebooks/00_a.ipynb").write_text(notebook("second"))
    assert deal(course) == []
    assert "second" in lesson(course).read_text()


def test_a_deleted_copy_comes_back(course):
    deal(course)
    lesson(course).unlink()
    deal(course)
    assert lesson(course).exists()


def test_the_tables_beside_the_lessons_are_copied_and_kept_as_a_learner_left_them(course):
    (course / "notebooks/GLOSSARY.md").write_text("[00](00_a.ipynb) and [the machine](../course_lib/machine.py)")
    deal(course)
    words = course / "work" / "notebooks" / "GLOSSARY.md"
    assert words.read_text() == "[00](00_a.ipynb) and the machine"
    words.write_text("my own word")
    (course / "notebooks/GLOSSARY.md").write_text("a newer version")
    assert len(deal(course)) == 1
    assert words.read_text() == "my own word"
    assert [path.read_text() for path in words.parent.glob("GLOSSARY.newer-*.md")] == ["a newer version"]


def test_a_link_to_what_is_not_copied_becomes_its_words(course):
    cell = {
        "cell_type": "markdown",
        "metadata": {},
        "source": ["[b\n", "c](../../notebooks/00_a.ipynb#d) [`e`](../x.py)"],
    }
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (course / "exercises/00_a/00_a.ipynb").write_text(json.dumps(book))
    deal(course)
    (given,) = json.loads((course / "work/exercises/00_a/00_a.ipynb").read_text())["cells"]
    assert given["source"] == "[b\nc](../../notebooks/00_a.ipynb#d) `e`"


def test_a_link_to_the_web_stays():
    assert drop_outside_links("[a](https://b.org/c)", "notebooks", set()) == "[a](https://b.org/c)"


@pytest.mark.parametrize("cut_short", [None, "", '{"notebooks/00_a.ipynb": "1'])
def test_a_lost_or_damaged_ledger_loses_nothing_that_a_learner_wrote(course, cut_short):
    deal(course)
    ledger = course / "work" / ".given.json"
    ledger.unlink() if cut_short is None else ledger.write_text(cut_short)
    lesson(course).write_text("mine")
    assert len(deal(course)) == 1
    assert lesson(course).read_text() == "mine"
