"""A box in its tensor and in shared memory: which bytes a tiled copy touches, element by element.

In both drawings a cell shows the same number: how many bytes behind the tensor's start the element lies.
"""

from collections.abc import Sequence
from itertools import groupby
from math import prod
from typing import NamedTuple

from course_lib.draw.copies.planes import plane_drawing
from course_lib.draw.copies.shared_rows import shared_rows_drawing
from course_lib.draw.pen.svg import Picture, beside
from course_lib.model.call.sizes import copied_shape, element_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.plain import Position, global_bytes, is_inside, tiled_elements
from course_lib.model.facts.enums import Interleave, Swizzle

MOST_ELEMENTS, MOST_PLANES = 144, 4


class Cell(NamedTuple):
    """One element of a box: where in the tensor, at which byte of shared memory, how far behind the tensor's start."""

    position: Position
    shared: int  # bytes behind the start of the box
    behind: int  # bytes behind the tensor's start; what the place would be, where it is outside
    inside: bool


def cells_of(m: TiledTensorMap, coordinates: Sequence[int]) -> list[Cell]:
    """Every element that a tiled copy at ``coordinates`` brings, in the order of shared memory."""
    where = tuple(coordinates)
    return [
        Cell(position, shared, global_bytes(m, position) - m.global_address, is_inside(m, position))
        for position, shared in tiled_elements(m, where)
    ]


def box_picture(m: TiledTensorMap, coordinates: Sequence[int], picked: int = -1) -> Picture:
    """The box of a tiled map at ``coordinates`` (elements, innermost first): in the tensor, and in shared memory.

    ``picked`` is the number of an element of the box to be marked in both. ValueError for a map with swizzle or
    interleave, and for boxes of more than 144 elements or four planes.
    """
    must_be_drawable(m)
    must_be_small(m)
    cells = cells_of(m, coordinates)
    planes = [list(plane) for _, plane in groupby(cells, lambda cell: cell.position[2:])]
    said = sentence(m, cells)
    drawings = [plane_drawing(m, tuple(coordinates), plane, cells, picked, said) for plane in planes]
    lines = [said, *address_lines(m, cells), *picked_lines(m, cells, picked)]
    return beside(*drawings, shared_rows_drawing(m, cells, picked, said), text="\n".join(lines))


def must_be_drawable(m: TiledTensorMap) -> None:
    """ValueError for what the picture does not show."""
    if m.swizzle != Swizzle.NONE or m.interleave != Interleave.NONE:
        raise ValueError("this picture shows tiled maps without swizzle and interleave")


def must_be_small(m: TiledTensorMap) -> None:
    """ValueError for a box with too many elements or planes to draw."""
    elements, planes = prod(copied_shape(m)), prod(copied_shape(m)[2:])
    if elements > MOST_ELEMENTS or planes > MOST_PLANES:
        raise ValueError(f"a box of {elements} elements in {planes} planes is too large for this picture")


def sentence(m: TiledTensorMap, cells: Sequence[Cell]) -> str:
    """What the copy brings, in one sentence."""
    filled = sum(not cell.inside for cell in cells)
    start = f"{len(cells)} elements, {transaction_bytes(m)} bytes in shared memory"
    if filled == len(cells):
        return f"{start}: all filled, nothing read."
    first, end = span_of(m, [cell for cell in cells if cell.inside])
    distinct = len({cell.behind for cell in cells if cell.inside})
    again = f", {distinct} different ones" if distinct < len(cells) - filled else ""
    rest = f"; {filled} filled" if filled else ""
    return f"{start}: {len(cells) - filled} from global memory{again}, all between bytes {first} and {end - 1}{rest}."


def span_of(m: TiledTensorMap, cells: Sequence[Cell]) -> tuple[int, int]:
    """The first global byte of some elements, and one past the last."""
    addresses = [m.global_address + cell.behind for cell in cells]
    return min(addresses), max(addresses) + element_bytes(m)


def address_lines(m: TiledTensorMap, cells: Sequence[Cell]) -> list[str]:
    """One line for each row of the box: which global bytes come to which bytes of shared memory."""
    size, lines = element_bytes(m), []
    for row in box_rows(m, cells):
        begin, end = row[0].shared, row[-1].shared + size
        lines.append(f"shared {begin:>4} to {end - 1:>4}: {box_row_words(m, row)}")
    return lines


def box_rows(m: TiledTensorMap, cells: Sequence[Cell]) -> list[Sequence[Cell]]:
    """The elements row by row."""
    width = m.box_dim[0]
    return [cells[i : i + width] for i in range(0, len(cells), width)]


def box_row_words(m: TiledTensorMap, row: Sequence[Cell]) -> str:
    """Where one row comes from."""
    inside = [cell for cell in row if cell.inside]
    first = row[0].position
    place = f"from ({', '.join(map(str, first))})"
    if not inside:
        return f"{place}: outside, filled"
    begin, end = span_of(m, inside)
    filled = len(row) - len(inside)
    return f"{place}: global bytes {begin} to {end - 1}" + f", {filled} elements filled" * bool(filled)


def picked_lines(m: TiledTensorMap, cells: Sequence[Cell], picked: int) -> list[str]:
    """The address of the marked element, worked out."""
    if not 0 <= picked < len(cells):
        return []
    cell = cells[picked]
    strides = (element_bytes(m), *m.global_strides)
    terms = " + ".join(f"{p} × {s}" for p, s in zip(cell.position, strides, strict=True))
    place = f"element ({', '.join(map(str, cell.position))})"
    if not cell.inside:
        return [f"{place} lies outside the tensor: it is filled, at shared byte {cell.shared}"]
    total = m.global_address + cell.behind
    return [f"{place}: {m.global_address} + {terms} = byte {total} of global memory, byte {cell.shared} of the box"]
