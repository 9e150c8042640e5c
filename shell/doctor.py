"""`start.py check`: five lines that say what this machine can do and what to do about the rest."""

import subprocess
import sys
import webbrowser
from pathlib import Path

from shell.environment import is_up_to_date
from shell.places import ROOT, VENV

PACKED = (".gz", ".xz", ".jsonl")
ASK_GPU = ["nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader"]


def report() -> list[str]:
    """The five lines."""
    return [python_line(), packages_line(VENV), browser_line(), gpu_line(ask_gpu()), recordings_line(ROOT)]


def python_line() -> str:
    return f"Python      {sys.version.split()[0]}, new enough: nothing to do"


def packages_line(venv: Path) -> str:
    if is_up_to_date(venv):
        return f"Packages    installed in {venv.name}: nothing to do"
    return "Packages    not installed yet: `python3 start.py lab` does it (about a minute and 1 GB)"


def browser_line() -> str:
    try:
        webbrowser.get()
    except webbrowser.Error:
        return "Browser     none found: `python3 start.py lab --no-browser` prints an address to open elsewhere"
    return "Browser     found: nothing to do"


def ask_gpu() -> str:
    """What the driver's own tool says: one line a GPU, empty without one."""
    try:
        return subprocess.run(ASK_GPU, capture_output=True, text=True, check=True, timeout=20).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def gpu_line(answer: str) -> str:
    if not answer:
        return "GPU         none found: recorded answers of a real H200 stand in, nothing to do"
    name, capability, driver = (part.strip() for part in answer.splitlines()[0].split(","))
    if capability != "9.0":
        return (
            f"GPU         {name} is not a Hopper GPU (9.0, this is {capability}): recorded answers of an H200 stand in"
        )
    return f"GPU         {name}, driver {driver}: hardware cells run on it, nothing to do"


def recordings_line(root: Path) -> str:
    files = [path for path in (root / "course_lib" / "recordings").glob("**/*") if path.suffix in PACKED]
    if not files:
        return "Recordings  missing: `git checkout course_lib/recordings` or a new download brings them back"
    size = sum(path.stat().st_size for path in files)
    return f"Recordings  {len(files)} files, {size / 1e6:.1f} MB: nothing to do"
