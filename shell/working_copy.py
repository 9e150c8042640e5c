"""Give the learner copies of lessons and exercises to write in, and never write over what they wrote."""

import hashlib
import json
from pathlib import Path
from typing import Any

from shell.places import ROOT, WORK

GIVEN = ".given.json"


def give(root: Path = ROOT, work: Path = WORK) -> list[str]:
    """Bring `work` up to date with the notebooks under `root`; return the lines that a person should read."""
    ledger = work / GIVEN
    given: dict[str, str] = json.loads(ledger.read_text()) if ledger.is_file() else {}
    lines = [line for source in sources(root) for line in _give_one(source, root, work, given)]
    work.mkdir(exist_ok=True)
    ledger.write_text(json.dumps(given, indent=1, sort_keys=True))
    return lines


def sources(root: Path) -> list[Path]:
    """The notebooks that learners get: every lesson, every exercise as released."""
    return sorted([*root.glob("notebooks/*.ipynb"), *root.glob("exercises/*/*.ipynb")])


def without_outputs(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook as before its first run: no outputs, no counts, nothing folded away."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
            cell["metadata"].pop("jupyter", None)
    notebook["metadata"].pop("widgets", None)
    return notebook


def _give_one(source: Path, root: Path, work: Path, given: dict[str, str]) -> list[str]:
    name = source.relative_to(root).as_posix()
    text = (
        json.dumps(without_outputs(json.loads(source.read_text(encoding="utf-8"))), indent=1, ensure_ascii=False) + "\n"
    )
    target, new, before = work / name, _digest(text), given.get(name)
    given[name] = new
    there = _digest(target.read_text(encoding="utf-8")) if target.exists() else None
    if there is None or there == before:
        _write(target, text)
    elif new not in (before, there):
        newer = target.with_name(f"{target.stem}.newer-{new[:8]}.ipynb")
        if not newer.exists():
            _write(newer, text)
        return [f"{name} has a newer version. Yours stays as it is; the newer one lies beside it: {newer.name}"]
    return []


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
