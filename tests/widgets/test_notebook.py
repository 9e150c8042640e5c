"""Widgets in a built notebook: the same bytes at every build, and no answer that only this machine has."""

import json

import pytest

from maintain.build_notebooks import build
from tests.browser.sample import CELLS, PREDICTIONS, SUBJECTS


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The notebook of all widgets, built twice."""
    twin = tmp_path_factory.mktemp("twin") / "99_widgets.py"
    twin.write_text("\n\n".join(f"# %%\n{source}" for source in CELLS.values()) + "\n")
    first = build(twin)
    twin.with_suffix(".ipynb").write_text(first)
    return first, build(twin)


def test_two_builds_give_the_same_bytes(built):
    assert built[0] == built[1]


def test_each_widget_is_shown_once_with_its_words_beside_it(built):
    outputs = [output for cell in json.loads(built[0])["cells"] for output in cell["outputs"] if "data" in output]
    views = [output["data"] for output in outputs if "application/vnd.jupyter.widget-view+json" in output["data"]]
    assert len(views) == len(SUBJECTS) + len(PREDICTIONS)
    assert all(view["text/plain"] for view in views)
    assert "image/svg+xml" in views[0]


def test_a_widget_costs_a_notebook_less_than_60_kb(built):
    assert len(built[0].encode()) < 60_000 * (len(SUBJECTS) + len(PREDICTIONS))
