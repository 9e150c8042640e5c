"""The one-way order of the rooms, read from the imports, their sizes, and what the front door loads."""

import re
import subprocess
import sys
from itertools import filterfalse

import pytest

from tests.house.imports import ROOT, below, imported, modules, needed

ROOMS_BELOW = {
    "model": set(),
    "rows": {"model"},
    "draw": {"model"},
    "recordings": {"model", "rows"},
    "gpu": {"model", "rows"},
    "widgets": {"model", "draw"},
    "machines": {"model", "rows", "recordings", "gpu"},
    "checks": {"model", "rows", "draw", "recordings", "machines"},
    "": {"model"},  # the front door itself
}
ORDERS = {  # sub-rooms, each with those that it may import
    "course_lib.model": {
        "facts": set(),
        "call": {"facts"},
        "rules": {"facts", "call"},
        "copy": {"facts", "call", "rules"},
        "later": {"facts", "call", "rules", "copy"},
        "barrier": {"facts", "call", "rules", "copy"},
        "cost": {"facts", "call", "rules", "copy"},
        "tensor_core": {"facts", "call"},
        "": {"call", "rules"},  # bound.py gives calls their judge
    },
    "course_lib.draw": {
        "pen": set(),
        "charts": {"pen"},
        "steps": {"pen", "charts"},
        "replies": {"pen"},
        "bits": {"pen", "replies"},
        "copies": {"pen"},
        "": {"pen", "charts", "steps", "replies", "bits", "copies"},
    },
    "course_lib.widgets": {
        "skeleton": set(),
        "labs": {"skeleton"},
        "questions": {"skeleton"},
        "": {"skeleton", "labs", "questions"},
    },
}
CHECKS = "course_lib.checks"
GPU_NEEDS_OF_MODEL = {"facts", "call"}
LARGEST_ROOM = 13
LESSON = re.compile(r"\.lesson_\w+$")


def wrong_rooms(module: str, source: str) -> set[tuple[str, str]]:
    """(room, room) for each import by a module of course_lib that goes upward or sideways."""
    own = below(module, "course_lib") if module != "course_lib" else ""
    others = {below(name, "course_lib") for name in needed(source, "course_lib")} - {own}
    others |= {"maintain"} if any(name.split(".")[0] == "maintain" for name in imported(source)) else set()
    return {(own, other) for other in others if other not in ROOMS_BELOW[own]}


def wrong_within(room: str, module: str, source: str) -> set[tuple[str, str]]:
    """The same for the sub-rooms of one room."""
    own = below(module, room)
    own = own if own in ORDERS[room] else ""
    within = {below(name, room) for name in needed(source, "course_lib") if name.startswith(room + ".")} - {own}
    return {(own, other) for other in within if other not in ORDERS[room].get(own, set())}


@pytest.mark.parametrize("module", modules("course_lib"))
def test_a_room_imports_only_rooms_below_it(module):
    assert wrong_rooms(module, modules("course_lib")[module]) == set()


@pytest.mark.parametrize("room", ORDERS)
def test_a_sub_room_imports_only_sub_rooms_below_it(room):
    inside = {name: text for name, text in modules("course_lib").items() if name.startswith(room)}
    assert {edge for name, text in inside.items() for edge in wrong_within(room, name, text)} == set()


def wrong_lessons(module: str, source: str) -> set[tuple[str, str]]:
    """(lesson, lesson) for each import by the checks of one lesson from those of another."""
    own = below(module, CHECKS)
    names = {below(name, CHECKS) for name in needed(source, "course_lib") if name.startswith(CHECKS + ".")}
    return {(own, other) for other in names - {own, "shared"} if own}


@pytest.mark.parametrize("module", [name for name in modules("course_lib") if name.startswith(CHECKS)])
def test_the_checks_of_a_lesson_import_no_other_lesson(module):
    assert wrong_lessons(module, modules("course_lib")[module]) == set()


def test_such_an_import_between_lessons_is_seen():
    source = "from course_lib.checks.lesson_03.questions import KINDS"
    assert wrong_lessons("course_lib.checks.lesson_06.checks", source) == {("lesson_06", "lesson_03")}
    assert wrong_lessons("course_lib.checks.shared.base", source) == {("shared", "lesson_03")}


def test_every_room_and_sub_room_has_its_place_in_the_order():
    packages = {path.parent.relative_to(ROOT).parts for path in (ROOT / "course_lib").rglob("__init__.py")}
    assert {parts[1] for parts in packages if len(parts) == 2} == set(ROOMS_BELOW) - {""}
    for room, order in ORDERS.items():
        inner = {parts[2] for parts in packages if ".".join(parts[:2]) == room and len(parts) == 3}
        assert inner == set(order) - {""}


def test_every_room_is_small_enough_to_be_seen():
    sizes = {}
    for name in filterfalse(LESSON.search, modules("course_lib")):  # the lessons are as many as the course has
        sizes.setdefault(name.rpartition(".")[0], []).append(name)
    assert {room: len(inner) for room, inner in sizes.items() if len(inner) > LARGEST_ROOM} == {}


@pytest.mark.parametrize("top", ["course_lib", "maintain", "shell", "tests"])
def test_every_import_is_written_in_full(top):
    assert {name for name, text in modules(top).items() if any(n.startswith(".") for n in imported(text))} == set()


@pytest.mark.parametrize(
    ("source", "module", "edge"),
    [
        ("from course_lib.draw.pen import svg", "course_lib.model.rules.boxes", ("model", "draw")),
        ("import course_lib.gpu.encode", "course_lib.recordings.files", ("recordings", "gpu")),
        ("def f():\n    from course_lib import widgets", "course_lib.checks.shared.base", ("checks", "widgets")),
        ("from course_lib import TiledTensorMap", "course_lib.model.rules.boxes", ("model", "")),
        ("from maintain.lessons import ROOT", "course_lib.draw.pen.svg", ("draw", "maintain")),
    ],
)
def test_an_upward_or_sideways_import_is_seen(source, module, edge):
    assert edge in wrong_rooms(module, source)


@pytest.mark.parametrize(
    ("source", "module", "edge"),
    [
        ("from course_lib.model.rules.judge import check", "course_lib.model.call.sizes", ("call", "rules")),
        ("from course_lib.model.cost import banks", "course_lib.model.barrier.pipeline", ("barrier", "cost")),
    ],
)
def test_such_an_import_between_sub_rooms_is_seen(source, module, edge):
    assert edge in wrong_within("course_lib.model", module, source)


def test_an_import_within_a_room_or_downward_is_fine():
    text = "from course_lib.draw.pen.svg import Picture\nfrom course_lib.model.facts.bits import Field"
    assert (
        wrong_rooms("course_lib.draw.bits.words", text)
        == wrong_within("course_lib.draw", "course_lib.draw.bits.words", text)
        == set()
    )


def test_the_gpu_room_needs_only_values_of_the_model():
    texts = [text for name, text in modules("course_lib").items() if below(name, "course_lib") == "gpu"]
    names = {name for text in texts for name in needed(text, "course_lib") if name.startswith("course_lib.model.")}
    assert {below(name, "course_lib.model") for name in names} <= GPU_NEEDS_OF_MODEL


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
