"""The environment: made once, mended when half-made, and every failure of pip in one sentence."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shell import environment, installer
from shell.places import DISK_FULL, Trouble, python_of


@pytest.fixture
def installs(monkeypatch) -> list[Path]:
    """Calls of the installer, which does nothing here."""
    calls: list[Path] = []
    monkeypatch.setattr(environment, "install", lambda python, *_: calls.append(python))
    return calls


@pytest.fixture
def quick_venv(monkeypatch):
    """Virtual environments without pip, which are made at once."""
    run = subprocess.run

    def without_pip(command, **named):
        return run([*command, "--without-pip"] if "venv" in command else command, **named)

    monkeypatch.setattr(environment.subprocess, "run", without_pip)


def test_an_environment_is_made_once(tmp_path, installs, quick_venv):
    venv = tmp_path / "venv"
    assert environment.ensure(venv=venv) == environment.ensure(venv=venv) == python_of(venv)
    assert installs == [python_of(venv)]


def test_the_environment_imports_the_course_from_any_folder(tmp_path, installs, quick_venv):
    python = environment.ensure(venv=tmp_path / "venv")
    found = "import importlib.util; print(importlib.util.find_spec('course_lib').origin)"
    told = subprocess.run([python, "-c", found], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert Path(told.strip()) == environment.ROOT / "course_lib" / "__init__.py"


@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
def test_the_environment_imports_the_course_from_a_folder_with_any_name(
    tmp_path, installs, quick_venv, monkeypatch, language
):
    root = tmp_path / "Kurs für Übung #1 課程"
    (root / "course_lib").mkdir(parents=True)
    (root / "course_lib" / "__init__.py").touch()
    monkeypatch.setattr(environment, "ROOT", root)
    python = environment.ensure(venv=tmp_path / "venv")
    found = "import course_lib; print(ascii(list(course_lib.__path__)))"
    spoken = os.environ | {"LC_ALL": language}
    told = subprocess.run([python, "-c", found], env=spoken, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert told.stdout.strip() == ascii([str(root / "course_lib")])


def test_an_environment_that_is_up_to_date_is_not_written_to(tmp_path, installs, quick_venv):
    venv = tmp_path / "venv"
    environment.ensure(venv=venv)
    (link,) = venv.rglob("course.pth")
    before = link.stat().st_mtime_ns
    environment.ensure(venv=venv)
    assert link.stat().st_mtime_ns == before


def test_an_interrupted_set_up_is_made_again_from_nothing(tmp_path, installs, quick_venv, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    venv = tmp_path / "venv"
    with monkeypatch.context() as patch:
        patch.setattr(environment, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            environment.ensure(venv=venv)
    (venv / "half").write_text("")
    environment.ensure(venv=venv)
    assert environment.is_up_to_date(venv)
    assert not (venv / "half").exists()
    assert "unfinished or of another Python" in capsys.readouterr().out


def test_changed_requirements_make_an_environment_out_of_date(tmp_path, installs, quick_venv):
    venv, other = tmp_path / "venv", tmp_path / "requirements.txt"
    environment.ensure(venv=venv)
    other.write_text("numpy==1.0\n")
    assert environment.is_up_to_date(venv)
    assert not environment.is_up_to_date(venv, other)


def test_other_requirements_go_on_top_of_a_complete_environment(tmp_path, installs, quick_venv):
    venv = tmp_path / "venv"
    environment.ensure(venv=venv)
    stamp = venv / environment.STAMP
    stamp.write_text(stamp.read_text().replace("requirements ", "requirements of yesterday "))
    (venv / "kept").write_text("")
    environment.ensure(venv=venv)
    assert (venv / "kept").exists()
    assert environment.is_up_to_date(venv)
    assert len(installs) == 2


def test_an_environment_of_another_python_is_made_again(tmp_path, installs, quick_venv):
    venv = tmp_path / "venv"
    environment.ensure(venv=venv)
    (venv / environment.STAMP).write_text("Python 3.1, requirements x")
    (venv / "old").write_text("")
    environment.ensure(venv=venv)
    assert not (venv / "old").exists()


def test_the_environment_is_never_made_by_its_own_python():
    own = "import sys; sys.path.insert(0, sys.argv[1]); from shell import environment; print(environment.BASE)"
    told = subprocess.run(
        [sys.executable, "-c", own, str(environment.ROOT)], capture_output=True, text=True, check=True
    )
    assert Path(sys.prefix) not in Path(told.stdout.strip()).parents


def test_a_vanished_python_makes_an_environment_out_of_date(tmp_path, installs, quick_venv):
    venv = tmp_path / "venv"
    python = environment.ensure(venv=venv)
    python.unlink()
    assert not environment.is_up_to_date(venv)


def test_a_file_in_the_environments_place_is_not_removed(tmp_path, installs):
    (tmp_path / "venv").write_text("precious")
    with pytest.raises(Trouble, match="is not a virtual environment: move it away"):
        environment.ensure(venv=tmp_path / "venv")
    assert (tmp_path / "venv").read_text() == "precious"


def test_a_folder_of_somebody_else_is_not_removed(tmp_path, installs):
    (tmp_path / "precious").write_text("")
    with pytest.raises(Trouble, match="is not a virtual environment: move it away"):
        environment.ensure(venv=tmp_path)
    assert (tmp_path / "precious").exists()


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_which_package_brings_it(tmp_path, missing, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else find(name))
    with pytest.raises(Trouble, match="sudo apt install python3-venv"):
        environment.ensure(venv=tmp_path / "venv")


@pytest.mark.parametrize("why", ["[Errno 13] Permission denied: '.venv'", "[Errno 30] Read-only file system: '.venv'"])
def test_a_course_in_a_closed_folder_is_to_be_copied(why):
    assert "can't be written to: copy the course" in environment._why_no_venv(f"Error: {why}\n")


def said_by_pip(*options: str) -> str:
    """What the real pip says when it fails, in a place without configuration."""
    command = [sys.executable, "-m", "pip", "--isolated", "install", "--retries", "0", *options, "numpy==0.0.1"]
    failed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert failed.returncode != 0
    return failed.stdout + failed.stderr


def test_no_network_is_one_sentence_that_names_the_wheelhouse():
    said = said_by_pip("--index-url", "http://127.0.0.1:9")
    assert installer.explain_failure(said, None).startswith("The packages can't be fetched: no network here.")


def test_a_wheelhouse_that_lacks_a_package_is_named(tmp_path):
    said = said_by_pip("--no-index", "--find-links", str(tmp_path))
    assert installer.explain_failure(said, tmp_path).startswith(f"{tmp_path} lacks a package for this system")


def test_a_wheelhouse_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Trouble, match="there is no folder"):
        installer._source(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n", DISK_FULL),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n", "A downloaded package differs"),
        ("Collecting x\nERROR: something new\n", "pip failed: ERROR: something new"),
        ("", "pip failed"),
    ],
)
def test_what_pip_says_becomes_one_sentence(said, sentence):
    assert installer.explain_failure(said, None).startswith(sentence)
