"""What bars share: the name on their left, stretches one behind the other, and the number behind their end."""

from collections.abc import Iterable
from typing import NamedTuple

from course_lib.draw.pen.svg import FONT_SIZE, Drawing

GAP = 8  # pixels between a bar and the words at its ends


class Stretch(NamedTuple):
    """A part of a bar: its look in the palette, its length in pixels, and the words in it."""

    state: str
    wide: float
    words: str = ""


def bar_name(drawing: Drawing, left: float, line: float, words: str, bold: bool = False) -> None:
    """The name of a bar that begins at ``left``, on the line ``line``."""
    drawing.text(left - GAP, line, words, anchor="end", bold=bold)


def bar_number(drawing: Drawing, end: float, line: float, words: str, bold: bool = False) -> None:
    """What a bar that ends at ``end`` amounts to."""
    drawing.text(end + GAP, line, words, bold=bold)


def stretches(
    drawing: Drawing, left: float, top: float, tall: float, parts: Iterable[Stretch], size: float = FONT_SIZE
) -> float:
    """The parts of a bar one behind the other; returns where they end."""
    x = left
    for state, wide, words in parts:
        drawing.box(x, top, wide, tall, state, words, size=size)
        x += wide
    return x
