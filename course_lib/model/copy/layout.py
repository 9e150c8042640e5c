"""How a box lies in shared memory: rows of 16-byte units, one after the other, then swizzled by address.

    row 0   │unit 0│unit 1│ … │ gap up to the swizzle span, left untouched │
    row 1   │unit 0│unit 1│ … │

Source: load.jsonl, load_offset.jsonl (NVIDIA H200).
"""

from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import copied_shape, packet_bytes, span_bytes, unit_bytes
from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.model.facts.swizzle import Pattern, pattern_of

Units = NDArray[np.int64]
PHASE_BYTES = 1024  # every pattern repeats at these addresses
CACHED_LAYOUTS = 128


class Geometry(NamedTuple):
    """What a map fixes for all of its copies; with interleave an element is a packet, and a row is one packet."""

    shape: tuple[int, ...]  # of what one copy moves, in elements
    strides_bytes: tuple[int, ...]  # of every dimension, the implied one of dimension 0 included
    rows: int  # of the box in shared memory
    units: int  # of a row
    row_pitch_bytes: int  # from row to row: the row itself, or the swizzle span where that is wider
    pattern: Pattern
    transaction_bytes: int  # what the barrier counts: the whole box, parts outside the tensor included


@lru_cache(CACHED_LAYOUTS)
def geometry(m: Call) -> Geometry:
    """The geometry of a legal call. Packets always lie close, whatever the swizzle span."""
    shape, packet, span, unit = copied_shape(m), packet_bytes(m), span_bytes(m), unit_bytes(m)
    rows, row_bytes = (prod(shape), packet) if packet else (prod(shape[1:]), shape[0] * unit)
    pitch = packet or max(row_bytes, span or 0)
    return Geometry(
        shape=shape,
        strides_bytes=(unit, *m.global_strides),
        rows=rows,
        units=row_bytes // INNER_UNIT_BYTES,
        row_pitch_bytes=pitch,
        pattern=pattern_of(m.swizzle),
        transaction_bytes=rows * row_bytes,
    )


def stride_bytes(m: Call) -> tuple[int, ...]:
    """The stride of every dimension, the implied one of dimension 0 included: an element, or a packet."""
    return geometry(m).strides_bytes


def rows_and_units(m: Call) -> tuple[int, int]:
    """Rows of a box in shared memory and 16-byte units of a row; with interleave a row is one packet."""
    return geometry(m).rows, geometry(m).units


def row_pitch_bytes(m: Call) -> int:
    """Bytes from row to row: the row itself, or the swizzle span where that is wider; packets always lie close."""
    return geometry(m).row_pitch_bytes


class Layout(NamedTuple):
    """Where the units of a box lie, counted from the 1024-byte boundary at or below the box."""

    target_units: Units  # (rows, units of a row), in 16-byte units
    end_bytes: int  # one past the last byte touched
    transaction_bytes: int  # what the barrier counts: the whole box, parts outside the tensor included


@lru_cache(CACHED_LAYOUTS)
def layout(m: Call, phase_bytes: int) -> Layout:
    """Where the units of a box lie whose shared address is ``phase_bytes`` past a 1024-byte boundary."""
    box = geometry(m)
    linear = np.arange(box.rows)[:, None] * box.row_pitch_bytes + np.arange(box.units) * INNER_UNIT_BYTES
    target = box.pattern(phase_bytes + linear)
    return Layout(target // INNER_UNIT_BYTES, int(target.max()) + INNER_UNIT_BYTES, box.transaction_bytes)
