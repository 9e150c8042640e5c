"""python benchmarks/mutants.py [--draw N] [--seed S] [FILE…]: can the tests of the model fail?

A mutant is a copy of course_lib with one thing changed: a comparison, a constant, an operator, a mask, a rounding, a
negation, a check left out or done in another order. Each is put before the quick tests, then, if it lives, before all.
Prints every survivor. Nothing of the working tree is changed.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from queue import Queue
from random import Random
from typing import NamedTuple

from changes import describe, sites

ROOT = Path(__file__).resolve().parent.parent
MODEL, TESTS = Path("course_lib/model"), Path("tests/model")
FILES = [
    *(f"facts/{name}" for name in ("bits", "limits", "swizzle")),
    *(f"call/{name}" for name in ("arguments", "encoding", "sizes", "tensor_map", "verdict")),
    *(
        f"rules/{name}"
        for name in ("boxes", "cautions", "elements", "fixes", "judge", "modes", "pixels", "repair", "shapes")
    ),
    *(
        f"copy/{name}"
        for name in ("arithmetic", "element_bits", "im2col", "layout", "placement", "plan", "traps", "transfer")
    ),
]
ENCODE_TESTS = ("rules/test_verdict", "rules/test_recorded")
COPY_TESTS = ("copy/test_twins", "copy/test_recorded")
SLOW_TESTS = {
    "facts": (*COPY_TESTS, *ENCODE_TESTS),
    "call": (*ENCODE_TESTS, *COPY_TESTS),
    "rules": ENCODE_TESTS,
    "copy": COPY_TESTS,
}
DATES = count(10**9)


class Mutant(NamedTuple):
    """One changed file."""

    path: Path
    number: int

    def make(self, source: str) -> tuple[str, str]:
        """(what was changed, the changed source)."""
        tree = ast.parse(source)
        site = list(sites(tree))[self.number]
        before = describe(site.node)
        site.change()
        after = describe(site.node)
        return f"{self.path.name}:{site.line}: {before} → {after}", ast.unparse(ast.fix_missing_locations(tree))


def draw_mutants(place: Path, names: list[str], how_many: int, seed: int) -> list[Mutant]:
    """``how_many`` mutants of all that there are, each file in proportion."""
    every = [
        Mutant(path, number)
        for path in (MODEL / f"{name}.py" for name in names)
        for number in range(len(list(sites(ast.parse((place / path).read_text(encoding="utf-8"))))))
    ]
    print(f"{len(every)} mutants can be made, {min(how_many, len(every))} are drawn", flush=True)
    return sorted(Random(seed).sample(every, min(how_many, len(every))))


def make_workplace() -> Path:
    """A copy of what the tests need, in a folder of its own."""
    place = Path(tempfile.mkdtemp(prefix="mutants-"))
    for name in ("course_lib", str(TESTS), "tests/recordings"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "gpu", "widgets"))
    shutil.copy(ROOT / "pyproject.toml", place)
    return place


def find_killer(place: Path, names: tuple[str, ...]) -> str:
    """The first test that fails, or nothing."""
    files = [f"{TESTS}/{name}.py" for name in names]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *files]
    clean = {**os.environ, "PYTHONPATH": str(place)}
    try:
        told = subprocess.run(command, cwd=place, env=clean, capture_output=True, text=True, check=False, timeout=240)
    except subprocess.TimeoutExpired:
        return "time ran out"
    if told.returncode == 0:
        return ""
    failed = [line for line in told.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0] if failed else "the tests do not start"


def write_module(source: str, path: Path) -> None:
    """Write a module with a date that it never had, so that Python compiles it anew."""
    path.write_text(source, encoding="utf-8")
    os.utime(path, (next(DATES),) * 2)


def quick_tests() -> tuple[str, ...]:
    """The tests of the rooms that are changed, without those on recordings and twins."""
    found = (
        path.relative_to(ROOT / TESTS).with_suffix("")
        for room in SLOW_TESTS
        for path in sorted((ROOT / TESTS / room).glob("test_*.py"))
    )
    return tuple(name for name in map(Path.as_posix, found) if name not in (*ENCODE_TESTS, *COPY_TESTS))


def try_mutant(mutant: Mutant, places: "Queue[Path]") -> tuple[str, str]:
    """(what was changed, what killed it): the quick tests first, its own before the others, then those on recordings."""
    room = mutant.path.parent.name
    quick = quick_tests()
    own = tuple(name for name in quick if name.startswith(f"{room}/"))
    others = tuple(name for name in quick if name not in own)
    place = places.get()
    whole = (place / mutant.path).read_text(encoding="utf-8")
    told, changed = mutant.make(whole)
    try:
        write_module(changed, place / mutant.path)
        return told, next(
            filter(None, (find_killer(place, names) for names in (own, others, SLOW_TESTS[room]) if names)), ""
        )
    finally:
        write_module(whole, place / mutant.path)
        places.put(place)


def main() -> int:
    """Try the mutants; 0 where all are killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "files", nargs="*", default=FILES, metavar="FILE", help="names in course_lib/model, for example rules/boxes"
    )
    parser.add_argument("--draw", type=int, default=200, metavar="N", help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which ones (0)")
    parser.add_argument("--workers", type=int, default=2, help="at a time (2)")
    asked = parser.parse_args()
    places: Queue[Path] = Queue()
    for _ in range(asked.workers):
        places.put(make_workplace())
    lived = 0
    mutants = draw_mutants(places.queue[0], asked.files, asked.draw, asked.seed)
    with ThreadPoolExecutor(asked.workers) as pool:
        for told, killer in pool.map(lambda mutant: try_mutant(mutant, places), mutants):
            print(
                ("killed   " if killer else "SURVIVED ") + told + (f"   [{killer[:100]}]" if killer else ""), flush=True
            )
            lived += not killer
    print(f"{len(mutants)} mutants: {len(mutants) - lived} killed, {lived} survived")
    for place in places.queue:
        shutil.rmtree(place)
    return 1 if lived else 0


if __name__ == "__main__":
    sys.exit(main())
