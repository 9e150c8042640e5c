"""Links: each file and each heading that the course names is there, in the course and in a learner's own copy of it."""

from pathlib import Path

import nbformat
import pytest

from maintain import where_to_go
from maintain.lessons import anchor, passages
from maintain.notebook import ROOT, make_notebook, twins
from maintain.tables import CLAIMS, GLOSSARY, Link, is_broken, links
from shell.working_copy import give

PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "TEACHING.md",
    "notebooks/*.md",
    "notebooks/*.ipynb",
    "exercises/*/*.ipynb",
    "solutions/*/*.ipynb",
]
FILES = sorted(path.relative_to(ROOT).as_posix() for pattern in PAGES for path in ROOT.glob(pattern))
LESSONS = [twin for twin in twins() if twin.parent.name == "notebooks"]
EXERCISES = [twin for twin in twins() if twin.parent.name != "notebooks"]


def words(path: Path) -> str:
    """The text of a page, or of the text cells of a notebook."""
    return "\n".join(passage.text for passage in passages(path))


def broken(path: Path) -> list[Link]:
    return [link for link in links(words(path), path.parent) if is_broken(link)]


def led_to(path: Path) -> set[Path]:
    """The files that a page links."""
    return {link.path for link in links(words(path), path.parent)}


@pytest.mark.parametrize("name", FILES)
def test_every_link_within_the_course_leads_to_a_file_and_to_a_heading_in_it(name):
    assert broken(ROOT / name) == []


def test_every_link_in_a_learners_copy_leads_somewhere_in_it(tmp_path):
    give(ROOT, tmp_path)
    copies = [path for path in tmp_path.rglob("*") if path.suffix in (".md", ".ipynb")]
    outside = [link for path in copies for link in links(words(path), path.parent) if tmp_path not in link.path.parents]
    assert len(copies) > 10
    assert outside == []
    assert [link for path in copies for link in broken(path)] == []


@pytest.mark.parametrize(
    ("text", "is_seen"),
    [
        ("[a](b.md)", True),
        ("[a](c.md#One-word)", False),
        ("[a](c.md#one-word)", True),
        ("[a](c.md#Two-words)", True),
        ("[a](https://d.org/b.md)", False),
    ],
)
def test_a_link_that_leads_nowhere_would_be_seen(tmp_path, text, is_seen):
    (tmp_path / "c.md").write_text("# One word\n\n```\n# Two words\n```\n")
    (tmp_path / "a.md").write_text(text)
    assert bool(broken(tmp_path / "a.md")) == is_seen


def test_an_anchor_is_the_heading_with_hyphens_and_without_marks():
    assert anchor("One `word`, *not* two?") == "One-word,-not-two?"


@pytest.mark.parametrize("twin", LESSONS, ids=lambda twin: twin.stem)
def test_a_lesson_leads_to_its_exercise_its_neighbours_the_words_the_claims_and_its_room(twin):
    around = {path.with_suffix(".ipynb") for path in where_to_go.neighbours(twin).values()}
    rooms = {ROOT / name for name in where_to_go.rooms(where_to_go.number(twin))}
    practice = set(ROOT.glob(f"exercises/{twin.stem}/{twin.stem}.ipynb"))
    assert rooms
    assert around | rooms | practice | {CLAIMS, GLOSSARY} <= led_to(twin.with_suffix(".ipynb"))


@pytest.mark.parametrize("twin", EXERCISES, ids=lambda twin: twin.stem)
@pytest.mark.parametrize("folder", ["solutions", "exercises"])
def test_an_exercise_leads_to_its_lesson_and_to_the_words(twin, folder):
    lesson = ROOT / "notebooks" / f"{twin.stem}.ipynb"
    assert {lesson, GLOSSARY} <= led_to(ROOT / folder / twin.stem / f"{twin.stem}.ipynb")


@pytest.mark.parametrize("twin", [*LESSONS, *EXERCISES], ids=lambda twin: f"{twin.parent.name}/{twin.stem}")
def test_the_line_of_links_is_what_the_course_gives_today(twin):
    assert where_to_go.text_with_links(twin) == twin.read_text(encoding="utf-8")


def test_a_notebook_gets_new_words_without_a_run_and_refuses_new_code(tmp_path):
    twin = tmp_path / "00_a.py"
    twin.write_text("# %% [markdown]\n# old\n\n# %%\n1 + 1\n")
    book = make_notebook(twin)
    book.cells[1].update(execution_count=1)
    nbformat.write(book, twin.with_suffix(".ipynb"))
    twin.write_text("# %% [markdown]\n# new\n\n# %%\n1 + 1\n")
    cells = nbformat.reads(where_to_go.refresh_notebook(twin), as_version=4).cells
    assert [cells[0].source, cells[1].execution_count] == ["new", 1]
    twin.write_text("# %%\n1 + 2\n")
    with pytest.raises(ValueError, match="its code changed"):
        where_to_go.refresh_notebook(twin)
