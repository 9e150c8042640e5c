"""pyproject.toml → requirements.txt (every package, with hashes) → environment.yml (the same set for conda users).

`make requirements` runs this; it is the only step of the project that needs `uv`.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = "# Derived from pyproject.toml by `make requirements`: do not edit.\n"
COMPILE = [
    *("uv", "pip", "compile", "pyproject.toml", "--all-extras", "--quiet", "--upgrade"),
    # One file for every system and every Python from 3.11 on, with one version of each package.
    *("--universal", "--python-version", "3.11", "--fork-strategy", "fewest"),
    *("--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url"),
]
ADDRESS = re.compile(r"\s*(--(extra-)?index-url|--find-links|-[if])\b.*|.*https?:.*")


def drop_addresses(text: str) -> str:
    """The lines of a requirements file that name packages, versions and hashes only."""
    return "".join(line for line in text.splitlines(keepends=True) if not ADDRESS.fullmatch(line.rstrip("\n")))


def pins(requirements: str) -> list[str]:
    """`name==version ; marker` of each package, without hashes."""
    lines = re.findall(r"^([a-z0-9][^\s;]*==[^\s;\\]+)(?: ; ([^\\\n]*))?", requirements, re.M)
    return [f"{pin} ; {marker.strip()}" if marker else pin for pin, marker in lines]


def environment(requirements: str) -> str:
    """The text of environment.yml: conda gives Python and pip, pip gives the pinned set and this course."""
    packages = "".join(f'      - "{pin}"\n' for pin in pins(requirements))
    return (
        f"{HEAD}name: tma-course\nchannels:\n  - conda-forge\n  - nodefaults\ndependencies:\n"
        f"  - python=3.12\n  - pip\n  - pip:\n      - -e .\n{packages}"
    )


def main() -> int:
    """Write both files."""
    compiled = subprocess.run([sys.executable, "-m", *COMPILE], cwd=ROOT, capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        sys.exit(compiled.stderr)
    text = HEAD + drop_addresses(compiled.stdout)
    (ROOT / "requirements.txt").write_text(text, encoding="utf-8", newline="\n")
    (ROOT / "environment.yml").write_text(environment(text), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
