"""A name means one thing: few are defined in many modules, and a function says what it does or gives, not what was done."""

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.house.imports import modules

TOPS = ("course_lib", "maintain", "shell", "benchmarks")
FEW = 2  # modules that may define one name
PROTOCOLS = {  # names that many modules implement in one way, so that a caller may take any of them
    "main",  # what Python runs of a module that is a command; returns the exit status
    "measure",  # (gpu, quick) gives the rows of one measurement
    "profile",  # the same where a profiler counts: one launch a row
    "command_line",  # what a program was asked for, read from its words
    "load",  # a copy to shared memory, asked of the model, its plain twin or a GPU, or drawn at random
    "store",  # the same for the way back
    "prefetch",  # the same into L2
    "show",  # the View of a lab's settings
    "result_words",  # what a lab's settings come to, in one line
    "call_of",  # the call that the settings of a widget stand for
    "refusal",  # why the settings of a widget give no picture
    "sentence",  # what a picture shows, in one sentence
}
PARTICIPLES = {
    *("asked", "called", "counted", "described", "drawn", "encoded", "found", "given"),
    *("held", "judged", "kept", "launched", "listed", "loaded", "made", "named"),
    *("placed", "profiled", "resized", "said", "seen", "sent", "shown", "spelled"),
    *("stored", "taken", "timed", "told"),
}


def names_of(source: str) -> set[str]:
    """The public functions and classes of a module. (A constant is read beside the module's name or in it.)"""
    nodes = ast.parse(source).body
    return {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")}


def places_of(texts: dict[str, str]) -> dict[str, list[str]]:
    """By each name, the modules that define it."""
    places = defaultdict(list)
    for module, source in texts.items():
        for name in names_of(source):
            places[name].append(module)
    return places


def repeated_names(texts: dict[str, str]) -> dict[str, list[str]]:
    """The names that more than a few modules define, and where."""
    found = places_of(texts).items()
    return {name: places for name, places in found if len(places) > FEW and name not in PROTOCOLS}


def participles(source: str) -> Iterator[str]:
    """The functions of a text, at any depth, that are named by a participle; a property may be."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.strip("_") in PARTICIPLES and not is_property(node):
            yield node.name.strip("_")


def is_property(function: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator).endswith("property") for decorator in function.decorator_list)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {name: text for top in TOPS for name, text in modules(top).items()}


def test_a_name_is_defined_in_two_modules_at_most_unless_it_is_a_protocol(texts):
    assert repeated_names(texts) == {}


def test_no_function_is_named_by_a_participle(texts):
    found = {name: set(participles(source)) for name, source in texts.items()}
    assert {name: names for name, names in found.items() if names} == {}


def test_every_protocol_is_one_of_many_modules(texts):
    places = places_of(texts)
    assert {name for name in PROTOCOLS if len(places[name]) <= FEW} == set()


def test_a_name_of_three_modules_would_be_seen_and_a_private_one_is_free():
    text = "def cut(): pass\ndef _own(): pass\nclass Box: pass\nSIZE = 3\n"
    assert repeated_names({"a": text, "b": text}) == {}
    assert {n: len(places) for n, places in repeated_names(dict.fromkeys("abc", text)).items()} == {"cut": 3, "Box": 3}


def test_a_participle_would_be_seen_at_any_depth():
    inner = (
        "def f():\n    def kept(): pass\nclass A:\n    def _told(self): pass\n    @property\n    def made(self): pass\n"
    )
    assert list(participles(inner)) == ["kept", "told"]
