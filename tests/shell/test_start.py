"""start.py itself: it runs before anything is installed, and says what is missing in one sentence."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from shell import commands
from shell.places import DISK_FULL, ROOT, Trouble

START = ROOT / "start.py"


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_an_old_python_is_told_that_it_is_too_old_in_one_sentence():
    pretend = f"import sys; sys.version_info = (3, 9, 18); exec(open({str(START)!r}).read())"
    told = python("-c", pretend)
    assert told.returncode == 1
    assert told.stderr.startswith("Python 3.11 or newer is needed, and this is Python 3.9:")
    assert len(told.stderr.splitlines()) == 1


def test_start_is_written_in_words_that_a_python_2_can_read():
    tree = ast.parse(START.read_text())
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Starred, ast.MatMult, ast.arg)
    assert START.read_bytes().isascii()
    assert not [node for node in ast.walk(tree) if isinstance(node, newer)]


def test_check_prints_five_lines_with_nothing_installed():
    checked = python("-S", "-E", "start.py", "check")
    assert checked.returncode == 0, checked.stderr
    heads = [line.split()[0] for line in checked.stdout.splitlines()]
    assert heads == ["Python", "Packages", "Browser", "GPU", "Recordings"]


@pytest.mark.parametrize("module", sorted(path.name for path in (ROOT / "shell").glob("*.py")))
def test_the_shell_imports_the_standard_library_alone(module: str):
    tree = ast.parse((ROOT / "shell" / module).read_text())
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    roots = {name.split(".")[0] for name in names}
    assert roots <= {*sys.stdlib_module_names, "shell"}


def test_an_unknown_option_is_refused():
    assert python("start.py", "lab", "--nonsense").returncode == 2


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        (Trouble("The thing is missing."), "The thing is missing."),
        (OSError(28, "No space left on device"), DISK_FULL),
        (PermissionError(13, "Permission denied", "work"), "work: Permission denied. The course writes there."),
    ],
)
def test_trouble_is_one_sentence_without_a_traceback(trouble, sentence, monkeypatch, capsys):
    def fail(*_):
        raise trouble

    monkeypatch.setattr(commands.environment, "ensure", fail)
    assert commands.main(["test"]) == 1
    assert capsys.readouterr().err == sentence + "\n"


def test_lab_serves_the_working_copies_on_the_port_asked_for():
    asked = commands._parser().parse_args(["lab", "--port", "9001", "--no-browser"])
    options = commands.lab_options(asked)
    assert {"--ServerApp.port=9001", "--no-browser"} <= set(options)
    assert f"--ServerApp.root_dir={ROOT / 'work'}" in options
    assert Path(commands.LESSON_00).name == "00_start_here.ipynb"


def test_lab_keeps_the_copies_in_the_folder_asked_for(tmp_path):
    asked = commands._parser().parse_args(["lab", "--work", str(tmp_path / "mine")])
    assert f"--ServerApp.root_dir={tmp_path / 'mine'}" in commands.lab_options(asked)
    assert commands.give_copies(tmp_path / "mine") == []
    assert (tmp_path / "mine" / commands.LESSON_00).exists()


def test_a_folder_of_others_is_named_with_the_option_that_helps(tmp_path, monkeypatch):
    def closed(**_):
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(commands.working_copy, "give", closed)
    with pytest.raises(Trouble, match="add `--work FOLDER`, a folder of your own"):
        commands.give_copies(tmp_path)


def test_a_home_folder_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "nowhere")
    with pytest.raises(Trouble, match=r"Your home folder .*nowhere can't be written to"):
        commands.give_copies(tmp_path)


def test_a_failing_linter_fails_the_suite_even_if_all_tests_pass(monkeypatch, capsys):
    monkeypatch.setattr(commands.suite, "_step", lambda python, name, command: int(name == "mypy"))
    assert commands.suite.run_suite(Path("python"), []) == 1
    assert "mypy: FAILED" in capsys.readouterr().out
