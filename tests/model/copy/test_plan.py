"""Where each unit of a tiled copy comes from, and how much of it is the tensor's: every small case against a loop."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from course_lib import DataType, DeviceFault, Interleave, TiledTensorMap, load
from course_lib.model.call.sizes import copied_shape
from course_lib.model.copy.plan import tiled_box, tiled_plan
from tests.model.memories import counting, zeros

PLANE = TiledTensorMap(
    data_type=DataType.UINT16, global_address=512, global_dim=(21, 4), global_strides=(64,), box_dim=(16, 2)
)
STEPPED = replace(PLANE, box_dim=(16, 4), element_strides=(3, 3))
CUBE = TiledTensorMap(
    data_type=DataType.UINT64,
    global_address=512,
    global_dim=(3, 2, 3),
    global_strides=(48, 160),
    box_dim=(2, 2, 2),
)
PACKETS = TiledTensorMap(
    data_type=DataType.UINT8,
    global_address=512,
    global_dim=(10, 2, 3),
    global_strides=(320, 640),
    box_dim=(16, 1, 2),
    element_strides=(8, 1, 1),
    interleave=Interleave.B32,
)
MAPS = {"plane": PLANE, "stepped": STEPPED, "cube": CUBE, "packets": PACKETS}


def by_loop(m, coordinates):
    """(address, bytes inside) of each 16-byte unit, one byte after the other."""
    element = {0: m.data_type.size_bytes, 1: 16, 2: 32}[m.interleave]
    strides = (element, *m.global_strides)
    steps = m.element_strides if m.interleave else (1, *m.element_strides[1:])
    bytes_of = []
    for backwards in product(*(range(n) for n in reversed(copied_shape(m)))):
        where = [c + k * s for c, k, s in zip(coordinates, backwards[::-1], steps, strict=True)]
        inside = all(0 <= w < d for w, d in zip(where, m.global_dim, strict=True))
        address = m.global_address + sum(w * s for w, s in zip(where, strides, strict=True))
        bytes_of += [(address + i, inside) for i in range(element)]
    units = [bytes_of[i : i + 16] for i in range(0, len(bytes_of), 16)]
    return [unit[0][0] // 16 for unit in units], [sum(inside for _, inside in unit) for unit in units]


def starts(m):
    """Every start around the tensor that the engine takes."""
    unit = 1 if m.interleave else 16 // m.data_type.size_bytes
    inner = [c for c in range(-2 * unit, m.global_dim[0] + 2 * unit) if c % unit == 0]
    return product(inner, *(range(-3, dim + 2) for dim in m.global_dim[1:]))


@pytest.mark.parametrize("name", MAPS)
def test_units_and_what_is_inside_are_those_of_a_loop_over_bytes_at_every_start(name):
    m = MAPS[name]
    for start in starts(m):
        plan = tiled_plan(m, start, 0)
        units, inside = by_loop(m, start)
        assert plan.source_units.ravel().tolist() == [unit % 2**60 for unit in units]
        told = np.full(len(units), 16) if plan.inside is None else plan.inside.ravel()
        assert told.tolist() == inside


@pytest.mark.parametrize("name", MAPS)
def test_a_box_is_interior_where_every_byte_is_inside(name):
    m = MAPS[name]
    kinds = set()
    for start in starts(m):
        inside = by_loop(m, start)[1]
        assert tiled_box(m).is_interior(start) == (set(inside) == {16})
        kinds.add(tiled_box(m).is_interior(start))
    assert kinds == {True, False}


@pytest.mark.parametrize("address", [0, 128, 1024, 1152, 5 * 1024 + 640])
def test_the_shared_address_moves_the_box_and_keys_the_pattern(address):
    m = replace(PLANE, swizzle=2)
    moved, still = tiled_plan(m, (0, 0), address), tiled_plan(m, (0, 0), address % 1024)
    assert (moved.target_units - still.target_units == address // 1024 * 64).all()
    assert moved.shared_end_bytes - still.shared_end_bytes == address // 1024 * 1024
    assert moved.shared_end_bytes == 16 * (int(moved.target_units.max()) + 1)


def test_coordinates_at_the_ends_of_32_bits_lie_outside_and_far():
    low, high = (tiled_plan(PLANE, (c, c), 0) for c in (-(2**31), 2**31 - 8))
    assert (low.inside == 0).all()
    assert (high.inside == 0).all()
    assert (low.base_unit, high.base_unit) == tuple((512 + c * (2 + 64)) // 16 % 2**60 for c in (-(2**31), 2**31 - 8))


@pytest.mark.parametrize("row", [2**29, 2**30, 2**30 + 1, 2**31 - 1, -(2**30)])
def test_an_address_past_64_bits_goes_around_to_one_that_is_there(row):
    m = replace(PLANE, global_dim=(21, 2**31), global_strides=(2**34,), box_dim=(16, 1))
    window, expected = zeros(64), zeros(64)
    if row < 0:
        load(m, (0, row), zeros(1024), window)  # outside the tensor: nothing is read
    elif row == 2**30:  # 2**30 * 2**34 = 2**64
        load(m, (0, 0), counting(1024), expected)
        load(m, (0, row), counting(1024), window)
    else:
        with pytest.raises(DeviceFault, match="700"):
            load(m, (0, row), counting(1024), window)
    assert window.tobytes() == expected.tobytes()
