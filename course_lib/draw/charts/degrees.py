"""Cycles against the degree of a conflict, as measured: a mark for each read, a line of marks for each width."""

from collections.abc import Mapping, Sequence

from course_lib.draw.pen.svg import Drawing, Picture

LEFT, TOP, WIDE, HIGH = 52.0, 58.0, 480.0, 300.0
MOST, STEP, MARK = 32, 4, 6.0
TITLE = "Cycles of a read against the degree of its conflict"
STATES = ("element", "byte", "unit", "code")  # apart in grey and by hatch too; words stand at the lines
Points = Sequence[tuple[int, float]]


def degree_chart(lines: Mapping[str, Points]) -> Picture:
    """``lines``: a name, and (degree, cycles) of each read, both from 0 to 32. ValueError for more than four lines."""
    if len(lines) > len(STATES):
        raise ValueError(f"{len(lines)} lines: this chart tells {len(STATES)} apart")
    said = (
        "; ".join(f"{name}: {points[0][1]:.1f} to {points[-1][1]:.1f} cycles" for name, points in lines.items()) + "."
    )
    drawing = Drawing(LEFT + WIDE + 60, TOP + HIGH + 44, TITLE, said)
    _axes(drawing)
    for state, (name, points) in zip(STATES, lines.items(), strict=False):
        for degree, cycles in points:
            drawing.box(_x(degree) - MARK / 2, _y(cycles) - MARK / 2, MARK, MARK, state, hatched=False)
        drawing.text(_x(points[-1][0]), _y(points[-1][1]) - 8, name, anchor="middle", size=11)
    return drawing.picture("\n".join([TITLE, *(f"{name}: {_words(points)}" for name, points in lines.items())]))


def _words(points: Points) -> str:
    return ", ".join(f"{degree} → {cycles:.2f}" for degree, cycles in points)


def _x(degree: float) -> float:
    return LEFT + degree / MOST * WIDE


def _y(cycles: float) -> float:
    return TOP + HIGH - cycles / MOST * HIGH


def _axes(drawing: Drawing) -> None:
    drawing.text(8, 16, drawing.title, bold=True)
    for at in range(0, MOST + 1, STEP):
        drawing.line(_x(0), _y(at), _x(MOST), _y(at), width=0.5)
        drawing.text(LEFT - 8, _y(at) + 4, str(at), anchor="end", size=11)
        drawing.text(_x(at), TOP + HIGH + 18, str(at), anchor="middle", size=11)
    drawing.text(
        LEFT + WIDE / 2,
        TOP + HIGH + 36,
        "degree: words that the busiest bank gives in a phase",
        anchor="middle",
        size=11,
    )
    drawing.text(8, 36, "cycles of the read", size=11)
