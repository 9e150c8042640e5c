"""What a copy is given: the error names the argument, and nothing is written."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from course_lib import DataType, Im2colTensorMap, ReduceOp, TiledTensorMap, load, reduce, store
from tests.model.memories import noise, window, zeros

PLANE = TiledTensorMap(
    data_type=DataType.UINT8, global_address=0, global_dim=(32, 8), global_strides=(32,), box_dim=(16, 4)
)
PIXELS = Im2colTensorMap(
    data_type=DataType.UINT8,
    global_address=0,
    global_dim=(16, 4, 4, 2),
    global_strides=(16, 64, 256),
    pixel_box_lower_corner=(0, 0),
    pixel_box_upper_corner=(0, 0),
    channels_per_pixel=16,
    pixels_per_column=4,
)
VOLUME = Im2colTensorMap(
    data_type=DataType.UINT8,
    global_address=0,
    global_dim=(16, 2, 2, 2, 2),
    global_strides=(16, 32, 64, 128),
    pixel_box_lower_corner=(0, 0, 0),
    pixel_box_upper_corner=(0, 0, 0),
    channels_per_pixel=16,
    pixels_per_column=4,
)
ROW = replace(
    PIXELS,
    global_dim=(16, 4, 2),
    global_strides=(16, 64),
    element_strides=(1, 1, 1),
    pixel_box_lower_corner=(0,),
    pixel_box_upper_corner=(0,),
)
LEGAL = {"coordinates": (0, 0), "global_memory": noise(1, 256), "shared_memory": None}


def refused(error, match, m=PLANE, **changed):
    """A load whose arguments are legal but for `changed` raises, and writes nothing."""
    shared = window()
    arguments = LEGAL | {"coordinates": (0,) * m.rank, "shared_memory": shared} | changed
    with pytest.raises(error, match=match):
        load(m, **arguments)
    assert np.array_equal(shared, window())


@pytest.mark.parametrize("name", ["global_memory", "shared_memory"])
@pytest.mark.parametrize(
    "value", [None, b"bytes", [1, 2], np.zeros(256, np.int8), np.zeros(256, np.float32), memoryview(b"x")]
)
def test_a_memory_that_is_no_array_of_uint8_is_a_type_error(name, value):
    refused(TypeError, f"^{name} must be a NumPy array of uint8, not", **{name: value})


@pytest.mark.parametrize("name", ["global_memory", "shared_memory"])
@pytest.mark.parametrize("value", [np.zeros((16, 16), np.uint8), np.zeros(512, np.uint8)[::2], np.zeros((), np.uint8)])
def test_a_memory_that_is_not_flat_is_a_value_error(name, value):
    refused(ValueError, f"^{name} must be one-dimensional and contiguous", **{name: value})


def test_the_memory_that_is_written_must_be_writeable_and_the_other_need_not():
    refused(ValueError, "^shared_memory is read-only", shared_memory=noise(1, 4096))
    with pytest.raises(ValueError, match=r"^global_memory is read-only"):
        store(PLANE, (0, 0), zeros(64), noise(1, 256))
    store(PLANE, (0, 0), noise(2, 64), zeros(256))


@pytest.mark.parametrize("value", [(0,), (0, 0, 0), ()])
def test_each_dimension_has_one_coordinate(value):
    refused(ValueError, rf"^coordinates has {len(value)} entries; a tensor map of rank 2 takes 2", coordinates=value)


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 2**63])
def test_a_coordinate_is_a_signed_32_bit_number(value):
    refused(ValueError, rf"^coordinates\[1\] = {value}", coordinates=(0, value))


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31)])
def test_the_ends_of_32_bits_are_coordinates(value):
    load(PLANE, (0, value), noise(1, 256), window())


@pytest.mark.parametrize("value", [(0, 1.0), (0, "1"), (0, None), (True, 0)])
def test_a_coordinate_that_is_no_integer_is_a_type_error(value):
    refused(TypeError, r"^coordinates\[[01]\] must be an integer", coordinates=value)


@pytest.mark.parametrize("value", [0, None, "00"])
def test_coordinates_that_are_no_sequence_are_a_type_error(value):
    refused(TypeError, "^coordinates must be a sequence of integers", coordinates=value)


def test_numpy_coordinates_and_addresses_will_do():
    ours, theirs = window(), window()
    load(PLANE, np.array([16, 2]), noise(1, 256), ours, shared_address=np.int64(128))
    load(PLANE, (16, 2), noise(1, 256), theirs, shared_address=128)
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("value", "error"), [(-128, ValueError), (1.5, TypeError), ("0", TypeError), (False, TypeError)]
)
def test_a_shared_address_is_an_integer_of_0_or_more(value, error):
    refused(error, "^shared_address", shared_address=value)


def test_a_box_that_reaches_past_shared_memory_is_a_value_error():
    load(PLANE, (0, 0), noise(1, 256), window(), shared_address=4096 - 128)
    refused(ValueError, "^shared_memory has 4096 bytes; the box reaches to byte 4160", shared_address=4096)


@pytest.mark.parametrize("size", [63, 64])
def test_shared_memory_must_hold_the_whole_box(size):
    if size == 64:
        load(PLANE, (0, 0), noise(1, 256), window(64))
    else:
        refused(ValueError, "^shared_memory has 63 bytes; the box reaches to byte 64", shared_memory=window(63))


def test_what_a_store_or_reduction_reads_must_hold_the_whole_box_too():
    memory = zeros(256)
    for copy in (store, partial(reduce, ReduceOp.ADD)):
        m = replace(PLANE, data_type=DataType.UINT32, global_dim=(8, 8), box_dim=(4, 4))
        copy(m, (0, 0), noise(2, 64), memory.copy())
        with pytest.raises(ValueError, match=r"^shared_memory has 63 bytes; the box reaches to byte 64"):
            copy(m, (0, 0), noise(2, 63), memory)
    assert np.array_equal(memory, zeros(256))


def test_a_box_outside_the_tensor_must_fit_shared_memory_too():
    refused(ValueError, "^shared_memory", coordinates=(0, 99), shared_memory=window(63))


def test_a_tiled_copy_takes_no_im2col_offsets():
    refused(ValueError, "^im2col_offsets: a tiled copy takes none", im2col_offsets=(0,))


@pytest.mark.parametrize("value", [(1,), (1, 1, 1)])
def test_each_spatial_dimension_has_one_offset(value):
    refused(ValueError, rf"^im2col_offsets has {len(value)} entries; rank 4 takes 2", PIXELS, im2col_offsets=value)


@pytest.mark.parametrize(
    ("m", "most"),
    [(ROW, 65535), (PIXELS, 255), (VOLUME, 31)],
)
def test_an_offset_fits_its_bits_by_rank(m, most):
    zero = (0,) * (m.rank - 3)
    load(m, (0,) * m.rank, noise(1, 512), window(), im2col_offsets=(most, *zero))
    refused(ValueError, rf"^im2col_offsets\[0\] = {most + 1}: at rank", m, im2col_offsets=(most + 1, *zero))
    refused(ValueError, r"^im2col_offsets\[0\] = -1: at rank", m, im2col_offsets=(-1, *zero))


def test_no_offsets_are_offsets_of_0():
    ours, theirs = window(), window()
    load(PIXELS, (0, 1, 1, 0), noise(1, 512), ours)
    load(PIXELS, (0, 1, 1, 0), noise(1, 512), theirs, im2col_offsets=(0, 0))
    assert np.array_equal(ours, theirs)
