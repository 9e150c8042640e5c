"""A box as it lies in shared memory: row below row, each with the byte at which it begins."""

from collections.abc import Sequence
from typing import Any

from course_lib.draw.copies.planes import NUMBER_SIZE, ROW, cell_width, filled_runs, number_box
from course_lib.draw.pen.svg import Drawing
from course_lib.model.call.tensor_map import TiledTensorMap

TOP, LEFT = 34, 62
NOTE_WIDTH = 230  # of the line below the rows


def shared_rows_drawing(m: TiledTensorMap, cells: Sequence[Any], picked: int, said: str) -> Drawing:
    """The elements ``cells`` of a box in the order of shared memory; what is filled says so."""
    width, columns = cell_width(cells), m.box_dim[0]
    rows = len(cells) // columns
    drawing = Drawing(
        max(LEFT + columns * width + 6, NOTE_WIDTH), TOP + rows * ROW + 30, "The box in shared memory", said
    )
    drawing.text(4, 12, "the box in shared memory", bold=True)
    for row in range(rows):
        words = f"byte {cells[row * columns].shared}"
        drawing.text(LEFT - 6, TOP + row * ROW + 13, words, anchor="end", size=8.5, faint=True)
    chosen = cells[picked] if 0 <= picked < len(cells) else None
    place = {id(cell): divmod(number, columns) for number, cell in enumerate(cells)}
    for run in filled_runs(cells):
        row, column = place[id(run[0])]
        left, top, wide = LEFT + column * width, TOP + row * ROW, len(run) * width
        drawing.box(left, top, wide, ROW, "filled", "filled" if wide > 40 else "", size=NUMBER_SIZE)
    for cell in cells:
        if cell.inside or cell is chosen:
            row, column = place[id(cell)]
            number_box(drawing, LEFT + column * width, TOP + row * ROW, width, cell, chosen)
    drawing.text(4, TOP + rows * ROW + 20, "numbers: bytes behind the tensor's start", size=9, faint=True)
    return drawing
