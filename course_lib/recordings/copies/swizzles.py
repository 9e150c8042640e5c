"""Tiles that a real copy left in shared memory: every swizzle at eight shared addresses; narrow, low and deep boxes."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.recordings.files import committed, read_rows
from course_lib.recordings.replay.windows import Windows
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, source_bytes
from course_lib.rows.row import RecordingError, Row

FILE = "load_swizzle.jsonl.xz"
NOTHING = -1


class RecordedTile(NamedTuple):
    """A load of a whole dense tensor, and the shared memory that it left. Index 0 of ``shared`` lies on 1024 bytes."""

    tensor_map: TiledTensorMap
    shared_address: int
    transaction_bytes: int
    tensor: NDArray[np.uint8]  # the bytes of the tensor, row after row
    shared: NDArray[np.uint8]

    @property
    def row_bytes(self) -> int:
        """Bytes in a row of the box."""
        return self.tensor_map.box_dim[0] * DataType(self.tensor_map.data_type).size_bytes

    @property
    def rows(self) -> int:
        """Rows of the box; those of all its planes."""
        return self.transaction_bytes // self.row_bytes

    @property
    def units_in_row(self) -> int:
        """16-byte units in a row of the box."""
        return self.row_bytes // INNER_UNIT_BYTES

    @property
    def units(self) -> NDArray[np.int64]:
        """For each 16 bytes of shared memory: which unit of the tensor lies there, counted row by row, or -1.

        The tensor is random, so each of its units is found by its bytes alone, and only if it is whole.
        """
        numbers = {unit: number for number, unit in enumerate(in_units(self.tensor))}
        return np.array([numbers.get(unit, NOTHING) for unit in in_units(self.shared)])

    @property
    def addresses(self) -> NDArray[np.int64]:
        """For each unit of the tensor, counted row by row: the shared address (bytes) at which it lies."""
        units = self.units
        places = np.flatnonzero(units != NOTHING)
        return places[np.argsort(units[places])] * INNER_UNIT_BYTES


def in_units(memory: NDArray[np.uint8]) -> list[bytes]:
    """Memory cut into its 16-byte units."""
    return [bytes(unit) for unit in memory.reshape(-1, INNER_UNIT_BYTES)]


@lru_cache(1)
def recorded_tiles() -> tuple[RecordedTile, ...]:
    """All of them, in the order in which they were recorded."""
    windows = Windows(committed(FILE))
    return tuple(_tile(windows.attached(row)) for row in read_rows(committed(FILE)))


def _tile(row: Row) -> RecordedTile:
    first, size = row["global_address"], row["transaction_bytes"]
    tensor = source_bytes(row["seed"], GLOBAL_BYTES_OF_LOADS)[first : first + size]
    shared = np.frombuffer(row["window"], np.uint8)
    return RecordedTile(tensor_map_of(row), row["shared_address"], size, tensor, shared)  # type: ignore[arg-type]


def recorded_tile(
    swizzle: int, shared_address: int = 0, row_bytes: int | None = None, rows: int | None = None
) -> RecordedTile:
    """The first recorded tile with this swizzle, shared address (bytes) and shape; 2048 bytes of full rows by default.

    RecordingError where none was recorded.
    """
    for tile in recorded_tiles():
        shape_fits = row_bytes in (None, tile.row_bytes) and rows in (None, tile.rows)
        if (tile.tensor_map.swizzle, tile.shared_address) == (swizzle, shared_address) and shape_fits:
            return tile
    raise RecordingError(f"swizzle={swizzle}, shared_address={shared_address}, {row_bytes=}, {rows=}: not recorded")
