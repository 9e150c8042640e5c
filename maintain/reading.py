"""Which recordings a section of a lesson reads: its code followed, name by name, down to the files in the library.

The rule. A statement reads a recording that it spells ("load_windows" or "load_windows.jsonl.xz"), and what the names in
it read: a variable reads what the statements that made it read, a function of `course_lib` what its own text, and all
that it calls there, spells. A section reads what its code cells read.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from maintain.lessons import Section, passages, sections
from maintain.notebook import ROOT

DATA = ROOT / "course_lib" / "recordings" / "data"
ENDINGS = (".jsonl.xz", ".csv")
DERIVED = {"RULES.md": ("encode.jsonl.xz", "encode_probes.jsonl.xz")}  # made of these, and told to be fresh by a test
Reads = dict[str, frozenset[str]]


@lru_cache(1)
def recordings() -> dict[str, str]:
    """The files of the recordings, by their names with and without what follows the first dot."""
    files = [path.name for path in DATA.iterdir() if path.name.endswith(ENDINGS)]
    return {name: file for file in files for name in (file, file.split(".")[0])}


# A machine looks a copy up in all recordings of its kind. What a recording's origin is asked for is not read.
LISTED = {
    ("course_lib.machines.lookup", "FILES"): frozenset(
        file for file in recordings().values() if file.startswith(("load", "store", "bulk", "faults"))
    ),
    ("course_lib.recordings.sessions", "provenance"): frozenset[str](),
}


@lru_cache(32)
def read_by_section(lesson: Path) -> dict[str, frozenset[str]]:
    """By the anchor of each section of a lesson: the recordings that its code reads."""
    by_cell = dict(_read_by_cell(lesson))
    return {name: _read_by_section(section, by_cell) for name, section in sections(lesson).items()}


def _read_by_section(section: Section, by_cell: Reads) -> frozenset[str]:
    return frozenset().union(*(by_cell[passage.code] for passage in section.passages if passage.code))


def _read_by_cell(lesson: Path) -> Iterator[tuple[str, frozenset[str]]]:
    """The code of each cell and what it reads, with what the cells before it made."""
    known: Reads = {}
    for passage in passages(lesson):
        if passage.code:
            statements = ast.parse(passage.code).body
            yield passage.code, frozenset().union(*(_follow(statement, known) for statement in statements))


def _follow(statement: ast.stmt, known: Reads) -> frozenset[str]:
    """What a statement reads; `known` learns the names that it makes."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        known |= {alias.asname or alias.name: _read_by_import(statement, alias.name) for alias in statement.names}
        return frozenset()
    found = _named_recordings(statement).union(*(known.get(name, frozenset()) for name in _names_in(statement)))
    known |= {name: found | known.get(name, frozenset()) for name in _changed_names(statement)}
    known |= dict.fromkeys(_bound_names(statement), found)
    return found


def _read_by_import(statement: ast.Import | ast.ImportFrom, name: str) -> frozenset[str]:
    module = getattr(statement, "module", None) or ""
    return read_by_name(module, name) if module.startswith("course_lib") else frozenset()


@lru_cache(1024)
def read_by_name(module: str, name: str) -> frozenset[str]:
    """What a name of the library reads: what its definition spells, and the names in that, in their turn."""
    found, waiting, seen = set[str](), [(module, name)], set[tuple[str, str]]()
    while waiting:
        if (here := waiting.pop()) not in seen:
            seen.add(here)
            found |= LISTED[here] if here in LISTED else _read_by_definition(*here)
            waiting += [] if here in LISTED else _next_names(*here)
    return frozenset(found)


def _read_by_definition(module: str, name: str) -> frozenset[str]:
    return frozenset().union(*map(_named_recordings, _definitions(module).defined.get(name, [])))


def _next_names(module: str, name: str) -> list[tuple[str, str]]:
    """The names that the definition of a name uses; for an imported one, the name where it comes from."""
    table = _definitions(module)
    if name in table.imported:
        return [table.imported[name]]
    used = {other for node in table.defined.get(name, []) for other in _names_in(node)}
    return [(module, other) for other in used & (table.defined.keys() | table.imported.keys())]


class Definitions:
    """The top-level names of a module: how they are defined, or from where they are imported."""

    def __init__(self, module: str):
        path = ROOT.joinpath(*module.split("."))
        package = (path / "__init__.py").exists()
        tree = ast.parse((path / "__init__.py" if package else path.with_suffix(".py")).read_text(encoding="utf-8"))
        self.defined: dict[str, list[ast.AST]] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                base = _base(module, package, node)
                self.imported |= {alias.asname or alias.name: (base, alias.name) for alias in node.names if base}
        for name, node in (pair for statement in tree.body for pair in _bindings(statement)):
            self.defined.setdefault(name, []).append(node)


@lru_cache(256)
def _definitions(module: str) -> Definitions:
    return Definitions(module)


def _base(module: str, package: bool, node: ast.ImportFrom) -> str:
    """The absolute name of the module of the library that `node` imports from; "" for others."""
    parts = module.split(".") if package else module.split(".")[:-1]
    above = parts[: len(parts) - node.level + 1] if node.level else []
    base = ".".join([*above, *([node.module] if node.module else [])])
    path = ROOT.joinpath(*base.split("."))
    return base if base.startswith("course_lib") and (path.is_dir() or path.with_suffix(".py").exists()) else ""


def _named_recordings(node: ast.AST) -> frozenset[str]:
    """The recordings that the strings in a piece of code name, in full, beside an ending (f"{name}.jsonl.xz"), or in a
    list of nothing else."""
    texts = _texts(node)
    ended = not texts.isdisjoint(ENDINGS)
    named = {recordings()[text] for text in texts if text in recordings() and (ended or "." in text)}
    lists = [_texts(part) for part in ast.walk(node) if isinstance(part, ast.Tuple | ast.List | ast.Set)]
    listed = {recordings()[text] for found in lists if _is_of_recordings(found) for text in found}
    return frozenset(named | listed).union(*(DERIVED[text] for text in texts & DERIVED.keys()))


def _texts(node: ast.AST) -> set[str]:
    return {part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def _is_of_recordings(texts: set[str]) -> bool:
    """Whether all of them name recordings, and one could be nothing else: "load" and "store" are words, too."""
    return texts <= recordings().keys() and any("_" in text for text in texts)


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _bound_names(statement: ast.AST) -> set[str]:
    """The names that a statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    bound = _stored_names(statement)
    inner = {
        name
        for part in ast.walk(statement)
        if isinstance(part, ast.comprehension)
        for name in _stored_names(part.target)
    }
    return bound - inner


def _bindings(statement: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The names that a statement binds and what each is made of; `a, b = 1, 2` makes two."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            yield from (
                (part, value) for name, value in zip(names, values, strict=False) for part in _stored_names(name)
            )
        case _:
            yield from ((name, statement) for name in _bound_names(statement))


def _stored_names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _changed_names(statement: ast.AST) -> set[str]:
    """The names of the values that a statement changes in part, through an index or an attribute."""
    parts = (part for part in ast.walk(statement) if isinstance(part, ast.Subscript | ast.Attribute))
    return {name for part in parts if isinstance(part.ctx, ast.Store | ast.Del) for name in _names_in(part.value)}
