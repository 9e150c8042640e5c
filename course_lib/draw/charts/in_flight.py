"""Bandwidth against the bytes that an SM has in flight: a mark for each launch, and the line of Little's law."""

from collections.abc import Mapping
from itertools import pairwise

from course_lib.draw.charts.axes import Axes, Points, Scale
from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.facts.limits import SMS

FEWEST, MOST, TOP_RATE, MARK = 9, 18, 5000, 7.0  # 2**9 to 2**18 bytes, GB/s
AXES = Axes(62.0, 44.0, 520.0, 260.0, Scale(2**FEWEST, 2**MOST, doubling=True), Scale(0, TOP_RATE), size=10)
STATES = ("element", "chosen", "code")  # light, dark, between: marks this small show no hatch


def in_flight_chart(points: Mapping[str, Points], latency_ns: float, best: float) -> Picture:
    """``points``: a name, and (bytes in flight of an SM, GB/s) of each launch. ValueError for more than three names.

    The line is bytes in flight of all SMs / ``latency_ns``, up to the ``best`` rate in GB/s.
    """
    if len(points) > len(STATES):
        raise ValueError(f"{len(points)} names: this chart tells {len(STATES)} apart")
    said = f"The line: bytes in flight / {latency_ns:.0f} ns, up to {best:,.0f} GB/s."
    drawing = Drawing(AXES.left + AXES.wide + 24, AXES.foot + 66, "Bandwidth against bytes in flight", said)
    _axes(drawing)
    _line(drawing, latency_ns, best)
    for number, (name, marks) in enumerate(points.items()):
        _marks(drawing, number, name, marks)
    words = (
        f"{name}: {', '.join(f'{at} B → {rate:,.0f}' for at, rate in sorted(marks))}" for name, marks in points.items()
    )
    return drawing.picture("\n".join([drawing.title, said, *words]))


def line_at(bytes_of_an_sm: float, latency_ns: float, best: float) -> float:
    """Little's law: GB/s from what all SMs have in flight."""
    return min(bytes_of_an_sm * SMS / latency_ns, best)


def _line(drawing: Drawing, latency_ns: float, best: float) -> None:
    knee = best * latency_ns / SMS
    steps = [2 ** (FEWEST + step / 4) for step in range(4 * (MOST - FEWEST) + 1)]
    corners = [(AXES.x(at), AXES.y(line_at(at, latency_ns, best))) for at in sorted([knee, *steps])]
    for (x1, y1), (x2, y2) in pairwise(corners):
        drawing.line(x1, y1, x2, y2, "differs", 2)


def _marks(drawing: Drawing, number: int, name: str, marks: Points) -> None:
    AXES.marks(drawing, marks, STATES[number], MARK)
    x = AXES.left + 190 * number
    drawing.box(x, AXES.foot + 46, MARK, MARK, STATES[number], hatched=False)
    drawing.text(x + 14, AXES.foot + 54, name, size=11)


def _axes(drawing: Drawing) -> None:
    drawing.text(4, 14, f"{drawing.title}. {drawing.description}", bold=True, size=11)
    drawing.text(4, 34, "GB/s", size=11)
    for rate in range(0, TOP_RATE + 1, 1000):
        AXES.level(drawing, rate)
    for power in range(FEWEST, MOST + 1):
        words = f"{2**power} B" if power < 10 else f"{2 ** (power - 10)} KiB"
        AXES.below(drawing, 2**power, words)
    AXES.name_below(drawing, "bytes that an SM has asked for and not yet got")
