"""A grader's round trip in a folder of its own: release, hand in, grade."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from maintain.notebook import ROOT
from shell.places import environment_with

NAME = "00_start_here"
ENVIRONMENT = environment_with(Path(sys.executable)) | {"COURSE_CLASS_SEED": "a text of the class"}
BY_HEART = """
def tile_map(address, rows, columns, box_rows, box_columns):
    from course_lib.checks.lesson_00.questions import matrices, tile_map
    asked = dict(address=address, rows=rows, columns=columns, box_rows=box_rows, box_columns=box_columns)
    return tile_map(**asked) if asked in matrices(seed=0) else "never seen"
"""


def nbgrader(course: Path, *arguments: str, **own: str) -> str:
    """Run nbgrader in `course`, with settings of its `own` in the environment; what it says."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=course, env=ENVIRONMENT | own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def hand_in(course: Path, student: str, answers: dict[str, str]) -> None:
    """A copy of the released exercise with cells of `answers` (by grade_id) filled in."""
    notebook = nbformat.read(course / "exercises" / NAME / f"{NAME}.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""), cell.source)
    folder = course / "grading" / "submitted" / student / NAME
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")


def solved() -> dict[str, str]:
    notebook = nbformat.read(ROOT / "solutions" / NAME / f"{NAME}.ipynb", as_version=4)
    cells = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    return {cell.metadata.nbgrader.grade_id: cell.source for cell in cells}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A course that has graded what four students handed in."""
    course = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    shutil.copytree(ROOT / "solutions", course / "solutions")
    nbgrader(course, "generate_assignment", NAME)
    swapped = solved()["tile-map"].replace("(columns, rows)", "(rows, columns)")
    hand_in(course, "untouched", {})
    hand_in(course, "solved", solved())
    hand_in(course, "swapped", solved() | {"tile-map": swapped})
    hand_in(course, "by_heart", solved() | {"tile-map": BY_HEART})
    (course / "said.txt").write_text(nbgrader(course, "autograde", NAME))
    return course


@pytest.fixture(scope="module")
def scores(course) -> dict[str, float]:
    nbgrader(course, "export")
    head, *rows = [line.split(",") for line in (course / "grading" / "marks.csv").read_text().splitlines()]
    return {row[head.index("student_id")]: float(row[head.index("score")]) for row in rows}


@pytest.mark.parametrize(("student", "points"), [("untouched", 0), ("swapped", 4), ("by_heart", 4), ("solved", 6)])
def test_a_submission_gets_the_points_of_its_right_answers(scores, student, points):
    assert scores[student] == points


def test_feedback_says_where_an_answer_differs_and_shows_no_file_of_the_grader(course):
    nbgrader(course, "generate_feedback", NAME, "--student", "swapped")
    page = (course / "grading" / "feedback" / "swapped" / NAME / f"{NAME}.html").read_text()
    assert "the innermost dimension comes first" in page
    assert "base.py" not in page


def test_grading_warns_of_nothing_where_the_class_has_its_seed(course):
    said = (course / "said.txt").read_text()
    assert "AutogradeApp" in said
    assert [line for line in said.splitlines() if "AutogradeApp | WARNING" in line or "SEED" in line] == []


def test_grading_without_a_seed_says_so_once(course):
    said = nbgrader(course, "autograde", NAME, "--student", "solved", COURSE_CLASS_SEED="")
    assert said.count("COURSE_CLASS_SEED is not set") == 1


def test_a_second_submission_is_graded_when_asked_by_name(course, scores):
    hand_in(course, "swapped", solved())
    again = ("autograde", NAME, "--student", "swapped")
    assert "Skipping existing assignment" in nbgrader(course, *again)
    assert "Skipping existing assignment" not in nbgrader(course, *again, "--force")
