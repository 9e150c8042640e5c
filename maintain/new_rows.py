"""The rows of a new lesson, put where they belong in the tables that hold the course together."""

import re
from pathlib import Path

from maintain.words import Word

LESSON_ROW = re.compile(r"\| \[(\d\d[a-z]?) ")
LESSON_HEADING = re.compile(r"## (\d\d[a-z]?) · ")
TABLES = {"README.md": "README.md", **{f"{n}.md": f"notebooks/{n}.md" for n in ("CLAIMS", "SECTIONS", "GLOSSARY")}}


def add_rows(number: str, rows: dict[str, str], root: Path) -> dict[Path, str]:
    """The tables, by their paths, as they are with the rows of lesson `number`; those that do not change are left out."""
    texts = {name: (root / path).read_text(encoding="utf-8") for name, path in TABLES.items()}
    changed = {
        "README.md": add_lesson(texts["README.md"], number, rows["README.md"]),
        "CLAIMS.md": add_claims(texts["CLAIMS.md"], number, rows["CLAIMS.md"]),
        "SECTIONS.md": place_sections(texts["SECTIONS.md"], number, rows["SECTIONS.md"]),
        "GLOSSARY.md": add_word(texts["GLOSSARY.md"], rows["GLOSSARY.md"]),
    }
    return {root / TABLES[name]: text for name, text in changed.items() if text != texts[name]}


def add_lesson(text: str, number: str, row: str) -> str:
    """A row behind those of the lessons before."""
    lines = text.splitlines(keepends=True)
    before = [n for n, line in enumerate(lines) if (found := LESSON_ROW.match(line)) and found[1] < number]
    lines.insert(before[-1] + 1, row)
    return "".join(lines)


def add_claims(text: str, number: str, section: str) -> str:
    """A section before that of the first lesson behind, or at the end."""
    lines = text.splitlines(keepends=True)
    behind = (n for n, line in enumerate(lines) if (found := LESSON_HEADING.match(line)) and found[1] > number)
    at = next(behind, None)
    if at is None:
        return f"{text}\n{section}"
    return "".join([*lines[:at], section, "\n", *lines[at:]])


def add_word(text: str, row: str) -> str:
    """A row at its place in the alphabet; the first row of the table is its head, the second its rule."""
    lines = text.splitlines(keepends=True)
    rows = [n for n, line in enumerate(lines) if line.startswith("|")][2:]
    behind = (n for n in rows if _sorted_by(lines[n]) > _sorted_by(row))
    lines.insert(next(behind, rows[-1] + 1), row)
    return "".join(lines)


def place_sections(text: str, number: str, link: str) -> str:
    """What waited for this lesson is linked to it."""
    return text.replace(f"| lesson {number} (not yet) |", f"| {link.strip()} |")


def _sorted_by(row: str) -> str:
    return Word(row.split("|")[1].strip(), "", "", "", "").plain
