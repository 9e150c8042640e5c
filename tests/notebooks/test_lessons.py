"""The form that every lesson keeps: short cells, more words than code, predictions before answers."""

import re

import nbformat
import pytest
from nbformat import NotebookNode

from maintain.notebook import ROOT

LESSONS = sorted(path.name for path in ROOT.glob("notebooks/*.ipynb"))
LABELS = ("measured", "documented", "model", "seen")
UNNAMED = re.compile(r"\*\*documented\*\*(?!:| \(\w| there\b| (?:as|for|by)\b[^.)]*[:)])", re.I)


def cells(name: str, kind: str) -> list[NotebookNode]:
    notebook = nbformat.read(ROOT / "notebooks" / name, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def code_lines(name: str) -> list[int]:
    return [len(cell.source.splitlines()) for cell in cells(name, "code")]


def prose(name: str) -> str:
    return "\n".join(cell.source for cell in cells(name, "markdown"))


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


def without_document(name: str) -> list[str]:
    """The documented statements of a lesson behind which no document is named; where the labels are listed, none is."""
    texts = [" ".join(cell.source.split()) for cell in cells(name, "markdown")]
    told = [text for text in texts if not all(f"**{label}**" in text for label in LABELS)]
    return [text[max(0, at.start() - 60) : at.end()] for text in told for at in UNNAMED.finditer(text)]


@pytest.mark.parametrize("name", LESSONS)
def test_a_documented_statement_names_its_document(name):
    assert without_document(name) == []


def test_a_documented_statement_without_its_document_would_be_seen():
    assert UNNAMED.search("it waits (**documented**), and")
    assert UNNAMED.search("are **documented** and")
    assert not UNNAMED.search("it waits (**documented**: PTX ISA)")
    assert not UNNAMED.search("sizes are **documented** (CUDA Driver API)")
    assert not UNNAMED.search("(**documented** as undefined: `mbarrier.inval`)")
