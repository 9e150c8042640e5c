"""Make `.venv` from requirements.txt, once, and know whether it is still the right one."""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from shell.installer import install
from shell.places import DISK_FULL, REQUIREMENTS, ROOT, VENV, Trouble, python_of

STAMP = "course-set-up.txt"
BASE = getattr(sys, "_base_executable", sys.executable)  # never the environment's own Python, which may be removed
NO_VENV = (
    "This Python can't make virtual environments: on Debian and Ubuntu run `sudo apt install python3-venv`, "
    "elsewhere install Python from its own site."
)


def stamp_text(requirements: Path = REQUIREMENTS) -> str:
    """What the stamp of an up-to-date environment says: this Python and this set of packages."""
    version = "{}.{}".format(*sys.version_info[:2])
    return f"Python {version}, requirements {hashlib.sha256(requirements.read_bytes()).hexdigest()}"


def is_up_to_date(venv: Path = VENV, requirements: Path = REQUIREMENTS) -> bool:
    """True if `venv` was made to the end from these requirements and its Python still starts."""
    stamp = venv / STAMP
    return stamp.is_file() and stamp.read_text() == stamp_text(requirements) and _starts(python_of(venv))


def _is_complete(venv: Path) -> bool:
    """True if `venv` was once made to the end with this Python: then other requirements can go on top."""
    stamp, version = venv / STAMP, stamp_text().split(",")[0]
    return stamp.is_file() and stamp.read_text().startswith(f"{version},") and _starts(python_of(venv))


def ensure(wheelhouse: Path | None = None, venv: Path = VENV) -> Path:
    """Make or mend the environment if it needs it; return its Python."""
    if not is_up_to_date(venv):
        if not _is_complete(venv):
            _make_empty(venv)
        (venv / STAMP).unlink(missing_ok=True)
        install(python_of(venv), REQUIREMENTS, wheelhouse)
        (venv / STAMP).write_text(stamp_text())
    _link_course(venv)
    return python_of(venv)


def _make_empty(venv: Path) -> None:
    """An empty environment in place of whatever stands there."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise Trouble(NO_VENV)
    if venv.exists():
        print(f"{venv.name} is unfinished or of another Python: making it again.", flush=True)
        _remove(venv)
    made = subprocess.run([BASE, "-m", "venv", str(venv)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Trouble(_why_no_venv(made.stdout + made.stderr))


def _remove(venv: Path) -> None:
    if not venv.is_dir() or (any(venv.iterdir()) and not (venv / "pyvenv.cfg").is_file()):
        raise Trouble(f"{venv} is not a virtual environment: move it away, the course wants to put its own there.")
    try:
        shutil.rmtree(venv)
    except OSError as error:
        raise Trouble(
            f"{venv} can't be made again ({error.strerror}): close what uses it. In a course that others set up, ask them."
        ) from error


def _why_no_venv(output: str) -> str:
    if "No space left" in output:
        return DISK_FULL
    if "Permission denied" in output or "Read-only" in output:
        return f"{ROOT} can't be written to: copy the course to a folder of your own, or ask whoever set it up."
    if "ensurepip" in output:
        return NO_VENV
    return f"`python -m venv` failed: {output.strip().splitlines()[-1] if output.strip() else 'it said nothing'}"


def _starts(python: Path) -> bool:
    try:
        return subprocess.run([str(python), "-c", ""], check=False).returncode == 0
    except OSError:
        return False


def _link_course(venv: Path) -> None:
    """Let the environment import course_lib from this folder, wherever the folder was moved to.

    In ASCII alone: which other letters Python reads in such a file depends on its version and on the system's language.
    """
    link = next(venv.glob("[Ll]ib/python*/site-packages"), venv / "Lib" / "site-packages") / "course.pth"
    line = f"import sys; sys.path.append({str(ROOT)!a})\n"
    if not link.is_file() or link.read_bytes() != line.encode():  # a folder shared by a class may be read-only
        link.write_bytes(line.encode())
