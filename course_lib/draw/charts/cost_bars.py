"""Amounts of one kind as bars, each with its words and its number, in groups if there are several."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lib.draw.charts.bars import bar_name, bar_number
from course_lib.draw.pen.svg import Drawing, Picture, text_width

WIDE, ROW, TOP = 380.0, 21.0, 28.0


class Bar(NamedTuple):
    """One amount. ``state`` is a look of the palette; ``note`` stands behind the number."""

    words: str
    amount: float
    note: str = ""
    state: str = "element"


def cost_bars(bars: Sequence[Bar], unit: str, title: str, digits: int = 0) -> Picture:
    """Bars from 0 to the largest amount. ValueError where there is none, or one is negative."""
    if not bars or min(bar.amount for bar in bars) < 0:
        raise ValueError("bars show amounts of 0 or more, and at least one")
    most = max(bar.amount for bar in bars) or 1.0
    said = [f"{bar.amount:,.{digits}f} {unit}{' ' * bool(bar.note)}{bar.note}" for bar in bars]
    left = 16 + text_width(*(bar.words for bar in bars))
    width = left + WIDE + 12 + text_width(*said)
    largest = max(range(len(bars)), key=lambda place: bars[place].amount)
    drawing = Drawing(width, TOP + len(bars) * ROW + 6, title, f"The largest: {bars[largest].words}, {said[largest]}.")
    drawing.text(8, 16, title, bold=True)
    for place, (bar, words) in enumerate(zip(bars, said, strict=True)):
        y, long = TOP + place * ROW, bar.amount / most * WIDE
        bar_name(drawing, left, y + 14, bar.words)
        drawing.box(left, y + 2, max(long, 1), ROW - 4, bar.state)
        bar_number(drawing, left + long, y + 14, words)
    lines = [f"{bar.words}: {words}" for bar, words in zip(bars, said, strict=True)]
    return drawing.picture("\n".join([title, *lines]))
