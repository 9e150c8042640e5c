"""The plan of an im2col copy: one row of channels for each pixel of a walk through the bounding box.

    lower corner ┌──────────────┐      the walk starts at the coordinates, steps by the element strides,
                 │   · · ► · ·  │      falls back to the lower corner at the end of a row, goes on in the
                 │ · · · · ·    │      next row, then the next depth, then the next image of the batch (by
                 └──────────────┘      its element stride too); past the last one every element is outside
                     upper corner (counted from the last element)

Each pixel read lies at the walk's position plus the im2col offsets. Source: load.jsonl (NVIDIA H200).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import spatial_dimensions, spatial_slice
from course_lib.model.call.tensor_map import Im2colCall
from course_lib.model.copy.layout import PHASE_BYTES, geometry, layout
from course_lib.model.copy.plan import Plan, inside_row
from course_lib.model.facts.limits import INNER_UNIT_BYTES

Positions = NDArray[np.int64]


class Walk(NamedTuple):
    """One spatial dimension of the bounding box."""

    start: int
    lower: int  # first position
    last: int  # last position, included
    step: int

    @property
    def holds_start(self) -> bool:
        """Does the walk start inside the box?"""
        return self.lower <= self.start <= self.last

    def step_through(self, ticks: Positions) -> tuple[Positions, Positions]:
        """The position after each number of ticks, and how often the walk has fallen back to ``lower`` by then."""
        first_row = (self.last - self.start) // self.step + 1
        later = ticks - first_row
        row = (self.last - self.lower) // self.step + 1
        position = np.where(later < 0, self.start + ticks * self.step, self.lower + later % row * self.step)
        return position, np.where(later < 0, 0, 1 + later // row)


def walks(m: Im2colCall, coordinates: Sequence[int]) -> list[Walk]:
    """The bounding box, dimension by dimension, the innermost first."""
    lower, upper = m.pixel_box
    last = [size - 1 + corner for size, corner in zip(spatial_dimensions(m), upper, strict=True)]
    where = spatial_slice(m)
    return [Walk(*w) for w in zip(coordinates[where], lower, last, m.element_strides[where], strict=True)]


def pixel_positions(m: Im2colCall, coordinates: Sequence[int], offsets: Sequence[int]) -> list[Positions]:
    """The position of every pixel in every dimension of the tensor, in the tensor's order; channels stay where they are."""
    ticks = np.arange(m.pixels_per_column)
    spatial = []
    for walk, offset in zip(walks(m, coordinates), offsets, strict=True):
        position, ticks = walk.step_through(ticks)
        spatial.append(position + offset)
    channel_axis = m.rank - 2 if m.interleave else 0
    channels = np.full(m.pixels_per_column, coordinates[channel_axis])
    batch = coordinates[-1] + ticks * m.element_strides[-1]
    return [*spatial, channels, batch] if m.interleave else [channels, *spatial, batch]


def im2col_plan(m: Im2colCall, coordinates: Sequence[int], shared_address: int, offsets: Sequence[int]) -> Plan:
    """The plan of an im2col copy from ``coordinates``, with one offset for each spatial dimension."""
    return plan_of_pixels(m, pixel_positions(m, coordinates, offsets), shared_address)


def pixel_units(m: Im2colCall, positions: Sequence[Positions]) -> Positions:
    """The global address of every pixel in 16-byte units, 0 to 2**60 - 1: modulo 2**64, as uint64 computes."""
    terms = (p.astype(np.uint64) * np.uint64(s) for p, s in zip(positions, geometry(m).strides_bytes, strict=True))
    addresses = sum(terms, np.uint64(m.global_address))
    units: Positions = np.asarray(addresses // np.uint64(INNER_UNIT_BYTES)).astype(np.int64)
    return units


def plan_of_pixels(m: Im2colCall, positions: Sequence[Positions], shared_address: int) -> Plan:
    """The plan of a copy whose rows are pixels at ``positions``, one array for each dimension of the tensor."""
    whole = slice(None) if m.interleave else slice(1, None)
    sizes = zip(positions[whole], m.global_dim[whole], strict=True)
    pixels_inside = np.logical_and.reduce([(p >= 0) & (p < size) for p, size in sizes])
    begins = pixel_units(m, positions)
    box = geometry(m)
    if m.interleave:
        row = np.full(box.units, INNER_UNIT_BYTES)
    else:
        row = inside_row(box.strides_bytes[0], int(positions[0][0]), m.channels_per_pixel, m.global_dim[0])
    phase = shared_address % PHASE_BYTES
    place, start = layout(m, phase), shared_address - phase
    return Plan(
        offset_units=begins[:, None] + np.arange(row.size),
        base_unit=0,
        inside=np.where(pixels_inside[:, None], row, 0),
        layout=place,
        shared_base_unit=start // INNER_UNIT_BYTES,
        shared_end_bytes=start + place.end_bytes,
    )
