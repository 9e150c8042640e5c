"""Where each piece of a tiled or interleaved copy comes from and goes to: a value that can be drawn and cached.

A piece is one 16-byte unit. Element positions are ``coordinate + k * element stride``; what lies outside the tensor is
decided element by element along the innermost dimension and position by position along the others.
Source: load.jsonl, load_windows.jsonl, store.jsonl (NVIDIA H200).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import copied_shape, packet_bytes
from course_lib.model.copy.layout import PHASE_BYTES, Layout, Units, layout, rows_and_units
from course_lib.model.facts.limits import INNER_UNIT_BYTES

CACHED_OFFSETS = 128
NOWHERE_BYTES = 2**60  # beyond every address that a tensor map can hold, and safe to add to


class Plan(NamedTuple):
    """One copy as 16-byte units. The arrays are (rows, units of a row); addresses count in units too."""

    offset_units: Units  # of each unit in global memory, from ``base_unit``
    base_unit: int
    inside: NDArray[np.int64] | None  # how many of a unit's 16 bytes are the tensor's; None where all are
    layout: Layout
    shared_base_unit: int  # added to the layout's addresses

    @property
    def source_units(self) -> Units:
        """Where each unit lies in global memory, in 16-byte units."""
        return self.offset_units + self.base_unit

    @property
    def target_units(self) -> Units:
        """Where each unit lies in shared memory, in 16-byte units."""
        return self.layout.target_units + self.shared_base_unit if self.shared_base_unit else self.layout.target_units

    @property
    def shared_end_bytes(self) -> int:
        """One past the last byte of shared memory that the box reaches."""
        return self.shared_base_unit * INNER_UNIT_BYTES + self.layout.end_bytes


class Axis(NamedTuple):
    """Positions along one counted dimension of a box."""

    coordinate: int
    positions: int  # how many
    step: int  # elements
    stride_bytes: int
    size: int  # of the tensor, elements

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Which positions lie in the tensor."""
        where = self.coordinate + np.arange(self.positions) * self.step
        return (where >= 0) & (where < self.size)


def stride_bytes(m: Any) -> tuple[int, ...]:
    """The stride of every dimension, the implied one of dimension 0 included: an element, or a packet."""
    return (packet_bytes(m) or m.data_type.size_bytes, *m.global_strides)


def counted_axes(m: Any, coordinates: Sequence[int]) -> list[Axis]:
    """The dimensions whose positions are in or out as a whole, outermost first: all but the inner row's."""
    columns = zip(coordinates, copied_shape(m), m.element_strides, stride_bytes(m), m.global_dim, strict=True)
    axes = [Axis(*column) for column in columns]
    return axes[::-1] if m.interleave else axes[:0:-1]


@lru_cache(CACHED_OFFSETS)
def box_offset_units(m: Any) -> Units:
    """The offset of every unit from the first one of the box in global memory, (rows, units), never decreasing."""
    rows = np.zeros((1,), np.int64)
    for axis in counted_axes(m, (0,) * m.rank):
        rows = (rows[:, None] + np.arange(axis.positions) * (axis.step * axis.stride_bytes)).ravel()
    return rows[:, None] // INNER_UNIT_BYTES + np.arange(rows_and_units(m)[1])


def inside_row(m: Any, first: int, count: int, size: int) -> NDArray[np.int64]:
    """How many bytes of each unit of an inner row lie in the tensor; the row starts at element ``first``."""
    element = m.data_type.size_bytes
    begins = first * element + np.arange(count * element // INNER_UNIT_BYTES) * INNER_UNIT_BYTES
    return np.where(begins < 0, 0, np.clip(size * element - begins, 0, INNER_UNIT_BYTES))


def inside_bytes(m: Any, coordinates: Sequence[int]) -> NDArray[np.int64]:
    """How many bytes of every unit lie in the tensor, (rows, units)."""
    rows = np.ones((1,), np.bool_)
    for axis in counted_axes(m, coordinates):
        rows = (rows[:, None] & axis.inside).ravel()
    if m.interleave:
        row = np.full(rows_and_units(m)[1], INNER_UNIT_BYTES)
    else:
        row = inside_row(m, coordinates[0], m.box_dim[0], m.global_dim[0])
    return np.where(rows[:, None], row, 0)


@lru_cache(CACHED_OFFSETS)
def interior_ends(m: Any) -> tuple[int, ...]:
    """By dimension, one past the last coordinate at which the box lies wholly inside."""
    steps = m.element_strides if m.interleave else (1, *m.element_strides[1:])
    columns = zip(m.global_dim, copied_shape(m), steps, strict=True)
    return tuple(size - (positions - 1) * step for size, positions, step in columns)


def is_interior(m: Any, coordinates: Sequence[int]) -> bool:
    """Does a box at ``coordinates`` lie wholly inside the tensor?"""
    return all(0 <= c < end for c, end in zip(coordinates, interior_ends(m), strict=True))


def tiled_plan(m: Any, coordinates: Sequence[int], shared_address: int) -> Plan:
    """The plan of a tiled copy whose box starts at ``coordinates`` (innermost first, elements, any int32)."""
    base = m.global_address + sum(c * s for c, s in zip(coordinates, stride_bytes(m), strict=True))
    base = max(-NOWHERE_BYTES, min(base, NOWHERE_BYTES))
    phase = shared_address % PHASE_BYTES
    return Plan(
        offset_units=box_offset_units(m),
        base_unit=base // INNER_UNIT_BYTES,
        inside=None if is_interior(m, coordinates) else inside_bytes(m, coordinates),
        layout=layout(m, phase),
        shared_base_unit=(shared_address - phase) // INNER_UNIT_BYTES,
    )
