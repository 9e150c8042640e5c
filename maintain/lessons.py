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


class Passage(NamedTuple):
    """A run of text without a heading in it, or a code cell with what it printed."""

    level: int  # of the heading that begins it; 0 where none does
    heading: str
    text: str
    code: str = ""
    output: str = ""


class Section(NamedTuple):
    """All that stands under a heading, up to the next of its level or a higher one."""

    heading: str
    passages: list[Passage]

    @property
    def prose(self) -> str:
        """The words, without code and outputs."""
        return "\n".join(passage.text for passage in self.passages)

    @property
    def shown(self) -> str:
        """Everything that a reader sees: words, code, outputs."""
        return "\n".join(part for one in self.passages for part in (one.text, one.code, one.output))


def lessons(root: Path = ROOT) -> list[Path]:
    """The notebooks of all lessons, in the order of the course."""
    return sorted(root.glob("notebooks/*.ipynb"))


def anchor(heading: str) -> str:
    """What JupyterLab, and GitHub for a notebook, puts behind the # of a link to this heading."""
    return MARKS.sub("", heading).strip().replace(" ", "-")


def anchors(path: Path) -> list[str]:
    """The anchors of all headings of a notebook or a Markdown file, in their order."""
    return [anchor(passage.heading) for passage in passages(path) if passage.level]


def sections(path: Path) -> dict[str, Section]:
    """The sections of a lesson by their anchors."""
    found = passages(path)
    return {
        anchor(passage.heading): Section(passage.heading, _until_its_end(found[number:]))
        for number, passage in enumerate(found)
        if passage.level
    }


@lru_cache(64)
def passages(path: Path) -> list[Passage]:
    """A notebook or a Markdown file, cut at its headings and code cells."""
    if path.suffix != ".ipynb":
        return list(_cut_at_headings(path.read_text(encoding="utf-8")))
    cells = nbformat.read(path, as_version=4).cells
    return [
        passage
        for cell in cells
        for passage in (_code_passages(cell) if cell.cell_type == "code" else _cut_at_headings(cell.source))
    ]


def _until_its_end(found: list[Passage]) -> list[Passage]:
    ends = (n for n, passage in enumerate(found) if n and 0 < passage.level <= found[0].level)
    return found[: next(ends, len(found))]


def _cut_at_headings(text: str) -> Iterator[Passage]:
    """The text at each of its headings; a line in a fence of code is no heading."""
    lines: list[str] = []
    level, heading, fenced = 0, "", False
    for line in text.splitlines():
        fenced ^= bool(FENCE.match(line))
        found = None if fenced else HEADING.match(line)
        if found:
            yield Passage(level, heading, "\n".join(lines))
            level, heading, lines = len(found[1]), found[2], []
        lines.append(line)
    yield Passage(level, heading, "\n".join(lines))


def _code_passages(cell: NotebookNode) -> list[Passage]:
    return [Passage(0, "", "", cell.source, "\n".join(_output_words(output) for output in cell.outputs))]


def _output_words(output: NotebookNode) -> str:
    """What an output says in words: printed text, or the text equivalents of a picture, a table, a reveal."""
    data = output.get("data", {})
    return "\n".join([output.get("text", ""), data.get("text/plain", ""), _plain(data.get("text/html", ""))])


def _plain(markup: str) -> str:
    return html.unescape(re.sub(r"<style.*?</style>|<[^>]*>", " ", markup, flags=re.S))
