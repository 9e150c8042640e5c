"""What learners get: made from the solutions of today, free of answers, and it runs before anything is filled in."""

import re
from pathlib import Path

import nbformat
import pytest

from maintain.build_exercises import exercise_names, release
from maintain.notebook import ROOT, run_notebook

EXERCISES = ROOT / "exercises"
SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.S)
LEAKS = re.compile(r"BEGIN SOLUTION|END SOLUTION|HIDDEN TESTS|\.require\(\)")


def released() -> list[Path]:
    return sorted(path for path in EXERCISES.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts)


def answers(name: str) -> list[str]:
    """The lines that stand between the solution marks of an exercise."""
    notebook = nbformat.read(ROOT / "solutions" / name / f"{name}.ipynb", as_version=4)
    blocks = [block for cell in notebook.cells for block in SOLUTION.findall(cell.source)]
    return [line.strip() for block in blocks for line in block.splitlines() if len(line.strip()) > 12]


@pytest.mark.parametrize("name", exercise_names())
def test_an_exercise_is_what_nbgrader_makes_of_its_solution_today(name, tmp_path):
    release(name, tmp_path)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert made == {path.relative_to(EXERCISES): path.read_bytes() for path in released() if name in path.parts}


def test_there_is_one_exercise_for_each_solution_and_nothing_else():
    assert [path.relative_to(EXERCISES).as_posix() for path in released()] == [
        f"{n}/{n}.ipynb" for n in exercise_names()
    ]


@pytest.mark.parametrize("name", exercise_names())
def test_an_exercise_holds_no_answer_and_no_hidden_test(name):
    text = (EXERCISES / name / f"{name}.ipynb").read_text()
    sources = [cell.source for cell in nbformat.reads(text, as_version=4).cells]
    assert not LEAKS.search(text)
    assert answers(name)
    assert [line for line in answers(name) if any(line in source for source in sources)] == []


@pytest.mark.parametrize("name", exercise_names())
def test_each_task_has_a_stub_and_each_graded_cell_points(name):
    cells = nbformat.read(EXERCISES / name / f"{name}.ipynb", as_version=4).cells
    graded = [cell.metadata.nbgrader for cell in cells if "nbgrader" in cell.metadata and cell.metadata.nbgrader.grade]
    stubs = [cell for cell in cells if "nbgrader" in cell.metadata and cell.metadata.nbgrader.solution]
    assert len(stubs) >= 1
    assert all("raise NotImplementedError" in cell.source for cell in stubs)
    assert all(grade.points > 0 for grade in graded)


@pytest.mark.parametrize("name", exercise_names())
def test_an_untouched_exercise_runs_to_its_end_and_every_check_says_not_attempted(name):
    notebook = nbformat.read(EXERCISES / name / f"{name}.ipynb", as_version=4)
    run = run_notebook(notebook, EXERCISES / name)
    checks = [cell for cell in run.cells if "nbgrader" in cell.metadata and cell.metadata.nbgrader.grade]
    shown = ["".join(output.data["text/plain"] for output in cell.outputs) for cell in checks]
    assert shown
    assert all(text.startswith("NOT ATTEMPTED") for text in shown)
