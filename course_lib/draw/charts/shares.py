"""How often something happened: a bar for each case, k of n, and the numbers beside it."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lib.draw.charts.bars import bar_name, bar_number
from course_lib.draw.pen.svg import Drawing, Picture, text_width

ROW, TOP, LONG, MOST_ROWS = 20.0, 28.0, 260.0, 40


class Share(NamedTuple):
    """``times`` of ``runs``; ``mark`` sets a case apart in looks and in words."""

    label: str
    times: int
    runs: int
    mark: str = ""


def share_bars(shares: Sequence[Share], title: str, said: str = "") -> Picture:
    """A line for each share. ValueError for more than 40 lines, or for more times than runs."""
    if len(shares) > MOST_ROWS or any(not 0 <= share.times <= share.runs for share in shares):
        raise ValueError(f"{len(shares)} shares: up to {MOST_ROWS}, each from 0 to all of its runs")
    left = 16 + text_width(*(share.label for share in shares))
    notes = [f"{share.times} of {share.runs}" + (f", {share.mark}" if share.mark else "") for share in shares]
    width = max(left + LONG + 16 + text_width(*notes), 16 + text_width(title))
    drawing = Drawing(round(width), TOP + ROW * len(shares) + (22 if said else 4), title, said or title)
    drawing.text(8, 15, title, bold=True)
    for number, (share, note) in enumerate(zip(shares, notes, strict=True)):
        y = TOP + ROW * number
        bar_name(drawing, left, y + 13, share.label)
        drawing.frame(left, y + 2, LONG, ROW - 6, "rule")
        if share.times:
            drawing.box(left, y + 2, LONG * share.times / share.runs, ROW - 6, "unit" if share.mark else "byte")
        bar_number(drawing, left + LONG, y + 13, note, bold=bool(share.mark))
    if said:
        drawing.text(8, TOP + ROW * len(shares) + 16, said, faint=True, size=11)
    lines = [f"{share.label}: {note}" for share, note in zip(shares, notes, strict=True)]
    return drawing.picture("\n".join([title, *lines, *([said] if said else [])]))
