"""How a box lies in shared memory: rows of 16-byte units, one after the other, then swizzled by address.

    row 0   │unit 0│unit 1│ … │ gap up to the swizzle span, left untouched │
    row 1   │unit 0│unit 1│ … │

Source: load.jsonl, load_offset.jsonl (NVIDIA H200).
"""

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import copied_shape, packet_bytes, span_bytes
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.model.facts.swizzle import pattern_of

Units = NDArray[np.int64]
PHASE_BYTES = 1024  # every pattern repeats at these addresses
CACHED_LAYOUTS = 128


class Layout(NamedTuple):
    """Where the units of a box lie, counted from the 1024-byte boundary at or below the box."""

    target_units: Units  # (rows, units of a row), in 16-byte units
    end_bytes: int  # one past the last byte touched


def rows_and_units(m: Any) -> tuple[int, int]:
    """Rows of a box in shared memory and 16-byte units of a row; with interleave a row is one packet."""
    shape = copied_shape(m)
    if packet := packet_bytes(m):
        return prod(shape), packet // INNER_UNIT_BYTES
    return prod(shape[1:]), shape[0] * m.data_type.size_bytes // INNER_UNIT_BYTES


def row_pitch_bytes(m: Any) -> int:
    """Bytes from row to row: the row itself, or the swizzle span where that is wider; packets always lie close."""
    if packet := packet_bytes(m):
        return packet
    row_bytes = rows_and_units(m)[1] * INNER_UNIT_BYTES
    return max(row_bytes, span_bytes(m) or 0)


@lru_cache(CACHED_LAYOUTS)
def layout(m: Any, phase_bytes: int) -> Layout:
    """Where the units of a box lie whose shared address is ``phase_bytes`` past a 1024-byte boundary."""
    rows, units = rows_and_units(m)
    linear = np.arange(rows)[:, None] * row_pitch_bytes(m) + np.arange(units) * INNER_UNIT_BYTES
    target = pattern_of(m.swizzle)(phase_bytes + linear)
    return Layout(target // INNER_UNIT_BYTES, int(target.max()) + INNER_UNIT_BYTES)
