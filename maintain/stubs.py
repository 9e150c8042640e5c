"""python -m maintain.stubs: what is still to be written of a new lesson, place by place."""

import sys
from collections.abc import Iterator
from pathlib import Path

from maintain.notebook import ROOT

MARK = "STUB:"
FOLDERS = ("notebooks", "solutions", "course_lib/checks", "tests/checks")
ENDINGS = (".py", ".md")  # what is written by hand: a notebook follows from its twin


def find_stubs(root: Path = ROOT) -> list[str]:
    """file:line of every mark in the written files under `root`, with the words behind it."""
    return [place for path in _pages(root) for place in _marks(path, path.relative_to(root).as_posix())]


def _pages(root: Path) -> Iterator[Path]:
    """The files in which a new lesson leaves stubs, tracked by git or not yet."""
    yield root / "README.md"
    for folder in FOLDERS:
        yield from sorted(path for path in (root / folder).rglob("*") if path.suffix in ENDINGS and path.is_file())


def _marks(path: Path, name: str) -> Iterator[str]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if MARK in line:
            yield f"{name}:{number}: {line[line.index(MARK) + len(MARK) :].strip()}"


def main() -> int:
    """Print the places; 1 where there are any."""
    left = find_stubs()
    print(*left, f"{len(left)} stubs are left", sep="\n")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
