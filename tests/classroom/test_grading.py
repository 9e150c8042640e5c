"""A grader's round trip in a folder of its own: release, hand in, grade."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from maintain.notebook import ROOT
from shell.places import activated

NAME = "00_start_here"
ENVIRONMENT = activated(Path(sys.executable))


def nbgrader(course: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=course, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def hand_in(course: Path, student: str, answers: dict[str, str]) -> None:
    """A copy of the released exercise with cells of `answers` (by grade_id) filled in."""
    notebook = nbformat.read(course / "exercises" / NAME / f"{NAME}.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""), cell.source)
    folder = course / "grading" / "submitted" / student / NAME
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")


def solved() -> dict[str, str]:
    notebook = nbformat.read(ROOT / "solutions" / NAME / f"{NAME}.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    return {cell.metadata.nbgrader.grade_id: cell.source for cell in cells}


@pytest.fixture(scope="module")
def scores(tmp_path_factory) -> dict[str, float]:
    course = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    shutil.copytree(ROOT / "solutions", course / "solutions")
    nbgrader(course, "generate_assignment", NAME)
    swapped = solved()["tile-map"].replace("(columns, rows)", "(rows, columns)")
    hand_in(course, "untouched", {})
    hand_in(course, "solved", solved())
    hand_in(course, "swapped", solved() | {"tile-map": swapped})
    nbgrader(course, "autograde", NAME)
    nbgrader(course, "export", "--to", "scores.csv")
    head, *rows = [line.split(",") for line in (course / "scores.csv").read_text().splitlines()]
    return {row[head.index("student_id")]: float(row[head.index("score")]) for row in rows}


@pytest.mark.parametrize(("student", "points"), [("untouched", 0), ("swapped", 4), ("solved", 6)])
def test_a_submission_gets_the_points_of_its_right_answers(scores, student, points):
    assert scores[student] == points
