"""Boxes of many sizes, and the copies that are timed on them."""

from collections.abc import Callable
from itertools import cycle
from typing import NamedTuple

import numpy as np

from course_lib import DataType, Swizzle, TiledTensorMap, load, store
from course_lib.model.copy import plain

ROW_BYTES = 128
TENSOR_ROWS, MEMORY_ROWS = 1024, 2048
PITCH_BYTES = 2048
GLOBAL = np.arange(MEMORY_ROWS * PITCH_BYTES, dtype=np.uint32).astype(np.uint8)
STARTS = [(64 * (i % 3), 8 * i) for i in range(8)]  # interior, so that the same work is done at each


class TimedBox(NamedTuple):
    """A box of bfloat16 rows of 128 bytes with 128B swizzle, and memory for it."""

    tensor_map: TiledTensorMap
    shared: np.ndarray
    target: np.ndarray

    @property
    def rows(self) -> int:
        return self.tensor_map.box_dim[1] * self.tensor_map.box_dim[2]

    @property
    def size_bytes(self) -> int:
        return self.rows * ROW_BYTES

    def copies(self) -> dict[str, Callable[[], object]]:
        """The copies to time, each at another start at every call."""
        at, edge = cycle(STARTS), (64, TENSOR_ROWS - max(self.tensor_map.box_dim[1] // 2, 1), 0)

        def start() -> tuple[int, int, int]:
            return (*next(at), 0)

        return {
            "load": lambda: load(self.tensor_map, start(), GLOBAL, self.shared),
            "load, edge": lambda: load(self.tensor_map, edge, GLOBAL, self.shared),
            "store": lambda: store(self.tensor_map, start(), self.shared, self.target),
            "NumPy": lambda: self.copy_strided(start()),
        }

    def copy_strided(self, start: tuple[int, int, int]) -> None:
        """A plain strided NumPy copy of the same bytes, without swizzle."""
        column, row = start[0] * 2, start[1]
        source = GLOBAL.reshape(MEMORY_ROWS, PITCH_BYTES)[row : row + self.rows, column : column + ROW_BYTES]
        self.shared[: self.size_bytes].reshape(self.rows, ROW_BYTES)[:] = source

    def plain(self) -> None:
        """The readable twin."""
        plain.load(self.tensor_map, (*STARTS[1], 0), GLOBAL, self.shared)


def make_box(rows: int) -> TimedBox:
    """A box of this many rows of 128 bytes."""
    most = min(rows, 256)
    tensor_map = TiledTensorMap(
        data_type=DataType.BFLOAT16,
        global_address=0,
        global_dim=(PITCH_BYTES // 2, TENSOR_ROWS, 4),
        global_strides=(PITCH_BYTES, 256 * PITCH_BYTES),
        box_dim=(ROW_BYTES // 2, most, rows // most),
        swizzle=Swizzle.B128,
    )
    return TimedBox(tensor_map, np.zeros(rows * ROW_BYTES, np.uint8), np.zeros(GLOBAL.size, np.uint8))
