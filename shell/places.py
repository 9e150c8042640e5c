"""Where things are. The repository's root is the folder above this one; a test may hand over another."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
REQUIREMENTS = ROOT / "requirements.txt"
WORK = ROOT / "work"
QUIET_LAB = ROOT / "shell" / "jupyter"
DISK_FULL = "The disk is full: about 1 GB is needed for the course's packages."
LESSON_00 = "notebooks/00_start_here.ipynb"


class Trouble(Exception):
    """Something a person can mend. Its text is one sentence that says what is missing and what to do."""


def python_of(venv: Path) -> Path:
    """The Python inside a virtual environment, on any system."""
    return venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def environment_with(python: Path) -> dict[str, str]:
    """The process environment with the programs beside `python` first: nbgrader and JupyterLab call some by name."""
    path = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    return os.environ | {"PATH": path, "VIRTUAL_ENV": str(python.parent.parent)}
