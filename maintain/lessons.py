"""A lesson as a reader finds it: headings with their anchors, and what stands under each, outputs included."""

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from maintain.notebook import ROOT

HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
FENCE = re.compile(r"^\s*(```|~~~)")
MARKS = re.compile(r"[`*]|</?[A-Za-z][^<>\n]*>")


class Piece(NamedTuple):
    """A run of text without a heading in it, or a code cell with what it printed."""

    level: int  # of the heading that begins it; 0 where none does
    heading: str
    text: str
    code: str = ""
    output: str = ""


class Section(NamedTuple):
    """All that stands under a heading, up to the next of its level or a higher one."""

    heading: str
    pieces: list[Piece]

    @property
    def prose(self) -> str:
        """The words, without code and outputs."""
        return "\n".join(piece.text for piece in self.pieces)

    @property
    def shown(self) -> str:
        """Everything that a reader sees: words, code, outputs."""
        return shown(self.pieces)


def shown(found: list[Piece]) -> str:
    """Words, code and outputs of some pieces, or of all pieces of a lesson."""
    return "\n".join(part for piece in found for part in (piece.text, piece.code, piece.output))


def lessons(root: Path = ROOT) -> list[Path]:
    """The notebooks of all lessons, in the order of the course."""
    return sorted(root.glob("notebooks/*.ipynb"))


def anchor(heading: str) -> str:
    """What JupyterLab, and GitHub for a notebook, puts behind the # of a link to this heading."""
    return MARKS.sub("", heading).strip().replace(" ", "-")


def anchors(path: Path) -> list[str]:
    """The anchors of all headings of a notebook or a Markdown file, in their order."""
    return [anchor(piece.heading) for piece in pieces(path) if piece.level]


def sections(path: Path) -> dict[str, Section]:
    """The sections of a lesson by their anchors."""
    found = pieces(path)
    return {
        anchor(piece.heading): Section(piece.heading, _until_its_end(found[number:]))
        for number, piece in enumerate(found)
        if piece.level
    }


@lru_cache(64)
def pieces(path: Path) -> list[Piece]:
    """A notebook or a Markdown file, cut at its headings and code cells."""
    if path.suffix != ".ipynb":
        return list(_cut(path.read_text(encoding="utf-8")))
    cells = nbformat.read(path, as_version=4).cells
    return [piece for cell in cells for piece in (_code(cell) if cell.cell_type == "code" else _cut(cell.source))]


def _until_its_end(found: list[Piece]) -> list[Piece]:
    ends = (n for n, piece in enumerate(found) if n and 0 < piece.level <= found[0].level)
    return found[: next(ends, len(found))]


def _cut(text: str) -> Iterator[Piece]:
    """The text at each of its headings; a line in a fence of code is no heading."""
    lines: list[str] = []
    level, heading, fenced = 0, "", False
    for line in text.splitlines():
        fenced ^= bool(FENCE.match(line))
        found = None if fenced else HEADING.match(line)
        if found:
            yield Piece(level, heading, "\n".join(lines))
            level, heading, lines = len(found[1]), found[2], []
        lines.append(line)
    yield Piece(level, heading, "\n".join(lines))


def _code(cell: NotebookNode) -> list[Piece]:
    return [Piece(0, "", "", cell.source, "\n".join(_words(output) for output in cell.outputs))]


def _words(output: NotebookNode) -> str:
    """What an output says in words: printed text, or the text equivalents of a picture, a table, a reveal."""
    data = output.get("data", {})
    return "\n".join([output.get("text", ""), data.get("text/plain", ""), _plain(data.get("text/html", ""))])


def _plain(markup: str) -> str:
    return html.unescape(re.sub(r"<style.*?</style>|<[^>]*>", " ", markup, flags=re.S))
