"""The line of links that closes a lesson and opens an exercise. `python -m maintain.where_to_go` writes all of them.

It stands in the text twins. Their notebooks get the new text without a run, since no code changes.
"""

import sys
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from maintain.notebook import ROOT, make_notebook, text_of, twins
from maintain.tables import README, links, table_rows

MARK = "# **Where to go:** "
BETWEEN = " ·\n# "


def text_with_links(twin: Path) -> str:
    """The text of a twin with its line of links as it must be today."""
    text = twin.read_text(encoding="utf-8")
    if twin.parent.name == "notebooks":
        return _replace_line(text, len(text), lesson_links(twin))
    return _replace_line(text, text.index("\n# %%", 1), exercise_links(twin))


def lesson_links(twin: Path) -> str:
    """Exercise, the lessons before and after, the words, the claims, the room of the library."""
    exercise = f"../exercises/{twin.stem}/{twin.stem}.ipynb"
    around = [f"{way}: [{title(path)}]({path.stem}.ipynb)" for way, path in neighbours(twin).items()]
    solution = ROOT / "solutions" / twin.stem / twin.name
    practice = [f"[exercise {number(twin)}]({exercise})"] if solution.exists() else []
    room = [f"in the library: [`{name}`](../{name})" for name in rooms(number(twin))]
    return BETWEEN.join([*practice, *around, "[the words](GLOSSARY.md)", "[all claims](CLAIMS.md)", *room])


def exercise_links(twin: Path) -> str:
    """The lesson, the next exercise, the words; the same from solutions/, from exercises/ and from a working copy."""
    path = neighbours(twin).get("next")
    following = [f"next: [exercise {number(path)}](../{path.stem}/{path.stem}.ipynb)"] if path else []
    lesson = f"[lesson {number(twin)}](../../notebooks/{twin.stem}.ipynb)"
    return BETWEEN.join([lesson, *following, "[the words](../../notebooks/GLOSSARY.md)"])


def neighbours(twin: Path) -> dict[str, Path]:
    """The twins of the same kind before and after this one."""
    alike = [path for path in twins() if (path.parent.name == "notebooks") == (twin.parent.name == "notebooks")]
    at = alike.index(twin)
    return {way: alike[n] for way, n in (("before", at - 1), ("next", at + 1)) if 0 <= n < len(alike)}


def title(twin: Path) -> str:
    """The heading of a lesson: its number and its name."""
    return next(line[4:] for line in twin.read_text(encoding="utf-8").splitlines() if line.startswith("# # "))


def number(twin: Path) -> str:
    """The number of a lesson or an exercise: what stands before the first underscore."""
    return twin.stem.split("_")[0]


def rooms(lesson: str) -> list[str]:
    """The files or folders of the library that the README's table of lessons names for a lesson."""
    table = [row for row in table_rows(README.read_text(encoding="utf-8")) if row[0].startswith(f"[{lesson} ")]
    return [link.path.relative_to(ROOT).as_posix() for row in table for link in links(row[-1], ROOT)]


def refresh_notebook(twin: Path) -> str:
    """The notebook of a twin whose words changed and whose code did not: today's words, the outputs of its last run."""
    today, before = make_notebook(twin), nbformat.read(twin.with_suffix(".ipynb"), as_version=4)
    new, old = _code(today), _code(before)
    if [cell.source for cell in new] != [cell.source for cell in old]:
        raise ValueError(f"{twin.name}: its code changed too: python -m maintain.build_notebooks {twin.name}")
    for cell, run in zip(new, old, strict=True):
        cell.update(outputs=run.outputs, execution_count=run.execution_count)
    today.metadata = before.metadata
    return text_of(today)


def main(arguments: list[str]) -> int:
    """Bring the twins given, or all, and their notebooks up to date."""
    for twin in [Path(argument).resolve() for argument in arguments] or twins():
        twin.write_text(text_with_links(twin), encoding="utf-8", newline="\n")
        twin.with_suffix(".ipynb").write_text(refresh_notebook(twin), encoding="utf-8", newline="\n")
    return 0


def _replace_line(text: str, end: int, line: str) -> str:
    """The cell that ends at `end`, with its last paragraph being the line of links."""
    before, cell = text[:end].rstrip("\n"), text[end:]
    kept = before.split(f"\n#\n{MARK}")[0]
    return f"{kept}\n#\n{MARK}{line}\n{cell}"


def _code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
