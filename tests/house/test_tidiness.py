"""What no tracked file may hold, and the sizes that keep the code readable."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.files import ROOT, tracked

LOCAL_PATH = re.compile(r"/(?:root|work|home|Users)/[A-Za-z0-9._-]+/")
REGISTRY = re.compile(r"https?://\S*(/simple\b|/packages/[0-9a-f]{2}/|\.tgz\b|\.whl\b)")
CODE = ("course_lib", "shell", "maintain")


def text_files() -> list[Path]:
    return [path for path in tracked() if path.exists() and path.suffix not in (".gz", ".xz", ".bin", ".npy")]


def body_lines(function: ast.FunctionDef) -> int:
    """Lines of the body without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1


def long_functions(source: str) -> list[str]:
    tree = ast.parse(source)
    return [f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and body_lines(f) > 25]


def test_no_file_names_a_folder_of_somebodys_machine_or_a_package_registry():
    own = Path(__file__).resolve()
    texts = {path: path.read_text(encoding="utf-8") for path in text_files() if path != own}
    assert [path for path, text in texts.items() if LOCAL_PATH.search(text) or REGISTRY.search(text)] == []


@pytest.mark.parametrize(
    "text", ["/home/ada/course/x", "see https:" + "//host/simple/numpy", "https:" + "//host/a-1.whl"]
)
def test_such_a_name_would_be_seen(text):
    assert LOCAL_PATH.search(text) or REGISTRY.search(text)


@pytest.mark.parametrize("path", [p for p in tracked(".py") if p.relative_to(ROOT).parts[0] in CODE], ids=str)
def test_functions_and_files_stay_short(path):
    source = path.read_text()
    assert long_functions(source) == []
    assert source.count("\n") <= 250


def test_a_long_function_would_be_seen():
    assert long_functions("def f():\n" + "    x = 1\n" * 26) == ["f"]


def test_every_change_is_free_of_merge_marks():
    assert [path for path in text_files() if re.search(r"^(<{7}|>{7}) ", path.read_text(encoding="utf-8"), re.M)] == []
