"""One plane of a tensor, dimension 0 across and dimension 1 down, with the part of a box that lies in it."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from course_lib.draw.pen.svg import Drawing
from course_lib.model.call.tensor_map import TiledTensorMap

ROW, TOP, LEFT = 19, 34, 62
MOST_COLUMNS, MOST_ROWS, MARGIN = 24, 16, 2
DIGIT, NUMBER_SIZE = 5.4, 8.5


class PlaneView(NamedTuple):
    """What is drawn of a plane: columns and rows from first to end - 1, and the width of a cell in pixels."""

    columns: range
    rows: range
    cell: int

    def place(self, x: int, y: int) -> tuple[float, float]:
        """The upper left corner of a cell."""
        return LEFT + (x - self.columns.start) * self.cell, TOP + (y - self.rows.start) * ROW


def plane_drawing(
    m: TiledTensorMap, coordinates: Sequence[int], plane: Sequence[Any], cells: Sequence[Any], picked: int, said: str
) -> Drawing:
    """The plane in which the elements ``plane`` of the box lie."""
    view = plane_view(m, coordinates, cell_width(cells))
    outer = plane[0].position[2:]
    name = "the tensor" + (f", ({', '.join(['·', '·', *map(str, outer)])})" if outer else "")
    width = LEFT + len(view.columns) * view.cell + 6
    drawing = Drawing(max(width, 200), TOP + len(view.rows) * ROW + 6, f"The box in {name}", said)
    drawing.text(4, 12, name, bold=True)
    draw_grid(drawing, m, view, outer)
    draw_holes(drawing, m, view, coordinates, plane)
    draw_cells(drawing, view, plane, cells[picked] if 0 <= picked < len(cells) else None)
    return drawing


def cell_width(cells: Sequence[Any]) -> int:
    """Room for the longest number."""
    longest = max(len(str(cell.behind)) for cell in cells)
    return max(20, round(longest * DIGIT + 6))


def plane_view(m: TiledTensorMap, coordinates: Sequence[int], cell: int) -> PlaneView:
    """The whole plane and the box, or the surroundings of the box where that is too much."""
    sizes, boxes = ((*values, 1)[:2] for values in (m.global_dim, m.box_dim))
    starts = (*coordinates, 0)[:2]
    shown = [shown_range(*values) for values in zip(starts, boxes, sizes, (MOST_COLUMNS, MOST_ROWS), strict=True)]
    return PlaneView(shown[0], shown[1], cell)


def shown_range(start: int, box: int, size: int, most: int) -> range:
    """Which positions of one dimension are drawn."""
    first, end = min(start, 0), max(start + box, size)
    if end - first > most:
        first, end = max(first, start - MARGIN), min(end, start + box + MARGIN)
    return range(first, end)


def draw_grid(drawing: Drawing, m: TiledTensorMap, view: PlaneView, outer: Sequence[int]) -> None:
    """The lines of the tensor's own part of the plane, its columns' numbers and its rows' distances from the start."""
    for x in view.columns:
        if not (x - view.columns.start) % (2 if view.cell < 24 else 1):
            drawing.text(view.place(x, 0)[0] + view.cell / 2, TOP - 5, str(x), anchor="middle", size=8.5, faint=True)
    for y in view.rows:
        drawing.text(LEFT - 6, view.place(0, y)[1] + 13, f"row {y}", anchor="end", size=8.5, faint=True)
    columns, rows = range_in(view.columns, m.global_dim[0]), range_in(view.rows, (*m.global_dim, 1)[1])
    if not columns or not rows or any(not 0 <= p < size for p, size in zip(outer, m.global_dim[2:], strict=True)):
        return
    (left, top), (right, bottom) = view.place(columns[0], rows[0]), view.place(columns[-1] + 1, rows[-1] + 1)
    for x in range(columns[0], columns[-1] + 2):
        drawing.line(view.place(x, 0)[0], top, view.place(x, 0)[0], bottom)
    for y in range(rows[0], rows[-1] + 2):
        drawing.line(left, view.place(0, y)[1], right, view.place(0, y)[1])


def range_in(shown: range, size: int) -> range:
    """The shown positions that lie in the tensor."""
    return range(max(shown.start, 0), min(shown.stop, size))


def draw_holes(
    drawing: Drawing, m: TiledTensorMap, view: PlaneView, coordinates: Sequence[int], plane: Sequence[Any]
) -> None:
    """The rows that lie in the box and are skipped."""
    if m.rank < 2:
        return
    brought = {cell.position[1] for cell in plane}
    for y in range(coordinates[1], coordinates[1] + m.box_dim[1]):
        if y not in brought and y in view.rows:
            left, top = view.place(coordinates[0], y)
            drawing.box(left, top, m.box_dim[0] * view.cell, ROW, "hole", "skipped", size=NUMBER_SIZE)


def draw_cells(drawing: Drawing, view: PlaneView, cells: Sequence[Any], picked: Any) -> None:
    """The elements that the copy brings; what is filled in one piece."""
    for run in filled_runs(cells):
        left, top = view.place(run[0].position[0], (*run[0].position, 0)[1])
        drawing.box(left, top, len(run) * view.cell, ROW, "filled")
    for cell in cells:
        if cell.inside or cell == picked:
            left, top = view.place(cell.position[0], (*cell.position, 0)[1])
            number_box(drawing, left, top, view.cell, cell, picked)


def number_box(drawing: Drawing, x: float, y: float, width: float, cell: Any, picked: Any) -> None:
    """One element with its distance from the tensor's start."""
    words = str(cell.behind) if cell.inside else "–"
    drawing.box(x, y, width, ROW, "chosen" if cell == picked else "element", words, size=NUMBER_SIZE)


def filled_runs(cells: Sequence[Any]) -> Iterator[list[Any]]:
    """The stretches of elements outside the tensor that lie side by side in one row."""
    run: list[Any] = []
    for cell in cells:
        if run and (cell.inside or cell.position[1:] != run[-1].position[1:]):
            yield run
            run = []
        if not cell.inside:
            run.append(cell)
    if run:
        yield run
