"""Give the learner copies of lessons, tables and exercises to write in, and never write over what they wrote.

JupyterLab serves the folder work/ alone, so that no slip of the mouse changes the course. A link to what is not in it, a
file of the library for example, would lead nowhere there: in a copy its words stay, and the link goes.
"""

import hashlib
import json
import posixpath
import re
from pathlib import Path
from typing import Any

from shell.places import ROOT, WORK

GIVEN = ".given.json"
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(?:#[^)\s]*)?\)")


def give(root: Path = ROOT, work: Path = WORK) -> list[str]:
    """Bring `work` up to date with the notebooks under `root`; return the lines that a person should read."""
    ledger = work / GIVEN
    given = _read_ledger(ledger)
    lines = [line for source in sources(root) for line in _give_copy(source, root, work, given)]
    work.mkdir(exist_ok=True)
    ledger.write_text(json.dumps(given, indent=1, sort_keys=True))
    return lines


def sources(root: Path) -> list[Path]:
    """What learners get: every lesson, the tables beside the lessons, every exercise as released."""
    return sorted([*root.glob("notebooks/*.ipynb"), *root.glob("notebooks/*.md"), *root.glob("exercises/*/*.ipynb")])


def drop_outputs(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook as before its first run: no outputs, no counts, nothing folded away."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
            cell["metadata"].pop("jupyter", None)
    notebook["metadata"].pop("widgets", None)
    return notebook


def make_copy(source: Path, root: Path) -> str:
    """The text of the learner's copy of a source."""
    names = {path.relative_to(root).as_posix() for path in sources(root)}
    folder, text = source.parent.relative_to(root).as_posix(), source.read_text(encoding="utf-8")
    if source.suffix == ".md":
        return drop_outside_links(text, folder, names)
    notebook = drop_outputs(json.loads(text))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = drop_outside_links("".join(cell["source"]), folder, names)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def drop_outside_links(text: str, folder: str, names: set[str]) -> str:
    """A Markdown text of `folder` without its links to files that are not among `names`; their words stay."""

    def copy_link(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, link[2]))
        return link[0] if "://" in link[2] or path in names else link[1]

    return LINK.sub(copy_link, text)


def _read_ledger(ledger: Path) -> dict[str, str]:
    """What was given before, by the ledger; nothing where there is none or it was cut short: then copies only go beside."""
    try:
        given: dict[str, str] = json.loads(ledger.read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return given


def _give_copy(source: Path, root: Path, work: Path, given: dict[str, str]) -> list[str]:
    name, text = source.relative_to(root).as_posix(), make_copy(source, root)
    target, new, before = work / name, _digest(text), given.get(name)
    given[name] = new
    there = _digest(target.read_text(encoding="utf-8", errors="replace")) if target.exists() else None
    if there is None or there == before:
        _write(target, text)
    elif new not in (before, there):
        newer = target.with_name(f"{target.stem}.newer-{new[:8]}{target.suffix}")
        if not newer.exists():
            _write(newer, text)
        return [f"{name} has a newer version. Yours stays as it is; the newer one lies beside it: {newer.name}"]
    return []


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
