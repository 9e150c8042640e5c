"""Instructions of a warp for one tile, by the copies that a thread has: a mark for each compiled loop, and what the law allows."""

from collections.abc import Mapping, Sequence

from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.cost.tile_cost import EACH_MAX, EDGES, TMA_LOOP, TMA_OF_ONE_WARP, loop_instructions

LEFT, TOP, WIDE, HIGH = 44.0, 52.0, 500.0, 250.0
MOST, STEP, MARK = 240, 40, 7.0
ISSUING, WAITING = TMA_LOOP, TMA_LOOP - TMA_OF_ONE_WARP
STATES = dict(zip(EDGES, ("element", "unit", "byte"), strict=True))
TITLE = "Instructions of a warp for one tile"


def law_chart(loops: Mapping[str, Sequence[int]]) -> Picture:
    """``loops``: by what may lie outside (EDGES), the instructions for 1, 2, … 16 copies a thread. KeyError for another name."""
    said = f"Bands: what the law allows. TMA: {ISSUING} in the warp that issues, {WAITING} in the others, whatever the tile."
    drawing = Drawing(LEFT + WIDE + 130, TOP + HIGH + 40, TITLE, said)
    _axes(drawing)
    for edges, lengths in loops.items():
        _band(drawing, edges)
        for each, length in enumerate(lengths, 1):
            drawing.box(_x(each) - MARK / 2, _y(length) - MARK / 2, MARK, MARK, STATES[edges], hatched=False)
        drawing.text(_x(len(lengths)) + 10, _y(lengths[-1]) + 4, EDGES[edges], size=11)
    for at, words in ((ISSUING, "TMA, who issues"), (WAITING, "TMA, the others")):
        drawing.line(_x(1), _y(at), _x(EACH_MAX), _y(at), "ours", 2)
        drawing.text(_x(EACH_MAX) + 10, _y(at) + 4, words, size=11)
    told = (f"{EDGES[edges]}: {', '.join(map(str, lengths))}" for edges, lengths in loops.items())
    return drawing.picture("\n".join([f"{TITLE}, for 1 to {EACH_MAX} copies a thread", *told, said]))


def _band(drawing: Drawing, edges: str) -> None:
    for each in range(1, EACH_MAX + 1):
        law = loop_instructions(each, edges)
        drawing.line(_x(each), _y(law.start) + 2, _x(each), _y(law.stop - 1) - 2, "rule", 11)


def _x(each: float) -> float:
    return LEFT + (each - 0.5) / EACH_MAX * WIDE


def _y(length: float) -> float:
    return TOP + HIGH - length / MOST * HIGH


def _axes(drawing: Drawing) -> None:
    drawing.text(4, 15, drawing.title, bold=True)
    drawing.text(4, 34, drawing.description, size=11)
    for at in range(0, MOST + 1, STEP):
        drawing.line(LEFT, _y(at), LEFT + WIDE, _y(at), width=0.5)
        drawing.text(LEFT - 8, _y(at) + 4, str(at), anchor="end", size=11)
    for each in range(1, EACH_MAX + 1):
        drawing.text(_x(each), TOP + HIGH + 16, str(each), anchor="middle", size=11)
    drawing.text(LEFT + WIDE / 2, TOP + HIGH + 34, "copies of a thread", anchor="middle", size=11)
