"""Yours beside the reference: any two lists of values, row by row, with every difference marked and the first one named."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from course_lib.draw.pen.svg import Drawing, Picture, text_width

ROW = 18
LEFT = 8.0
NOTE_LETTERS = 24


class ComparedRow(NamedTuple):
    """One line: what is compared, both values as they are shown, and a note for a reader."""

    label: str
    ours: str
    theirs: str
    note: str = ""


def first_differing_place(ours: Sequence[Any], theirs: Sequence[Any]) -> int | None:
    """The first place where two sequences differ, or None; where one is shorter, it is the shorter one's end."""
    for place, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return place
    return None if len(ours) == len(theirs) else min(len(ours), len(theirs))


def compare_values(
    ours: Iterable[Any], theirs: Iterable[Any], names: tuple[str, str] = ("yours", "reference"), title: str = "values"
) -> Picture:
    """Two lists of anything that has a short text, for example addresses, coordinates or elements."""
    left, right = ([str(value) for value in values] for values in (ours, theirs))
    place = first_differing_place(left, right)
    rows = [
        ComparedRow(str(i), *(values[i] if i < len(values) else "–" for values in (left, right)))
        for i in range(max(len(left), len(right)))
    ]
    if place is None:
        sentence = f"All {len(rows)} {title} are equal: {names[0]} = {names[1]}."
    else:
        sentence = f"First difference: number {place}: {names[0]} {rows[place].ours}, {names[1]} {rows[place].theirs}."
    return compare_rows(f"{title}: {names[0]} beside {names[1]}", rows, names, sentence)


def compare_rows(
    title: str, rows: Sequence[ComparedRow], names: tuple[str, str], sentence: str, heads: tuple[str, str] = ("", "")
) -> Picture:
    """The picture: a frame around each row that differs, a stronger mark on the first, the sentence below.

    ``heads`` stand above the labels and the notes.
    """
    marked = [number for number, row in enumerate(rows, 1) if row.ours != row.theirs]
    blocks = _align(ComparedRow(heads[0], *names, heads[1]), rows)
    width = 2 * LEFT + text_width(sentence, *chain(*blocks))
    drawing = Drawing(round(width), (sum(map(len, blocks)) + 1) * ROW + 10, title, sentence)
    y = 4
    for number, block in enumerate(blocks):
        state = "first" if number in marked[:1] else ""
        with drawing.group(row=number - 1, differs=number in marked):
            if number in marked:
                _mark(drawing, y, width, ROW * len(block), state)
            for at, line in enumerate(block):
                words = line.replace(" ", "\u00a0")
                drawing.text(LEFT, y + ROW * (at + 1) - 5, words, bold=number in [0, *marked], state=state)
        y += ROW * len(block)
    drawing.line(LEFT, ROW + 3, width - LEFT, ROW + 3)
    drawing.text(LEFT, y + 16, sentence, bold=True)
    return drawing.picture("\n".join([*(_one_line(block) for block in blocks), sentence]))


def _mark(drawing: Drawing, y: float, width: float, height: float, state: str) -> None:
    """The frame of a row that differs; the first such row is filled."""
    if state:
        drawing.box(LEFT / 2, y, width - LEFT, height, state)
    else:
        drawing.frame(LEFT / 2, y, width - LEFT, height, "differs")


def _one_line(block: list[str]) -> str:
    return " ".join([block[0], *(line.strip() for line in block[1:])])


def _align(head: ComparedRow, rows: Sequence[ComparedRow]) -> list[list[str]]:
    """Each row as the lines that show it: a long note goes on below its own beginning."""
    wide = [max(len(row[column]) for row in [head, *rows]) for column in range(3)]
    blocks = []
    for row in [head, *rows]:
        start = f"{row.label:>{wide[0]}}  {row.ours:<{wide[1]}}  {_sign(row, row is head)} {row.theirs:<{wide[2]}}  "
        first, *more = textwrap.wrap(row.note, NOTE_LETTERS) or [""]
        blocks.append([(start + first).rstrip(), *(" " * len(start) + line for line in more)])
    return blocks


def _sign(row: ComparedRow, head: bool) -> str:
    return " " if head else "=" if row.ours == row.theirs else "≠"
