"""Bandwidth against the bytes that an SM has in flight: a mark for each launch, and the line of Little's law."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log2

from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.facts.limits import SMS

LEFT, TOP, WIDE, HIGH = 62.0, 44.0, 520.0, 260.0
FEWEST, MOST, TOP_RATE, MARK = 9, 18, 5000, 7.0  # 2**9 to 2**18 bytes, GB/s
STATES = ("element", "chosen", "code")  # light, dark, between: marks this small show no hatch
Points = Sequence[tuple[int, float]]


def in_flight_chart(points: Mapping[str, Points], latency_ns: float, best: float) -> Picture:
    """``points``: a name, and (bytes in flight of an SM, GB/s) of each launch. ValueError for more than three names.

    The line is bytes in flight of all SMs / ``latency_ns``, up to the ``best`` rate in GB/s.
    """
    if len(points) > len(STATES):
        raise ValueError(f"{len(points)} names: this chart tells {len(STATES)} apart")
    said = f"The line: bytes in flight / {latency_ns:.0f} ns, up to {best:,.0f} GB/s."
    drawing = Drawing(LEFT + WIDE + 24, TOP + HIGH + 66, "Bandwidth against bytes in flight", said)
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
    corners = [(_x(at), _y(line_at(at, latency_ns, best))) for at in sorted([knee, *steps])]
    for (x1, y1), (x2, y2) in pairwise(corners):
        drawing.line(x1, y1, x2, y2, "differs", 2)


def _marks(drawing: Drawing, number: int, name: str, marks: Points) -> None:
    for at, rate in marks:
        drawing.box(_x(at) - MARK / 2, _y(rate) - MARK / 2, MARK, MARK, STATES[number], hatched=False)
    drawing.box(LEFT + 190 * number, TOP + HIGH + 46, MARK, MARK, STATES[number], hatched=False)
    drawing.text(LEFT + 190 * number + 14, TOP + HIGH + 54, name, size=11)


def _x(bytes_of_an_sm: float) -> float:
    return LEFT + (log2(bytes_of_an_sm) - FEWEST) / (MOST - FEWEST) * WIDE


def _y(rate: float) -> float:
    return TOP + HIGH - rate / TOP_RATE * HIGH


def _axes(drawing: Drawing) -> None:
    drawing.text(4, 14, f"{drawing.title}. {drawing.description}", bold=True, size=11)
    drawing.text(4, 34, "GB/s", size=11)
    for rate in range(0, TOP_RATE + 1, 1000):
        drawing.line(_x(2**FEWEST), _y(rate), _x(2**MOST), _y(rate), width=0.5)
        drawing.text(LEFT - 8, _y(rate) + 4, f"{rate:,}", anchor="end", size=11)
    for power in range(FEWEST, MOST + 1):
        words = f"{2**power} B" if power < 10 else f"{2 ** (power - 10)} KiB"
        drawing.text(_x(2**power), TOP + HIGH + 16, words, anchor="middle", size=10)
    drawing.text(
        LEFT + WIDE / 2, TOP + HIGH + 34, "bytes that an SM has asked for and not yet got", anchor="middle", size=11
    )
