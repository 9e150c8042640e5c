"""im2col::w and im2col::w::128: pixels along the width only, with halo pixels for a filter.

    im2col::w       │ pixels_per_column pixels                     │ halo │
    im2col::w::128  │ 32 pixels │ halo │ 32 │ halo │ 32 │ halo │ 32 │ halo │

Documented, not measured: sm_90 has neither, and makes a plain im2col map of the wide call. Where the halo pixels come
from the documents show in figures only; here they go on where the main pixels stop.
Source: PTX ISA 9.1 section 5.5.5, CUDA Driver API 13.5, cuTensorMapEncodeIm2colWide.

No lesson teaches it yet: lesson 12 will.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_lib.model.call.arguments import Memory, as_integer, coordinates_of, shared_address_of
from course_lib.model.call.sizes import transaction_bytes
from course_lib.model.call.tensor_map import Im2colWideTensorMap
from course_lib.model.copy import traps
from course_lib.model.copy.im2col import Positions, Walk, plan_of_pixels
from course_lib.model.copy.transfer import Copied, perform_load
from course_lib.model.facts.enums import Im2colWideMode
from course_lib.model.facts.faults import ILLEGAL_INSTRUCTION, DeviceFault, NotMeasured

PIXELS_OF_W128 = 128
PIXELS_BEFORE_HALO = 32
HALO_LIMIT: dict[int, int] = {Im2colWideMode.W: 512, Im2colWideMode.W128: 32}
OFFSET_LIMIT = 32


def load_wide(
    tensor_map: Im2colWideTensorMap,
    coordinates: Sequence[int],
    global_memory: Memory,
    shared_memory: Memory,
    *,
    w_halo: int = 0,
    w_offset: int = 0,
    shared_address: int = 0,
    target: str = "sm_100",
) -> Copied:
    """Load pixels of a wide map along the width from ``coordinates`` (C, W, H, D, N) on.

    ``w_halo`` is 0 to 511 (to 31 in mode W128), ``w_offset`` 0 to 31 and moves box and start. Errors as for ``load``,
    NotMeasured for sm_90.
    """
    must_be_wide(tensor_map, target)
    where, address = coordinates_of(tensor_map, coordinates), shared_address_of(shared_address)
    halo = in_range("w_halo", w_halo, HALO_LIMIT[tensor_map.wide_mode])
    positions = wide_positions(tensor_map, where, halo, in_range("w_offset", w_offset, OFFSET_LIMIT))
    column = replace(tensor_map, pixels_per_column=positions[0].size)
    traps.must_start_on_a_unit(column, where)
    traps.must_be_aligned(address)
    perform_load(column, plan_of_pixels(column, positions, address), global_memory, shared_memory)
    return Copied(transaction_bytes(column))


def pixel_ticks(m: Im2colWideTensorMap, halo: int) -> Positions:
    """For each pixel in shared memory the number of steps of the walk that lead to it."""
    if m.wide_mode == Im2colWideMode.W:
        return np.arange(m.pixels_per_column + halo)
    groups = np.arange(0, PIXELS_OF_W128, PIXELS_BEFORE_HALO)
    return (groups[:, None] + np.arange(PIXELS_BEFORE_HALO + halo)).ravel()


def wide_positions(m: Im2colWideTensorMap, coordinates: Sequence[int], halo: int, offset: int) -> list[Positions]:
    """The position of every pixel in every dimension: the width walks, height and depth stay, the batch follows."""
    lower, last = m.pixel_box[0][0], m.global_dim[1] - 1 + m.pixel_box[1][0]
    if coordinates[1] > last:
        raise DeviceFault(
            ILLEGAL_INSTRUCTION, f"the start {coordinates[1]} lies right of the bounding box, {lower} to {last}"
        )
    walk = Walk(coordinates[1], lower, last, m.element_strides[1])
    ticks = pixel_ticks(m, halo)
    width, images = walk.step_through(ticks)
    kept = [np.full(ticks.size, c) for c in coordinates]
    return [kept[0], width + offset, *kept[2:-1], kept[-1] + images]


def in_range(name: str, value: Any, limit: int) -> int:
    """``value`` if it is 0 to limit - 1. ValueError otherwise."""
    number = as_integer(name, value)
    if not 0 <= number < limit:
        raise ValueError(f"{name} = {number}: it must be 0 to {limit - 1}")
    return number


def must_be_wide(m: Im2colWideTensorMap, target: str) -> None:
    """NotMeasured for sm_90, ValueError for another call's map or interleave, IllegalTensorMap for a refused one."""
    if target.startswith("sm_90"):
        raise NotMeasured(f"target={target!r}: im2col::w exists from sm_100 on; sm_90 makes a plain im2col map")
    if not isinstance(m, Im2colWideTensorMap) or m.interleave:
        raise ValueError("tensor_map: im2col::w takes a map of cuTensorMapEncodeIm2colWide without interleave")
    traps.must_be_legal(m, target)
