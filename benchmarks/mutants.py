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
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from queue import Queue
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MODEL = Path("course_lib/model")
FILES = [
    *(
        "rules",
        "rules_im2col",
        "rules_packed",
        "limits",
        "encoding",
        "bits",
        "swizzle",
        "sizes",
        "layout",
        "plan",
        "im2col",
    ),
    *(
        "element_bits",
        "arithmetic",
        "traps",
        "transfer",
        "arguments",
        "judge",
        "cautions",
        "fixes",
        "verdict",
        "tensor_map",
    ),
]
ENCODE_TESTS, COPY_TESTS = ("verdict", "verdict_recorded"), ("twins", "recorded_copies")
OWN_TESTS = (
    *(
        "arguments",
        "arithmetic",
        "bits",
        "cautions",
        "element_bits",
        "encoding",
        "enums",
        "fixes",
        "im2col",
        "layout",
        "limits",
    ),
    *("plan", "rules", "swizzle", "tensor_map", "transfer", "traps"),
)
COPIES = ("plan", "layout", "im2col", "element", "arithmetic", "traps", "transfer", "arguments", "swizzle")
FIRST = {"judge": "rules", "verdict": "fixes", "sizes": "layout"}  # where no test has its name
CALLS = ("rules", "judge", "cautions", "fixes", "verdict", "encoding", "bits", "tensor")
COMPARE = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
        ast.In: ast.NotIn,
        ast.NotIn: ast.In,
        ast.Is: ast.IsNot,
        ast.IsNot: ast.Is,
    },
}
OPERATE = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv},
    **{
        ast.LShift: ast.RShift,
        ast.RShift: ast.LShift,
        ast.BitAnd: ast.BitOr,
        ast.BitOr: ast.BitAnd,
        ast.BitXor: ast.BitOr,
    },
    **{ast.Pow: ast.Mult, ast.Div: ast.Mult},
}
OPPOSITES = {"min": "max", "max": "min", "all": "any", "any": "all", "minimum": "maximum", "maximum": "minimum"}
DATES = count(10**9)
EQUIVALENT_NAMES = ("CACHED_", "H200", "HEADER")


class Site(NamedTuple):
    """One change: the line, what it says before and after, and the function that makes it in its tree."""

    line: int
    node: ast.AST
    change: Callable[[], None]


def sites(tree: ast.AST) -> Iterator[Site]:
    """Every change that can be made to a file, in an order that is always the same."""
    skipped = set(unchanged(tree))
    for node in ast.walk(tree):
        if id(node) not in skipped:
            for change in changes(node):
                yield Site(getattr(node, "lineno", 0), node, change)


