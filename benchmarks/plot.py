"""Time against box size as a picture: both axes in steps of two, one line a copy, named at its end."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import log2

from course_lib.draw.pen.svg import Drawing

Times = dict[int, dict[str, float]]
Place = Callable[[int, float], tuple[float, float]]
LEFT, TOP, STEP_X, STEP_Y, RIGHT, BOTTOM = 60, 40, 52, 32, 110, 44
COLOURS = ("ours", "theirs", "differs", "rule")


def plot_times(times: Times) -> str:
    """The picture as a file's text."""
    sizes, names = list(times), list(next(iter(times.values())))
    every = [value for row in times.values() for value in row.values()]
    low, high = int(log2(min(every))) - (min(every) < 1), int(log2(max(every))) + 1
    width, height = LEFT + STEP_X * (len(sizes) - 1) + RIGHT, TOP + STEP_Y * (high - low) + BOTTOM
    description = "Microseconds of one copy, interior and across an edge, store, and a plain strided NumPy copy."
    drawing = Drawing(width, height, "Time of a copy against the bytes of its box", description)

    def place(index: int, value: float) -> tuple[float, float]:
        return LEFT + STEP_X * index, TOP + STEP_Y * (high - log2(value))

    drawing.text(LEFT, 20, "Microseconds of one copy, by bytes of the box", bold=True)
    for power in range(low, high + 1):
        y = place(0, 2.0**power)[1]
        drawing.line(LEFT, y, LEFT + STEP_X * (len(sizes) - 1), y)
        drawing.text(8, y + 4, f"{2.0**power:g}")
    for index, size in enumerate(sizes):
        drawing.text(LEFT + STEP_X * index - 12, height - 20, f"{size // 1024} Ki" if size >= 1024 else str(size))
    ends = dict(zip(names, name_heights(times, names, place), strict=True))
    for name, colour in zip(names, COLOURS, strict=True):
        points = [place(i, times[size][name]) for i, size in enumerate(sizes)]
        for (x1, y1), (x2, y2) in pairwise(points):
            drawing.line(x1, y1, x2, y2, colour, width=2)
        drawing.text(points[-1][0] + 6, ends[name], name)
    return drawing.picture("").standalone


def name_heights(times: Times, names: list[str], place: Place) -> Iterator[float]:
    """Where the names stand: at the ends of their lines, far enough apart to be read."""
    last = list(times.values())[-1]
    taken: dict[str, float] = {}
    for name in sorted(names, key=lambda n: -last[n]):
        y = place(len(times) - 1, last[name])[1] + 4
        taken[name] = max([y, *(t + 14 for t in taken.values())])
    yield from (taken[name] for name in names)
