"""The form that every lesson keeps: short cells, more words than code, predictions before answers, links that lead somewhere."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from maintain.notebook import ROOT

LESSONS = sorted(path.name for path in ROOT.glob("notebooks/*.ipynb"))
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
LABELS = ("measured", "documented", "model", "seen")


def cells(name: str, kind: str) -> list[NotebookNode]:
    notebook = nbformat.read(ROOT / "notebooks" / name, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def code_lines(name: str) -> list[int]:
    return [len(cell.source.splitlines()) for cell in cells(name, "code")]


def prose(name: str) -> str:
    return "\n".join(cell.source for cell in cells(name, "markdown"))


def broken_links(folder: Path, text: str) -> list[str]:
    return [link for link in LINK.findall(text) if "://" not in link and not (folder / link).exists()]


@pytest.mark.parametrize("name", LESSONS)
def test_a_code_cell_has_twelve_lines_at_most(name):
    assert max(code_lines(name)) <= 12


@pytest.mark.parametrize("name", LESSONS)
def test_there_are_five_words_of_prose_for_a_line_of_code(name):
    assert len(prose(name).split()) >= 5 * sum(code_lines(name))


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_opens_with_its_question_its_time_and_what_it_needs(name):
    opening = cells(name, "markdown")[0].source
    assert opening.startswith(f"# {name.split('_')[0]} · ")
    assert all(words in opening for words in ("**The question:**", "**Time:**", "**You need:**"))


@pytest.mark.parametrize("name", LESSONS)
def test_the_learner_commits_to_an_answer_three_times_before_it_shows(name):
    sources = [cell.source for cell in cells(name, "code")]
    hidden = [cell.metadata.get("jupyter", {}).get("outputs_hidden", False) for cell in cells(name, "code")]
    commits = [
        number for number, source in enumerate(sources) if re.search(r"^my_\w+ = None|= predict\(", source, re.M)
    ]
    assert len(commits) >= 3
    assert all(hidden[number + 1] for number in commits)


@pytest.mark.parametrize("name", LESSONS)
def test_claims_are_labelled_and_the_lesson_closes_with_what_to_keep(name):
    assert any(f"**{label}**" in prose(name) for label in LABELS)
    assert [
        words for words in ("## The trap", "## What to keep", "| unit |", "<details>") if words not in prose(name)
    ] == []


@pytest.mark.parametrize("path", ["README.md", "CONTRIBUTING.md", *(f"notebooks/{name}" for name in LESSONS)])
def test_every_link_within_the_course_leads_somewhere(path):
    text = prose(Path(path).name) if path.endswith(".ipynb") else (ROOT / path).read_text(encoding="utf-8")
    assert broken_links((ROOT / path).parent, text) == []


def test_a_link_that_leads_nowhere_would_be_seen(tmp_path):
    assert broken_links(tmp_path, "[a](b.md) and [c](https://d)") == ["b.md"]
