"""Rows as a small table: Markdown for a page, aligned text for everyone else."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from course_lib.rows.row import Row


class Table(NamedTuple):
    """Headings, and as many words in each row."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        lines = [self.headings, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(w.ljust(n) for w, n in zip(line, widths, strict=True)).rstrip() for line in lines)

    def _repr_markdown_(self) -> str:
        rows = [tuple(map(_in_markdown, row)) for row in self.rows]
        lines = [self.headings, ("---",) * len(self.headings), *rows]
        return "\n".join(f"| {' | '.join(words)} |" for words in lines)


def table(rows: Iterable[Row], **columns: str) -> Table:
    """The named values of each row, each under its heading: ``table(rows, fault="CUresult")``. None is shown as "–"."""
    return Table(tuple(columns.values()), tuple(tuple(_word(row[name]) for name in columns) for row in rows))


def _in_markdown(word: str) -> str:
    """A word as a page shows it: two powers, as in 2**31 and 2**32, would set all between them in bold."""
    return word.replace("**", r"\*\*") if word.count("**") > 1 else word


def _word(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "–", True: "yes", False: "no"}[value]
    return f"{value:,}" if isinstance(value, int) else str(value)