def unchanged(tree: ast.AST) -> Iterator[int]:
    """What no behaviour hangs on: annotations, sizes of caches, texts."""
    for node in ast.walk(tree):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        if isinstance(node, ast.JoinedStr):
            parts.append(node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith(EQUIVALENT_NAMES):
            parts.append(node)
        for part in filter(None, parts):
            yield from (id(inner) for inner in ast.walk(part))


def changes(node: ast.AST) -> Iterator[Callable[[], None]]:
    """The changes of one node."""
    if isinstance(node, ast.Compare):
        yield from (lambda i=i: node.ops.__setitem__(i, COMPARE[type(node.ops[i])]()) for i in range(len(node.ops)))
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATE:
        yield lambda: setattr(node, "op", OPERATE[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield lambda: setattr(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield lambda: setattr(node, "operand", ast.UnaryOp(node.op, node.operand))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        yield lambda: setattr(node, "value", node.value + 1 if type(node.value) is int else not node.value)
    elif isinstance(node, ast.Name | ast.Attribute):
        yield from opposites(node)
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield from (
            lambda i=i: node.elts.pop(i) for i, e in enumerate(node.elts) if isinstance(e, (ast.Attribute, ast.Call))
        )
    elif isinstance(node, ast.FunctionDef):
        yield from in_another_order(node.body)


def opposites(node: ast.Name | ast.Attribute) -> Iterator[Callable[[], None]]:
    """min for max, all for any."""
    name = "id" if isinstance(node, ast.Name) else "attr"
    if getattr(node, name) in OPPOSITES:
        yield lambda: setattr(node, name, OPPOSITES[getattr(node, name)])


def in_another_order(body: list[ast.stmt]) -> Iterator[Callable[[], None]]:
    """A check left out, and two that follow each other exchanged."""
    for i, statement in enumerate(body):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            yield lambda i=i: body.__setitem__(i, ast.Pass())
            if i + 1 < len(body) and isinstance(body[i + 1], (ast.Expr, ast.If)):
                yield lambda i=i: body.__setitem__(slice(i, i + 2), [body[i + 1], body[i]])


class Mutant(NamedTuple):
    """One changed file."""

    path: Path
    number: int

    def made(self, source: str) -> tuple[str, str]:
        """(what was changed, the changed source)."""
        tree = ast.parse(source)
        site = list(sites(tree))[self.number]
        before = described(site.node)
        site.change()
        after = described(site.node)
        return f"{self.path.name}:{site.line}: {before} → {after}", ast.unparse(ast.fix_missing_locations(tree))


def described(node: ast.AST) -> str:
    """A node on one line."""
    text = ast.unparse(ast.fix_missing_locations(node))
    if isinstance(node, ast.FunctionDef):
        return f"{node.name}: " + " ; ".join(ast.unparse(s) for s in node.body[1:])[:150]
    return " ".join(text.split())[:110]


def drawn(place: Path, names: list[str], how_many: int, seed: int) -> list[Mutant]:
    """``how_many`` mutants of all that there are, each file in proportion."""
    every = [
        Mutant(path, number)
        for path in (MODEL / f"{name}.py" for name in names)
        for number in range(len(list(sites(ast.parse((place / path).read_text(encoding="utf-8"))))))
    ]
    print(f"{len(every)} mutants can be made, {min(how_many, len(every))} are drawn", flush=True)
    return sorted(Random(seed).sample(every, min(how_many, len(every))))


def workplace() -> Path:
    """A copy of what the tests need, in a folder of its own."""
    place = Path(tempfile.mkdtemp(prefix="mutants-"))
    for name in ("course_lib", "tests/model", "tests/recordings"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "gpu", "widgets"))
    shutil.copy(ROOT / "pyproject.toml", place)
    return place


def killed_by(place: Path, names: tuple[str, ...]) -> str:
    """The first test that fails, or nothing."""
    files = [f"tests/model/test_{name}.py" for name in names]
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


def put(source: str, path: Path) -> None:
    """Write a module with a date that it never had, so that Python compiles it anew."""
    path.write_text(source, encoding="utf-8")
    os.utime(path, (next(DATES),) * 2)


def tried(mutant: Mutant, places: "Queue[Path]") -> tuple[str, str]:
    """(what was changed, what killed it): the quick tests first, its own before the others, then those on recordings."""
    module = mutant.path.stem.split("_")[0]
    own = tuple(name for name in OWN_TESTS if name.startswith(FIRST.get(module, module)))
    others = tuple(name for name in OWN_TESTS if name not in own)
    slow = COPY_TESTS if module in COPIES else ENCODE_TESTS if module in CALLS else (*COPY_TESTS, *ENCODE_TESTS)
    place = places.get()
    whole = (place / mutant.path).read_text(encoding="utf-8")
    told, changed = mutant.made(whole)
    try:
        put(changed, place / mutant.path)
        return told, next(filter(None, (killed_by(place, names) for names in (own, others, slow) if names)), "")
    finally:
        put(whole, place / mutant.path)
        places.put(place)


def main() -> int:
    """Try the mutants; 0 where all are killed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "files", nargs="*", default=FILES, metavar="FILE", help="names in course_lib/model, without .py"
    )
    parser.add_argument("--draw", type=int, default=200, metavar="N", help="how many mutants (200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which ones (0)")
    parser.add_argument("--workers", type=int, default=2, help="at a time (2)")
    asked = parser.parse_args()
    places: Queue[Path] = Queue()
    for _ in range(asked.workers):
        places.put(workplace())
    lived = 0
    mutants = drawn(places.queue[0], asked.files, asked.draw, asked.seed)
    with ThreadPoolExecutor(asked.workers) as pool:
        for told, killer in pool.map(lambda mutant: tried(mutant, places), mutants):
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
