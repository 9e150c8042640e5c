"""Instructions of a warp for one tile, by the copies that a thread has: a mark for each compiled loop, and what the law allows."""

from collections.abc import Mapping, Sequence

from course_lib.draw.charts.axes import Axes, Scale
from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.cost.tile_cost import EACH_MAX, EDGES, TMA_LOOP, TMA_OF_ONE_WARP, loop_instructions

MOST, STEP, MARK = 240, 40, 7.0
AXES = Axes(44.0, 52.0, 500.0, 250.0, Scale(0.5, EACH_MAX + 0.5), Scale(0, MOST))
ISSUING, WAITING = TMA_LOOP, TMA_LOOP - TMA_OF_ONE_WARP
STATES = dict(zip(EDGES, ("element", "unit", "byte"), strict=True))
TITLE = "Instructions of a warp for one tile"


def law_chart(loops: Mapping[str, Sequence[int]]) -> Picture:
    """``loops``: by what may lie outside (EDGES), the instructions for 1, 2, … 16 copies a thread. KeyError for another name."""
    said = f"Bands: what the law allows. TMA: {ISSUING} in the warp that issues, {WAITING} in the others, whatever the tile."
    drawing = Drawing(AXES.left + AXES.wide + 130, AXES.foot + 40, TITLE, said)
    _axes(drawing)
    for edges, lengths in loops.items():
        _band(drawing, edges)
        AXES.marks(drawing, enumerate(lengths, 1), STATES[edges], MARK)
        drawing.text(AXES.x(len(lengths)) + 10, AXES.y(lengths[-1]) + 4, EDGES[edges], size=11)
    for at, words in ((ISSUING, "TMA, who issues"), (WAITING, "TMA, the others")):
        drawing.line(AXES.x(1), AXES.y(at), AXES.x(EACH_MAX), AXES.y(at), "ours", 2)
        drawing.text(AXES.x(EACH_MAX) + 10, AXES.y(at) + 4, words, size=11)
    told = (f"{EDGES[edges]}: {', '.join(map(str, lengths))}" for edges, lengths in loops.items())
    return drawing.picture("\n".join([f"{TITLE}, for 1 to {EACH_MAX} copies a thread", *told, said]))


def _band(drawing: Drawing, edges: str) -> None:
    for each in range(1, EACH_MAX + 1):
        law = loop_instructions(each, edges)
        drawing.line(AXES.x(each), AXES.y(law.start) + 2, AXES.x(each), AXES.y(law.stop - 1) - 2, "rule", 11)


def _axes(drawing: Drawing) -> None:
    drawing.text(4, 15, drawing.title, bold=True)
    drawing.text(4, 34, drawing.description, size=11)
    for length in range(0, MOST + 1, STEP):
        AXES.level(drawing, length)
    for each in range(1, EACH_MAX + 1):
        AXES.below(drawing, each)
    AXES.name_below(drawing, "copies of a thread")
