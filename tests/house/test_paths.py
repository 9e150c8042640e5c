"""Every path that a Markdown file names is there, as a person reads it from the root of the course."""

import re
from pathlib import Path

import pytest

from tests.house.files import ROOT, tracked

PAGES = tracked(".md")
FOLDERS = sorted({path.relative_to(ROOT).parts[0] for path in tracked() if path.parent != ROOT})
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./*-]*")
FILE = re.compile(r"(?<![\w./*-])\w+\.(?:py|js|cu|sh)\b")
MODULE = re.compile(r"-m ((?:benchmarks|course_lib|maintain)[\w.]*)")
# Placeholders stand for what is there for every lesson: each must have an instance.
PLACEHOLDERS = {"NN": "[0-9][0-9]*", "topic": "*"}


def pattern_of(path: str) -> str:
    """The glob that a path stands for: "notebooks/NN_topic.py" for the twin of any lesson."""
    for word, sign in PLACEHOLDERS.items():
        path = re.sub(rf"(?<![A-Za-z]){word}(?![A-Za-z])", sign, path)
    return path.rstrip("./")


def missing(text: str) -> list[str]:
    """The paths, the bare names of files and the modules in a text that nothing in the course answers to."""
    paths = [found for found in PATH.findall(text) if not any(ROOT.glob(pattern_of(found)))]
    files = set(FILE.findall(text)) - {path.name for path in tracked()}
    return [*paths, *sorted(files), *(name for name in MODULE.findall(text) if not is_module(name.rstrip(".")))]


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__main__.py").exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_path_that_a_page_names_is_there(page: Path):
    assert missing(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see tests/house/test_no_such.py.", ["tests/house/test_no_such.py."]),
        ("`course_lib/checks/lesson_NN.py`", ["course_lib/checks/lesson_NN.py"]),
        ("`course_lib/model/rules*.py`", ["course_lib/model/rules*.py"]),
        ("only `no_such.py` spells it", ["no_such.py"]),
        ("`python -m maintain.no_such`", ["maintain.no_such"]),
        ("`notebooks/NN_topic.py`, `python -m maintain.claims`, start.py, course_lib/draw/", []),
        ("work/ and grading/marks.csv are not in git", []),
    ],
)
def test_a_path_that_leads_nowhere_would_be_seen(text, found):
    assert missing(text) == found
