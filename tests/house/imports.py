"""What the modules of this project import, read from their text."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def modules(top: str) -> dict[str, str]:
    """The text of every module of a package by its full name; a package's own name stands for its __init__."""
    return {name_of(path): path.read_text(encoding="utf-8") for path in sorted((ROOT / top).rglob("*.py"))}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(source: str) -> Iterator[str]:
    """The absolute names of everything that a text imports, at any depth of the code; a relative import is no name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def needed(source: str, top: str) -> set[str]:
    """The modules of the package ``top`` that a text imports: ``a.b.name`` is the module ``a.b`` unless ``name`` is one."""
    names = [name for name in imported(source) if name.split(".")[0] == top]
    return {name if name in modules(top) else name.rpartition(".")[0] for name in names}


def below(module: str, room: str) -> str:
    """The part of a module's name right below a room: "rules" for a.model.rules.judge in a.model; "" for the room's own."""
    inner = module.removeprefix(room).strip(".")
    return inner.split(".")[0]
