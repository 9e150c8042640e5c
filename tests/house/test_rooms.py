"""The one-way order of course_lib's rooms, read from the imports, and what the front door loads."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {
    "model": set(),
    "draw": {"model"},
    "recordings": {"model"},
    "gpu": {"model"},
    "widgets": {"model", "draw"},
    "machines": {"model", "recordings", "gpu"},
    "checks": {"model", "draw", "recordings"},
    "": {"model", "recordings"},  # the front door itself
}
GPU_NEEDS_OF_MODEL = {"enums", "limits", "tensor_map"}


def imported(source: str, module: str) -> Iterator[str]:
    """The absolute names of everything that `module` of the package course_lib imports, at any depth of the code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            above = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def edges(source: str, module: str) -> set[tuple[str, str]]:
    """(room, room) for each import of one room of course_lib by another; the front door is the room ''."""
    names = [name.split(".") for name in imported(source, module)]
    rooms = {name[1] if name[1:] and name[1] in MAY_IMPORT else "" for name in names if name[0] == "course_lib"}
    own = room_of(module)
    return {(own, room) for room in rooms if room != own}


def room_of(module: str) -> str:
    return module.split(".")[1] if module.count(".") > 1 else ""


def modules() -> list[tuple[Path, str]]:
    files = sorted((ROOT / "course_lib").rglob("*.py"))
    return [(path, ".".join(path.relative_to(ROOT).with_suffix("").parts)) for path in files]


def wrong(found: set[tuple[str, str]]) -> set[tuple[str, str]]:
    return {(own, other) for own, other in found if other not in MAY_IMPORT[own]}


@pytest.mark.parametrize(("path", "module"), modules(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_room_imports_only_rooms_below_it(path, module):
    assert wrong(edges(path.read_text(), module)) == set()


def test_every_room_has_its_place_in_the_order():
    rooms = {path.parent.name for path in (ROOT / "course_lib").glob("*/__init__.py")}
    assert rooms <= set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("source", "module", "edge"),
    [
        ("from ..draw import svg", "course_lib.model.rules", ("model", "draw")),
        ("import course_lib.gpu.encode", "course_lib.recordings.reader", ("recordings", "gpu")),
        ("def f():\n    from course_lib import machines", "course_lib.checks.base", ("checks", "machines")),
        ("from course_lib import TiledTensorMap", "course_lib.model.rules", ("model", "")),
        ("from .. import widgets", "course_lib.draw.words", ("draw", "widgets")),
    ],
)
def test_an_upward_or_sideways_import_is_seen(source, module, edge):
    assert edge in wrong(edges(source, module))


def test_an_import_within_a_room_or_downward_is_fine():
    assert wrong(edges("from .svg import Picture\nfrom ..model.bits import Field", "course_lib.draw.words")) == set()


def test_the_gpu_room_needs_three_files_of_the_model():
    names = [n for path, module in modules() if room_of(module) == "gpu" for n in imported(path.read_text(), module)]
    needed = {name.split(".")[2] for name in names if name.startswith("course_lib.model.")}
    assert needed <= GPU_NEEDS_OF_MODEL


def loaded_by(statement: str) -> set[str]:
    """The top-level packages outside the standard library that `statement` loads in a fresh Python."""
    script = f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    told = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name.split(".")[0] for name in told.split()} - set(sys.stdlib_module_names)


def test_the_front_door_loads_numpy_and_nothing_else():
    allowed = loaded_by("import numpy") | {"numpy", "course_lib"}
    assert loaded_by("import course_lib") <= allowed


def test_a_heavier_import_would_be_seen():
    assert "ipywidgets" in loaded_by("import ipywidgets")
