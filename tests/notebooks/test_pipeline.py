"""From text twin to notebook: the same twin gives the same bytes, and a cell that is there already keeps its id."""

import json
from pathlib import Path

import nbformat
import pytest

from maintain.build_notebooks import build
from maintain.notebook import make_notebook, run_notebook, text_of

TWIN = """# %% [markdown]
# A slider, linked to a label.

# %%
import ipywidgets

slider = ipywidgets.IntSlider(value=3, max=7, description="row")
label = ipywidgets.Label("row 3")
ipywidgets.VBox([slider, label])

# %% tags=["nbval-ignore-output"]
print("one")
print("two")

# %%
print("one")
print("two")
"""


@pytest.fixture
def twin(tmp_path: Path) -> Path:
    path = tmp_path / "00_sample.py"
    path.write_text(TWIN)
    return path


def ids(path: Path) -> list[str]:
    return [cell.id for cell in make_notebook(path).cells]


def test_the_same_twin_gives_the_same_bytes_twice(twin):
    first = build(twin)
    twin.with_suffix(".ipynb").write_text(first)
    assert build(twin) == first


def test_a_built_notebook_is_complete_and_names_nothing_that_differs_by_machine(twin):
    notebook = json.loads(build(twin))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [1, 2, 3]
    assert [output["text"] for output in code[1]["outputs"]] == [["one\n", "two\n"]]
    assert "version" not in notebook["metadata"]["language_info"]
    assert set(notebook["metadata"]) == {"kernelspec", "language_info", "widgets"}
    assert all(set(cell["metadata"]) <= {"tags"} for cell in code)


def test_widget_models_are_numbered_in_the_order_of_their_making(twin):
    notebook = json.loads(build(twin))
    (state,) = notebook["metadata"]["widgets"].values()
    numbers = {name: model["model_name"] for name, model in state["state"].items()}
    assert sorted(numbers) == [f"{number:032x}" for number in range(len(numbers))]
    (view,) = [output for output in notebook["cells"][1]["outputs"] if "data" in output]
    shown = view["data"]["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert numbers[shown] == "VBoxModel"


def test_a_cell_keeps_its_id_when_another_is_edited_or_put_before_it(twin):
    twin.with_suffix(".ipynb").write_text(text_of(make_notebook(twin)))
    before = ids(twin)
    twin.write_text(TWIN.replace("max=7", "max=9"))
    assert ids(twin)[2:] == before[2:]
    twin.write_text(TWIN.replace("# %%\nimport", "# %%\nnew = 1\n\n# %%\nimport"))
    assert [name for name in ids(twin) if name in before] == before


def test_a_new_cell_gets_an_id_that_depends_on_its_text_alone(twin, tmp_path):
    elsewhere = tmp_path / "other.py"
    elsewhere.write_text(TWIN)
    assert ids(twin) == ids(elsewhere)
    assert len(set(ids(twin))) == 4


def test_two_equal_cells_get_two_ids(twin):
    twin.write_text("# %%\n1\n\n# %%\n1\n")
    assert len(set(ids(twin))) == 2


def test_a_cell_that_fails_stops_the_build(twin):
    twin.write_text("# %%\n1 / 0\n")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        run_notebook(make_notebook(twin), twin.parent)


def test_a_built_notebook_is_valid(twin):
    nbformat.validate(nbformat.reads(build(twin), as_version=4))
