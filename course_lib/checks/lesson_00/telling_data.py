"""Test data in which a wrong tile would show: every two tiles must differ."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.shared.base import Wrong
from course_lib.draw import compare_values

SHOWN_BYTES = 8  # bytes of each tile in the picture


class Tiling(NamedTuple):
    """A matrix and the size of its tiles, which divide it evenly."""

    rows: int
    columns: int
    box_rows: int
    box_columns: int

    def tiles(self, matrix: NDArray[Any]) -> Iterator[tuple[tuple[int, int], NDArray[Any]]]:
        """Each tile with its coordinates, innermost first."""
        for row in range(0, self.rows, self.box_rows):
            for column in range(0, self.columns, self.box_columns):
                yield (column, row), matrix[row : row + self.box_rows, column : column + self.box_columns]


def tilings(seed: int) -> list[Tiling]:
    """A small one, one with more than 256 tiles, one with tiles of one row, and three drawn ones."""
    draw = random.Random(seed)
    drawn = []
    for _ in range(3):
        box_rows, box_columns = draw.choice((4, 8, 16)), draw.choice((16, 32, 64))
        drawn.append(Tiling(box_rows * draw.randint(3, 9), box_columns * draw.randint(3, 9), box_rows, box_columns))
    return [Tiling(16, 64, 4, 16), Tiling(64, 512, 4, 16), Tiling(24, 192, 1, 64), *drawn]


def must_tell_tiles(tiling: Tiling, got: Any) -> None:
    """Wrong unless ``got`` is a uint8 matrix of the right shape whose tiles all differ."""
    case = ", ".join(f"{name}={value}" for name, value in tiling._asdict().items())
    if not isinstance(got, np.ndarray) or got.dtype != np.uint8:
        kind = got.dtype if isinstance(got, np.ndarray) else type(got).__name__
        raise Wrong(f"for {case}: the function returned {kind}, not an array of uint8.")
    got = np.array(got)  # as it is now, whatever kind of array
    if got.shape != tiling[:2]:
        raise Wrong(f"for {case}: the shape is {got.shape} and should be {tuple(tiling[:2])}.")
    seen: dict[bytes, tuple[tuple[int, int], NDArray[Any]]] = {}
    for place, tile in tiling.tiles(got):
        first, same = seen.setdefault(tile.tobytes(), (place, tile))
        if first != place:
            names = f"tile {first}", f"tile {place}"
            picture = compare_values(same.ravel()[:SHOWN_BYTES], tile.ravel()[:SHOWN_BYTES], names, "first bytes")
            said = "hold the same bytes: a kernel that loads one for the other would pass."
            how = "A tile is named by the column and the row of its first element."
            raise Wrong(f"for {case}: {names[0]} and {names[1]} {said} {how}", picture)
