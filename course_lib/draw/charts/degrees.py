"""Cycles against the degree of a conflict, as measured: a mark for each read, a line of marks for each width."""

from collections.abc import Mapping

from course_lib.draw.charts.axes import Axes, Points, Scale
from course_lib.draw.pen.svg import Drawing, Picture

MOST, STEP, MARK = 32, 4, 6.0
AXES = Axes(52.0, 58.0, 480.0, 300.0, Scale(0, MOST), Scale(0, MOST), drop=18)
TITLE = "Cycles of a read against the degree of its conflict"
STATES = ("element", "byte", "unit", "code")  # apart in grey and by hatch too; words stand at the lines


def degree_chart(lines: Mapping[str, Points]) -> Picture:
    """``lines``: a name, and (degree, cycles) of each read, both from 0 to 32. ValueError for more than four lines."""
    if len(lines) > len(STATES):
        raise ValueError(f"{len(lines)} lines: this chart tells {len(STATES)} apart")
    said = (
        "; ".join(f"{name}: {points[0][1]:.1f} to {points[-1][1]:.1f} cycles" for name, points in lines.items()) + "."
    )
    drawing = Drawing(AXES.left + AXES.wide + 60, AXES.foot + 44, TITLE, said)
    _axes(drawing)
    for state, (name, points) in zip(STATES, lines.items(), strict=False):
        AXES.marks(drawing, points, state, MARK)
        drawing.text(AXES.x(points[-1][0]), AXES.y(points[-1][1]) - 8, name, anchor="middle", size=11)
    return drawing.picture("\n".join([TITLE, *(f"{name}: {_words(points)}" for name, points in lines.items())]))


def _words(points: Points) -> str:
    return ", ".join(f"{degree} → {cycles:.2f}" for degree, cycles in points)


def _axes(drawing: Drawing) -> None:
    drawing.text(8, 16, drawing.title, bold=True)
    for at in range(0, MOST + 1, STEP):
        AXES.level(drawing, at)
        AXES.below(drawing, at)
    AXES.name_below(drawing, "degree: words that the busiest bank gives in a phase")
    drawing.text(8, 36, "cycles of the read", size=11)
