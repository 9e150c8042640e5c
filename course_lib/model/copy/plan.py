"""Where each piece of a tiled or interleaved copy comes from and goes to: a value that can be drawn and cached.

A piece is one 16-byte unit. Element positions are ``coordinate + k * element stride``; what lies outside the tensor is
decided element by element along the innermost dimension and position by position along the others.
Source: load.jsonl, load_windows.jsonl, store.jsonl (NVIDIA H200).
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.layout import PHASE_BYTES, Geometry, Layout, Units, geometry, layout
from course_lib.model.facts.limits import INNER_UNIT_BYTES

CACHED_OFFSETS = 128
ADDRESS_UNITS = 2**64 // INNER_UNIT_BYTES  # addresses are numbers modulo 2**64: load_wrap.jsonl (NVIDIA H200)


class Plan(NamedTuple):
    """One copy as 16-byte units. The arrays are (rows, units of a row); addresses count in units too."""

    offset_units: Units  # of each unit in global memory, from ``base_unit``
    base_unit: int  # 0 to 2**60 - 1
    inside: NDArray[np.int64] | None  # how many of a unit's 16 bytes are the tensor's; None where all are
    layout: Layout
    shared_base_unit: int  # added to the layout's addresses
    shared_end_bytes: int  # one past the last byte of shared memory that the box reaches

    @property
    def source_units(self) -> Units:
        """The address of each unit in global memory, in 16-byte units, 0 to 2**60 - 1."""
        return self.offset_units + self.base_unit & ADDRESS_UNITS - 1

    @property
    def target_units(self) -> Units:
        """Where each unit lies in shared memory, in 16-byte units."""
        return self.layout.target_units + self.shared_base_unit if self.shared_base_unit else self.layout.target_units


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


def counted_axes(m: TiledTensorMap, box: Geometry, coordinates: Sequence[int]) -> list[Axis]:
    """The dimensions whose positions are in or out as a whole, outermost first: all but the inner row's."""
    columns = zip(coordinates, box.shape, m.element_strides, box.strides_bytes, m.global_dim, strict=True)
    axes = [Axis(*column) for column in columns]
    return axes[::-1] if m.interleave else axes[:0:-1]


class TiledBox(NamedTuple):
    """What every copy of a tiled map shares in global memory."""

    strides_bytes: tuple[int, ...]
    offset_units: Units  # of every unit from the first one of the box, (rows, units), never decreasing
    ends: tuple[int, ...]  # by dimension, one past the last coordinate at which the box lies wholly inside

    def is_interior(self, coordinates: Sequence[int]) -> bool:
        """Does a box at ``coordinates`` lie wholly inside the tensor?"""
        return all(0 <= c < end for c, end in zip(coordinates, self.ends, strict=True))


@lru_cache(CACHED_OFFSETS)
def tiled_box(m: TiledTensorMap) -> TiledBox:
    """The box of a map, wherever it is put."""
    box, rows = geometry(m), np.zeros((1,), np.int64)
    for axis in counted_axes(m, box, (0,) * len(m.global_dim)):
        rows = (rows[:, None] + np.arange(axis.positions) * (axis.step * axis.stride_bytes)).ravel()
    steps = m.element_strides if m.interleave else (1, *m.element_strides[1:])
    columns = zip(m.global_dim, box.shape, steps, strict=True)
    ends = tuple(size - (positions - 1) * step for size, positions, step in columns)
    return TiledBox(box.strides_bytes, rows[:, None] // INNER_UNIT_BYTES + np.arange(box.units), ends)


def inside_row(element_bytes: int, first: int, count: int, size: int) -> NDArray[np.int64]:
    """How many bytes of each unit of an inner row of ``count`` elements lie in the tensor, whose dimension 0 has
    ``size`` elements; the row starts at element ``first``.
    """
    begins = first * element_bytes + np.arange(count * element_bytes // INNER_UNIT_BYTES) * INNER_UNIT_BYTES
    return np.where(begins < 0, 0, np.clip(size * element_bytes - begins, 0, INNER_UNIT_BYTES))


def inside_bytes(m: TiledTensorMap, coordinates: Sequence[int]) -> NDArray[np.int64]:
    """How many bytes of every unit lie in the tensor, (rows, units)."""
    box, rows = geometry(m), np.ones((1,), np.bool_)
    for axis in counted_axes(m, box, coordinates):
        rows = (rows[:, None] & axis.inside).ravel()
    if m.interleave:
        row = np.full(box.units, INNER_UNIT_BYTES)
    else:
        row = inside_row(box.strides_bytes[0], coordinates[0], m.box_dim[0], m.global_dim[0])
    return np.where(rows[:, None], row, 0)


def tiled_plan(m: TiledTensorMap, coordinates: Sequence[int], shared_address: int) -> Plan:
    """The plan of a tiled copy whose box starts at ``coordinates`` (innermost first, elements, any int32)."""
    box = tiled_box(m)
    base = m.global_address + sum(map(mul, coordinates, box.strides_bytes))
    phase = shared_address % PHASE_BYTES
    place, start = layout(m, phase), shared_address - phase
    return Plan(
        offset_units=box.offset_units,
        base_unit=base // INNER_UNIT_BYTES % ADDRESS_UNITS,
        inside=None if box.is_interior(coordinates) else inside_bytes(m, coordinates),
        layout=place,
        shared_base_unit=start // INNER_UNIT_BYTES,
        shared_end_bytes=start + place.end_bytes,
    )
