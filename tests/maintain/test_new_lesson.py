"""A new lesson begins as stubs that run, keep the form of a lesson, and are refused where something is already."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest

import course_lib.checks
from maintain import new_lesson
from maintain.claims import claims
from maintain.new_rows import add_claims, add_lesson, place_sections
from maintain.notebook import ROOT, make_notebook
from maintain.stubs import find_stubs
from maintain.tables import table_rows
from maintain.words import glossary
from tests.notebooks import test_lessons as form

NUMBER = "98"  # of no lesson of the course
NAME = f"{NUMBER}_im2col"
FORM = [test for name, test in vars(form).items() if name.startswith("test_") and "name" in test.__code__.co_varnames]


def copy_tables(folder: Path) -> Path:
    """The names of all lessons and their tables, in a folder of its own."""
    for path in [ROOT / "README.md", *ROOT.glob("notebooks/*.md"), *ROOT.glob("notebooks/*.py")]:
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(path, copy)
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with a lesson that was just begun, whose checks can be imported."""
    root = copy_tables(tmp_path_factory.mktemp("course"))
    assert new_lesson.main([NUMBER, "im2col"], root) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course_lib.checks, "__path__", [*course_lib.checks.__path__, str(root / "course_lib/checks")])
        yield root
    for name in [name for name in sys.modules if f"lesson_{NUMBER}" in name]:
        del sys.modules[name]


def texts(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def run_cells(twin: Path) -> dict:
    """The names that the code cells of a twin leave behind."""
    names: dict = {}
    for cell in jupytext.read(twin, fmt="py:percent").cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    return names


def test_every_file_of_a_lesson_is_written_and_says_what_goes_there(course):
    marked = {place.split(":")[0] for place in find_stubs(course)}
    checks = f"course_lib/checks/lesson_{NUMBER}"
    twins = {f"notebooks/{NAME}.py", f"solutions/{NAME}/{NAME}.py", f"tests/checks/lesson_{NUMBER}/test_checks.py"}
    inner = {f"{checks}/{name}.py" for name in ("checks", "questions", "slips")}
    assert {name for name in marked if NUMBER in name} == twins | inner
    assert {"README.md", "notebooks/CLAIMS.md", "notebooks/GLOSSARY.md"} <= marked
    assert (course / checks / "__init__.py").exists()


def test_no_name_is_left_open(course):
    new = [text for name, text in texts(course).items() if NUMBER in name and name.endswith(".py")]
    assert len(new) == 7
    assert [found for text in new for found in re.findall(r"\{(?:number|topic|title)\}", text)] == []


def test_it_says_what_it_wrote_and_the_commands_that_come_next(tmp_path, capsys):
    new_lesson.main([NUMBER, "im2col", "--title", "Images as columns"], copy_tables(tmp_path))
    told = capsys.readouterr().out
    assert f"  notebooks/{NAME}.py\n" in told
    assert "  notebooks/CLAIMS.md, its rows\n" in told
    assert len(re.findall(r"^  python -m maintain\.", told, re.M)) == 3
    assert f"# # {NUMBER} · Images as columns\n" in (tmp_path / "notebooks" / f"{NAME}.py").read_text()


def test_the_lesson_runs(course):
    names = run_cells(course / "notebooks" / f"{NAME}.py")
    assert names["first"].answer is None


@pytest.mark.parametrize("test", FORM, ids=lambda test: test.__name__)
def test_the_lesson_has_the_form_of_all(course, monkeypatch, test):
    twin = course / "notebooks" / f"{NAME}.py"
    nbformat.write(make_notebook(twin), twin.with_suffix(".ipynb"))
    monkeypatch.setattr(form, "ROOT", course)
    test(twin.with_suffix(".ipynb").name)


def test_the_exercise_runs_and_its_solution_is_correct(course):
    names = run_cells(course / "solutions" / NAME / f"{NAME}.py")
    assert names[f"lesson_{NUMBER}"].check_first_task(names["first_task"]).is_correct


def test_the_checks_are_proved_four_ways(course):
    path = course / "tests" / "checks" / f"lesson_{NUMBER}" / "test_checks.py"
    spec = importlib.util.spec_from_file_location(f"lesson_{NUMBER}_proofs", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    proofs, ((check, answers, mistakes),) = module.TestEachTask(), module.TASKS
    proofs.test_an_untouched_stub_is_not_attempted(check)
    proofs.test_every_task_has_two_answers_and_two_mistakes_at_least(check)
    for answer in answers:
        proofs.test_the_solution_is_correct_however_it_is_written(check, answer, 1)
    for mistake, message in mistakes:
        proofs.test_a_mistake_is_incorrect_and_its_first_difference_is_named(check, mistake, message, 0)


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]])
def test_ruff_finds_nothing_in_what_was_written(course, command):
    ours = ["--config", str(ROOT / "pyproject.toml"), "--config", f"src = ['{ROOT.as_posix()}']"]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache", *ours, "."], cwd=course, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_the_rows_stand_in_order(course):
    lessons = [row[0] for row in table_rows((course / "README.md").read_text()) if f"[{NUMBER} " in row[0]]
    shown_in = [claim.shown_in for claim in claims((course / "notebooks/CLAIMS.md").read_text())]
    words = [word.plain for word in glossary((course / "notebooks/GLOSSARY.md").read_text())]
    assert len(lessons) == 1
    assert all(NAME in link for link in shown_in[-8:])
    assert words == sorted(words)
    assert "stub: a word of im2col" in words


def test_a_lesson_between_two_others_has_its_rows_between_theirs():
    assert (
        add_lesson("| [01 a](b) |\n| [02 a](b) |\n\nx\n", "01b", "new\n") == "| [01 a](b) |\nnew\n| [02 a](b) |\n\nx\n"
    )
    assert add_claims("## 01 · A\n\n## 02 · B\n", "01b", "## 01b · C\n") == "## 01 · A\n\n## 01b · C\n\n## 02 · B\n"


def test_a_section_that_waited_for_the_lesson_is_linked_to_it():
    text = "| a | lesson 12 (not yet) |\n| b | lesson 13 (not yet) |\n"
    assert place_sections(text, "12", "[x](y)\n") == "| a | [x](y) |\n| b | lesson 13 (not yet) |\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["08", "other_banks"], "Lesson 08 is there already: notebooks/08_banks.py"),
        (["00b", "again"], "Lesson 00b is there already"),
        (["8", "banks"], "'8' is no number of a lesson"),
        (["twelve", "banks"], "'twelve' is no number of a lesson"),
        ([NUMBER, "Im2col"], "'Im2col' is no topic"),
        ([NUMBER, "../im2col"], "'../im2col' is no topic"),
        ([NUMBER, "im2col", "--title", "a | b"], "'a | b' is no title"),
    ],
)
def test_a_lesson_that_cannot_be_begun_is_refused_and_nothing_is_written(tmp_path, capsys, arguments, why):
    before = texts(copy_tables(tmp_path))
    assert new_lesson.main(arguments, tmp_path) == 2
    assert why in capsys.readouterr().err
    assert texts(tmp_path) == before


def test_a_file_that_is_there_already_is_not_written_over(tmp_path, capsys):
    there = copy_tables(tmp_path) / f"course_lib/checks/lesson_{NUMBER}/slips.py"
    there.parent.mkdir(parents=True)
    there.write_text("precious")
    before = texts(tmp_path)
    assert new_lesson.main([NUMBER, "im2col"], tmp_path) == 2
    assert f"course_lib/checks/lesson_{NUMBER}/slips.py: there already." in capsys.readouterr().err
    assert texts(tmp_path) == before
