"""Swizzled tiles as grids: the recorded one, the learner's, and what the lanes of a read take."""

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_09.questions import LINE_BYTES, WarpRead, right_address
from course_lib.draw.copies.swizzle_grid import swizzle_grid
from course_lib.draw.pen.svg import Picture
from course_lib.model.facts.enums import Swizzle
from course_lib.model.facts.limits import INNER_UNIT_BYTES as UNIT_BYTES
from course_lib.recordings.copies.swizzles import RecordedTile, in_units


def recorded_grid(tile: RecordedTile, unit: int) -> Picture:
    """The recorded tile, with one unit marked."""
    return swizzle_grid(tile.units, tile.units_in_row, tile.shared_address, (unit,), "What the H200 left")


def learners_grid(got: NDArray[np.uint8], tile: RecordedTile) -> Picture | None:
    """Which unit of the tensor lies where in the learner's tile; none where there is no whole unit in it."""
    numbers = {unit: number for number, unit in enumerate(in_units(tile.tensor))}
    units = [numbers.get(unit, -1) for unit in in_units(np.ascontiguousarray(got).reshape(-1))]
    wrong = {unit for place, unit in enumerate(units) if unit not in (place, -1)}
    return swizzle_grid(units, tile.units_in_row, 0, wrong, "Your tile, row after row") if max(units) >= 0 else None


def read_picture(mode: int, read: WarpRead) -> Picture | None:
    """The tile in this mode, with what the lanes read marked; none where there is no such tile."""
    if mode not in (0, 1, 2, 3) or read.turns(Swizzle(mode)) is None:
        return None
    in_row = read.row_bytes // UNIT_BYTES
    places = [(n // in_row, n % in_row * UNIT_BYTES) for n in range((max(row for row, _ in read.lanes) + 1) * in_row)]
    at = np.array([right_address(Swizzle(mode), read.row_bytes, 0, row, byte) for row, byte in places])
    units = np.full(int(at.max()) // LINE_BYTES * 8 + 8, -1)
    units[at // UNIT_BYTES] = np.arange(at.size)
    marked = {row * in_row + byte // UNIT_BYTES for row, byte in read.lanes}
    return swizzle_grid(units, in_row, 0, marked, f"{Swizzle(mode).name}: the units that the lanes read are dark")
