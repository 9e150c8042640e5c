"""Every module of the library is there for a lesson: one that uses it, or one that is named as the one to come."""

import re

from tests.house.imports import ROOT, modules, needed

COMMANDS = {"course_lib.recordings.__main__", "course_lib.gpu.child"}
TO_COME = re.compile(r"No lesson teaches it yet: lesson (?:0\d|1\d) will\.")


def parents(name: str) -> set[str]:
    """A module and the packages around it, which importing it runs."""
    parts = name.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts) + 1)}


def reached(texts: list[str]) -> set[str]:
    """The modules of course_lib that some texts load, directly or not."""
    library = modules("course_lib")
    todo, found = {name for text in texts for name in needed(text, "course_lib")}, set()
    while todo:
        around = parents(todo.pop()) & library.keys()
        new = around - found
        found |= new
        todo |= {name for module in new for name in needed(library[module], "course_lib")}
    return found


def twins() -> list[str]:
    return [
        path.read_text(encoding="utf-8") for top in ("notebooks", "solutions") for path in (ROOT / top).rglob("*.py")
    ]


def test_a_module_that_no_lesson_uses_names_the_lesson_that_will():
    unused = modules("course_lib").keys() - reached(twins()) - COMMANDS
    assert {name for name in unused if not TO_COME.search(modules("course_lib")[name])} == set()


def test_an_unused_module_would_be_seen():
    assert "course_lib.model.cost.banks" not in reached(["from course_lib.model.facts.enums import DataType"])
    assert "course_lib.model.cost.banks" in reached(twins())
