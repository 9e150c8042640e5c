"""A text twin (`.py`, percent format) and its notebook: what the notebook must hold, and how it is made and run."""

import hashlib
import json
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from jupytext.combine import combine_inputs_with_outputs
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
# Everything a viewer needs and nothing that differs by machine: no version of Python, no pairing with the twin.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
SECONDS_A_CELL = 60


def twins(root: Path = ROOT) -> list[Path]:
    """The text twins of all lessons and solutions."""
    return sorted([*root.glob("notebooks/*.py"), *root.glob("solutions/*/*.py")])


def make_notebook(twin: Path) -> NotebookNode:
    """The notebook of `twin` without outputs. A cell that the notebook beside it already has keeps its id."""
    notebook: NotebookNode = jupytext.read(twin, fmt="py:percent")
    committed = twin.with_suffix(".ipynb")
    old_ids: set[str] = set()
    if committed.exists():
        old = nbformat.read(committed, as_version=4)
        old_ids = {cell.id for cell in old.cells}
        notebook = combine_inputs_with_outputs(notebook, old, fmt="py:percent")
    _name_new_cells(notebook, old_ids)
    for cell in notebook.cells:
        cell.metadata.pop("lines_to_next_cell", None)
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.update(nbformat=4, nbformat_minor=5)
    return notebook


def run_notebook(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """`notebook` after running all its cells in `folder`, with nothing left that differs from run to run."""
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict({**METADATA, **_widgets(notebook)})
    return _with_ordered_widget_ids(notebook)


def text_of(notebook: NotebookNode) -> str:
    """The bytes on disk, as text."""
    nbformat.validate(notebook)
    text: str = nbformat.writes(notebook)
    return text if text.endswith("\n") else text + "\n"


def _name_new_cells(notebook: NotebookNode, old_ids: set[str]) -> None:
    """Give each cell that came without an old id one hashed from its text, and its place among equals."""
    taken: set[str] = set()
    for cell in notebook.cells:
        if cell.id not in old_ids or cell.id in taken:
            cell.id = _hashed_id(cell, taken | old_ids)
        taken.add(cell.id)


def _hashed_id(cell: NotebookNode, taken: set[str]) -> str:
    count = 0
    while (name := hashlib.sha256(f"{cell.cell_type}\n{cell.source}\n{count}".encode()).hexdigest()[:8]) in taken:
        count += 1
    return name


def _widgets(notebook: NotebookNode) -> dict[str, Any]:
    return {"widgets": notebook.metadata["widgets"]} if "widgets" in notebook.metadata else {}


def _with_ordered_widget_ids(notebook: NotebookNode) -> NotebookNode:
    """Widget models are named at random: rename them in the order in which the cells made them."""
    views: dict[str, Any] = notebook.metadata.get("widgets", {})
    state: dict[str, Any] = next(iter(views.values()), {"state": {}})["state"]
    text = json.dumps(notebook)
    for number, model_id in enumerate(state):
        text = text.replace(model_id, f"{number:032x}")
    renamed: NotebookNode = nbformat.from_dict(json.loads(text))
    return renamed
