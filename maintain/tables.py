"""The tables that hold the course together, as rows: what is claimed, what the sections became, what the words mean."""

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from maintain.lessons import anchors
from maintain.notebook import ROOT

CLAIMS, SECTIONS, GLOSSARY = (ROOT / "notebooks" / f"{name}.md" for name in ("CLAIMS", "SECTIONS", "GLOSSARY"))
README = ROOT / "README.md"
LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)")
NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9A-Fa-f]+|\d[\d,]*(?:\.\d+)?)(?![A-Za-z_])")


class Link(NamedTuple):
    """Where a link of the course leads: a file, and the heading in it ("" for the whole file)."""

    path: Path
    anchor: str


def table_rows(text: str) -> list[list[str]]:
    """The rows of all Markdown tables in a text, as their cells; heads and rules are left out."""
    lines = text.splitlines()
    rules = {number for number, line in enumerate(lines) if re.fullmatch(r"\|[\s|:-]+\|", line)}
    body = [line for n, line in enumerate(lines) if line.startswith("|") and n not in rules and n + 1 not in rules]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in body]


def links(text: str, folder: Path) -> list[Link]:
    """The links of a text in `folder` to files of the course."""
    targets = [target.partition("#") for target in LINK.findall(text) if "://" not in target]
    return [Link((folder / path).resolve() if path else folder, unquote(name)) for path, _, name in targets]


def is_broken(link: Link) -> bool:
    """Whether the file of a link, or the heading in it, is missing."""
    if not link.path.exists():
        return True
    return bool(link.anchor) and link.anchor not in anchors(link.path)


def numbers(text: str) -> set[str]:
    """The numbers that a text quotes, without the commas of thousands and in lower case."""
    return {found.replace(",", "").lower() for found in NUMBER.findall(text)}
