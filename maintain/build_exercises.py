"""Solutions → what learners fill in, by nbgrader's own `generate_assignment`. `make exercises` builds all,
``python -m maintain.build_exercises NN_topic`` one.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from maintain.notebook import ROOT


def exercise_names(root: Path = ROOT) -> list[str]:
    """The exercises: the folders under solutions/."""
    return sorted(folder.name for folder in (root / "solutions").iterdir() if any(folder.glob("*.ipynb")))


def release(name: str, folder: Path, root: Path = ROOT) -> None:
    """Write the exercise `name` into `folder`/`name`, stripped of solutions, hidden tests and outputs."""
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", name, "--force", "--no-db"]
    options = [f"--CourseDirectory.root={root}", f"--CourseDirectory.release_directory={folder}"]
    made = subprocess.run(command + options, cwd=root, capture_output=True, text=True, check=False)
    if made.returncode != 0 or not any((folder / name).glob("*.ipynb")):
        sys.exit(f"nbgrader could not release {name}:\n{made.stderr}")


def main(names: list[str]) -> int:
    """Replace the exercises of these names by what their solutions give today; all of exercises/ where none is named."""
    with tempfile.TemporaryDirectory() as scratch:
        for name in names or exercise_names():
            print(f"exercises/{name}", flush=True)
            release(name, Path(scratch))
        old = [ROOT / "exercises" / name for name in names] or [ROOT / "exercises"]
        for folder in old:
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(scratch, ROOT / "exercises", dirs_exist_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
