"""What went wrong with a swizzle, where a wrong answer tells it: one sentence each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_09.questions import WarpRead, plain_address, right_address
from course_lib.model.facts.enums import Swizzle
from course_lib.model.facts.limits import SWIZZLE_SPAN_BYTES
from course_lib.model.facts.swizzle import PATTERNS
from course_lib.recordings.copies.swizzles import RecordedTile


def address_slip(got: int, swizzle: Swizzle, row_bytes: int, shared_address: int, row: int, byte: int) -> str:
    """What a wrong address looks like."""
    relative = right_address(swizzle, row_bytes, 0, row, byte)
    mask = PATTERNS[swizzle].mask
    dense = shared_address + row * row_bytes + byte
    if got == shared_address + relative:
        return "That is keyed to the place in the tile; the key is the whole address."
    if got == plain_address(swizzle, row_bytes, shared_address, row, byte):
        return "That is where it would lie without the XOR."
    if got == relative:
        return "That is the place in a tile at address 0."
    if row_bytes < (SWIZZLE_SPAN_BYTES[swizzle] or 0) and got == dense ^ ((dense & mask) >> 3):
        return "A row takes a whole span in shared memory, also where it is narrower."
    return "The marked unit holds it."


def tile_slip(got: NDArray[np.uint8], tile: RecordedTile) -> str:
    """What a wrong tile looks like."""
    places, base = np.arange(got.size), tile.shared_address
    if np.array_equal(got.reshape(-1), tile.shared[base + places]):
        return "That is the tile as it lies in shared memory: find each byte by address_of."
    cells: Any = np.indices((tile.rows, tile.row_bytes))
    mode = Swizzle(tile.tensor_map.swizzle)
    if np.array_equal(got, tile.shared[base + right_address(mode, tile.row_bytes, 0, *cells)]):
        return "That is keyed to the place in the tile; the key is the whole address."
    if np.array_equal(got, tile.shared[right_address(mode, tile.row_bytes, 0, *cells)]):
        return "That is what lies at address 0; the tile begins at shared_address."
    return ""


def mode_slip(got: int, read: WarpRead) -> str:
    """Why a mode is not the one."""
    if got not in (0, 1, 2, 3):
        return f"you say {got}, which is no mode of this chip."
    mode, best = Swizzle(got), read.best
    turns = read.turns(mode)
    if turns is None:
        return f"under {mode.name} a row has at most {SWIZZLE_SPAN_BYTES[mode]} bytes: the driver refuses the call."
    if turns == read.turns(best):
        return f"{mode.name} takes {turns} turns, and so does {best.name}, which comes first."
    return f"{mode.name} takes {turns} turns, {best.name} takes {read.turns(best)}."
