"""Every committed notebook is what its twin gives today. (Its outputs are compared by nbval.)"""

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from maintain.notebook import METADATA, ROOT, make_notebook, twins

NAMES = [twin.relative_to(ROOT).as_posix() for twin in twins()]


def read(twin: Path) -> NotebookNode:
    return nbformat.read(twin.with_suffix(".ipynb"), as_version=4)


def sources(notebook: NotebookNode) -> list[tuple[str, str, str, dict]]:
    return [(cell.id, cell.cell_type, cell.source, dict(cell.metadata)) for cell in notebook.cells]


def test_each_notebook_has_a_twin_and_each_twin_a_notebook():
    notebooks = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("solutions/*/*.ipynb")]
    assert sorted(path.with_suffix(".py") for path in notebooks) == twins()


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_holds_the_cells_of_its_twin(name):
    twin = ROOT / name
    assert sources(read(twin)) == sources(make_notebook(twin))


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_was_run_from_top_to_bottom(name):
    counts = [cell.execution_count for cell in read(ROOT / name).cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_names_no_version_and_no_pairing(name):
    metadata = dict(read(ROOT / name).metadata)
    metadata.pop("widgets", None)
    assert metadata == METADATA


def test_an_edited_twin_would_be_seen(tmp_path):
    twin = tmp_path / "a.py"
    twin.write_text("# %%\n1 + 1\n")
    nbformat.write(make_notebook(twin), twin.with_suffix(".ipynb"))
    assert sources(read(twin)) == sources(make_notebook(twin))
    twin.write_text("# %%\n1 + 2\n")
    assert sources(read(twin)) != sources(make_notebook(twin))
