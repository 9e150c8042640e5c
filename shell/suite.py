"""Everything that CI runs, in one order, with pytest's own summary as the last thing on the screen."""

import subprocess
from pathlib import Path

from shell.places import ROOT, environment_with

STEPS = {
    "ruff": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
}
# One file a worker (loadfile): the cells of a notebook must stay together. The browser's files, the longest, come first
# by their folder's name; xdist would put them last, as they hold few tests.
PYTEST = [
    *("pytest", "tests", "notebooks", "solutions", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"),
    *("--nbval", "--nbval-current-env", "--nbval-cell-timeout=60", "-p", "no:cacheprovider"),
]


def run_suite(python: Path, more: list[str]) -> int:
    """Run the linters, the type checker and all tests; `more` goes to pytest. 0 if all is well."""
    failed = [name for name, command in STEPS.items() if _step(python, name, command) != 0]
    tests = _step(python, "tests, lessons and solutions", PYTEST + more)
    for name in failed:
        print(f"{name}: FAILED, see above")
    return tests or len(failed)


def _step(python: Path, name: str, command: list[str]) -> int:
    print(f"\n== {name}: {' '.join(command)}", flush=True)
    return subprocess.run([str(python), "-m", *command], cwd=ROOT, env=environment_with(python), check=False).returncode
