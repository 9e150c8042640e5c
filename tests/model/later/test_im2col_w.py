"""im2col::w and im2col::w::128 by the examples of PTX ISA 9.1, section 5.5.5: sm_90 has neither."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib import DeviceFault, IllegalTensorMap, Im2colWideTensorMap, NotMeasured, Swizzle
from course_lib.model.later.im2col_w import load_wide, wide_positions
from tests.model.memories import UNTOUCHED, window

# The documents' first example: C 128, W 9, H 7, N 64, 64 channels and 128 pixels a column, corners 0.
EXAMPLE = Im2colWideTensorMap(
    data_type=1,
    global_address=0,
    global_dim=(128, 9, 7, 64),
    global_strides=(256, 9 * 256, 63 * 256),
    pixel_box_lower_corner_width=0,
    pixel_box_upper_corner_width=0,
    channels_per_pixel=64,
    pixels_per_column=128,
    swizzle=Swizzle.B128,
)
IMAGES = np.arange(9 * 7 * 64, dtype=np.uint16).repeat(128).view(np.uint8)  # every channel holds its pixel's number


def pixels_of(shared, count):
    """The numbers of the pixels in a window of 128-byte rows, whatever the swizzle: all units of a row are alike."""
    return shared[: count * 128].view(np.uint16).reshape(count, 64)[:, 0].tolist()


def number(width, height, image):
    return (image * 7 + height) * 9 + width


def test_the_example_loads_128_pixels_and_two_halo_pixels():
    shared = window(130 * 128)
    copied = load_wide(EXAMPLE, (0, 3, 2, 7), IMAGES, shared, w_halo=2)
    assert copied.transaction_bytes == 130 * 128
    assert pixels_of(shared, 130)[:8] == [number(w, 2, 7) for w in range(3, 9)] + [number(w, 2, 8) for w in range(2)]


def test_height_stays_and_the_row_goes_on_in_the_next_image():
    shared = window(128 * 128)
    load_wide(EXAMPLE, (0, 3, 2, 7), IMAGES, shared)
    flat = [(image, w) for image in range(7, 30) for w in range(9)][3 : 3 + 128]
    assert pixels_of(shared, 128) == [number(w, 2, image) for image, w in flat]


def test_the_halo_of_w_stands_once_behind_the_row_and_goes_on_where_it_stops():
    shared = window(130 * 128)
    load_wide(EXAMPLE, (0, 3, 2, 7), IMAGES, shared, w_halo=2)
    longer = window(130 * 128)
    load_wide(replace(EXAMPLE, pixels_per_column=130), (0, 3, 2, 7), IMAGES, longer)
    assert (shared == longer).all()


def test_w_128_takes_128_pixels_whatever_the_map_says_and_a_halo_after_every_32():
    wide = replace(EXAMPLE, wide_mode=1, pixels_per_column=5)
    shared, plain = window(136 * 128), window(136 * 128)
    assert load_wide(wide, (0, 3, 2, 7), IMAGES, shared, w_halo=2).transaction_bytes == 136 * 128
    load_wide(replace(EXAMPLE, pixels_per_column=136), (0, 3, 2, 7), IMAGES, plain)
    row = pixels_of(plain, 136)
    groups = [row[first : first + 34] for first in (0, 32, 64, 96)]
    assert pixels_of(shared, 136) == [pixel for group in groups for pixel in group]


def test_the_offset_moves_the_box_and_the_start_of_a_strided_row():
    # The documents' example 2: W 7, corners -1, a step of 3, one buffer for each column of a 3-wide filter.
    narrow = replace(
        EXAMPLE,
        global_dim=(128, 7, 7, 64),
        pixel_box_lower_corner_width=-1,
        pixel_box_upper_corner_width=-1,
        element_strides=(1, 3, 1, 1),
    )
    widths = [wide_positions(narrow, (0, -1, 2, 7), 0, offset)[1][:5].tolist() for offset in range(3)]
    assert widths == [[-1, 2, 5, -1, 2], [0, 3, 6, 0, 3], [1, 4, 7, 1, 4]]


def test_a_halo_pixel_of_a_strided_row_is_the_next_of_the_row():
    # The documents' example 1: corners -1 and 0, a step of 2, a halo of 1.
    strided = replace(EXAMPLE, pixel_box_lower_corner_width=-1, element_strides=(1, 2, 1, 1), pixels_per_column=4)
    assert wide_positions(strided, (0, -1, 2, 0), 1, 0)[1].tolist() == [-1, 1, 3, 5, 7]


def test_pixels_left_and_right_of_the_image_are_filled():
    padded = replace(EXAMPLE, pixel_box_lower_corner_width=-1, pixel_box_upper_corner_width=1, pixels_per_column=11)
    shared = window(11 * 128)
    load_wide(padded, (0, -1, 0, 1), IMAGES, shared)
    assert pixels_of(shared, 11) == [0, *(number(w, 0, 1) for w in range(9)), 0]


def test_the_start_may_lie_left_of_the_box_and_not_right_of_it():
    inner = replace(EXAMPLE, pixel_box_lower_corner_width=2)
    assert wide_positions(inner, (0, 0, 0, 0), 0, 0)[1][:12].tolist() == [*range(9), 2, 3, 4]
    with pytest.raises(DeviceFault, match=r"715.*right of the bounding box, 2 to 8"):
        load_wide(inner, (0, 9, 0, 0), IMAGES, window(130 * 128))


@pytest.mark.parametrize(("mode", "halo"), [(0, 512), (1, 32)])
def test_the_halo_has_a_limit_by_mode(mode, halo):
    wide = replace(EXAMPLE, wide_mode=mode)
    with pytest.raises(ValueError, match=f"w_halo = {halo}: it must be 0 to {halo - 1}"):
        load_wide(wide, (0, 0, 0, 0), IMAGES, window(), w_halo=halo)
    with pytest.raises(ValueError, match="w_offset = 32: it must be 0 to 31"):
        load_wide(wide, (0, 0, 0, 0), IMAGES, window(), w_offset=32)


def test_hopper_other_calls_and_a_mode_without_swizzle_are_refused():
    with pytest.raises(NotMeasured, match="from sm_100 on"):
        load_wide(EXAMPLE, (0, 0, 0, 0), IMAGES, window(), target="sm_90")
    with pytest.raises(ValueError, match="without interleave"):
        load_wide(replace(EXAMPLE, interleave=1), (0, 0, 0, 0), IMAGES, window())
    with pytest.raises(IllegalTensorMap, match="B64, B128, B128_ATOM_32B"):
        load_wide(replace(EXAMPLE, swizzle=Swizzle.NONE), (0, 0, 0, 0), IMAGES, window())


def test_a_wide_load_that_does_not_fit_writes_nothing():
    shared = window(129 * 128)
    with pytest.raises(ValueError, match="shared_memory"):
        load_wide(EXAMPLE, (0, 0, 0, 0), IMAGES, shared, w_halo=2)
    assert (shared == UNTOUCHED).all()
