"""The im2col walk: a pixel after the other through the bounding box, then the next image."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from course_lib import DataType, DeviceFault, Im2colTensorMap, Interleave, load
from course_lib.model.copy.im2col import Walk, im2col_plan, pixel_positions, walks
from tests.model.memories import counting, window

PIXELS = Im2colTensorMap(
    data_type=DataType.UINT8,
    global_address=0,
    global_dim=(16, 4, 3, 2),
    global_strides=(16, 64, 192),
    pixel_box_lower_corner=(0, 0),
    pixel_box_upper_corner=(0, 0),
    channels_per_pixel=16,
    pixels_per_column=8,
)


def test_a_walk_steps_through_its_dimension_and_falls_back_as_one_step_after_the_other():
    ticks = np.arange(25)
    for lower, size, step in product((-2, 0, 1), range(1, 6), (1, 2, 3, 8)):
        for start in range(lower, lower + size):
            position, falls, where = [], [], start
            count = 0
            for _ in ticks:
                position.append(where)
                falls.append(count)
                where += step
                if where > lower + size - 1:
                    where, count = lower, count + 1
            told = Walk(start, lower, lower + size - 1, step).step_through(ticks)
            assert [part.tolist() for part in told] == [position, falls]


@pytest.mark.parametrize(("start", "holds"), [(-3, False), (-2, True), (4, True), (5, False)])
def test_a_walk_holds_the_starts_of_its_box(start, holds):
    assert Walk(start, -2, 4, 1).holds_start == holds


def test_the_upper_corner_counts_from_the_last_element():
    m = replace(PIXELS, pixel_box_lower_corner=(-1, 1), pixel_box_upper_corner=(1, -1))
    assert [(w.lower, w.last) for w in walks(m, (0, 0, 1, 0))] == [(-1, 4), (1, 1)]


def test_a_column_goes_on_in_the_next_row_and_then_in_the_next_image():
    channel, width, height, image = pixel_positions(replace(PIXELS, pixels_per_column=14), (0, 2, 1, 0), (0, 0))
    assert width.tolist() == [2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
    assert height.tolist() == [1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1]
    assert image.tolist() == [0] * 6 + [1] * 8
    assert set(channel.tolist()) == {0}


def test_offsets_move_every_pixel_read_and_not_the_walk():
    still = pixel_positions(PIXELS, (0, 2, 1, 0), (0, 0))
    moved = pixel_positions(PIXELS, (0, 2, 1, 0), (2, 1))
    assert [(b - a).tolist()[0] for a, b in zip(still, moved, strict=True)] == [0, 2, 1, 0]
    assert all(np.unique(b - a).size == 1 for a, b in zip(still, moved, strict=True))


def test_element_strides_step_the_walk():
    _, width, height, _ = pixel_positions(replace(PIXELS, element_strides=(1, 2, 2, 1)), (0, 0, 0, 0), (0, 0))
    assert width.tolist() == [0, 2, 0, 2, 0, 2, 0, 2]
    assert height.tolist() == [0, 0, 2, 2, 0, 0, 2, 2]


def test_the_last_element_stride_steps_from_image_to_image():
    m = replace(PIXELS, global_dim=(16, 2, 1, 9), element_strides=(1, 1, 1, 3))
    assert pixel_positions(m, (0, 0, 0, 1), (0, 0))[3].tolist() == [1, 1, 4, 4, 7, 7, 10, 10]


def test_past_the_last_image_everything_is_outside():
    plan = im2col_plan(PIXELS, (0, 2, 2, 1), 0, (0, 0))
    assert plan.inside.ravel().tolist() == [16, 16, 0, 0, 0, 0, 0, 0]


def test_channels_past_the_tensor_are_outside_byte_by_byte():
    m = replace(PIXELS, global_dim=(21, 4, 3, 2), global_strides=(32, 128, 384), channels_per_pixel=32)
    assert im2col_plan(m, (0, 0, 0, 0), 0, (0, 0)).inside[0].tolist() == [16, 5]


def test_channels_before_the_tensor_are_outside_and_those_after_them_inside():
    m = replace(PIXELS, channels_per_pixel=48, pixels_per_column=1)
    assert im2col_plan(m, (-16, 0, 0, 0), 0, (0, 0)).inside.tolist() == [[0, 16, 0]]


@pytest.mark.parametrize(
    ("at", "offsets", "inside"),
    [
        ((0, 0, 0, 0), (0, 0), 16),
        ((3, 0, 0, 0), (1, 0), 0),
        ((0, 2, 0, 0), (0, 1), 0),
        ((0, 0, 5, 0), (0, 0), 0),
        ((0, 0, 0, 2), (0, 0), 0),
    ],
)
def test_with_interleave_a_packet_is_outside_where_any_of_its_positions_is(at, offsets, inside):
    m = replace(PIXELS, interleave=Interleave.B16, global_dim=(4, 3, 5, 2), global_strides=(64, 192, 960))
    plan = im2col_plan(replace(m, pixels_per_column=1), at, 0, offsets)
    assert plan.inside.tolist() == [[inside]]


def test_a_pixel_is_read_where_its_strides_say():
    plan = im2col_plan(PIXELS, (0, 2, 1, 1), 0, (1, 0))
    width, height, image = [3, 4, 1, 2, 3, 4, 1, 2], [1, 1, 2, 2, 2, 2, 0, 0], [1] * 6 + [2] * 2
    assert plan.source_units.ravel().tolist() == [
        w + 4 * h + 12 * n for w, h, n in zip(width, height, image, strict=True)
    ]


def test_with_interleave_a_pixel_is_one_packet_and_channels_come_last_but_one():
    m = replace(PIXELS, interleave=Interleave.B16, global_dim=(4, 3, 5, 2), global_strides=(64, 192, 960))
    width, height, slices, image = pixel_positions(m, (2, 1, 4, 0), (0, 0))
    assert (width.tolist()[:4], height.tolist()[:4]) == ([2, 3, 0, 1], [1, 1, 2, 2])
    assert set(slices.tolist()) == {4}
    assert image.tolist() == [0] * 6 + [1] * 2


def test_the_units_of_a_pixel_follow_each_other():
    m = replace(PIXELS, global_dim=(48, 4, 3, 2), global_strides=(48, 192, 576), channels_per_pixel=48)
    plan = im2col_plan(replace(m, pixels_per_column=2), (0, 1, 0, 0), 0, (0, 0))
    assert plan.source_units.tolist() == [[3, 4, 5], [6, 7, 8]]


def test_an_address_past_64_bits_goes_around_to_one_that_is_there():
    m = replace(PIXELS, global_dim=(16, 4, 3, 2**31), global_strides=(16, 64, 2**34), pixels_per_column=1)
    first, around = window(), window()
    load(m, (0, 0, 0, 0), counting(256), first)
    load(m, (0, 0, 0, 2**30), counting(256), around)
    assert around.tobytes() == first.tobytes()
    with pytest.raises(DeviceFault, match="700"):
        load(m, (0, 0, 0, 2**29), counting(256), window())


def test_a_3_by_3_filter_reads_the_image_shifted_by_its_offsets():
    m = replace(
        PIXELS,
        global_dim=(16, 4, 4, 1),
        global_strides=(16, 64, 256),
        pixel_box_lower_corner=(-1, -1),
        pixel_box_upper_corner=(-1, -1),
        pixels_per_column=16,
    )
    image = (counting(256) // 16).astype(np.uint8)  # pixel n holds n
    padded = np.pad(image[::16].reshape(4, 4), 1)
    for down, right in product(range(3), range(3)):
        shared = window(256)
        load(m, (0, -1, -1, 0), image, shared, im2col_offsets=(right, down))
        assert np.array_equal(shared[::16].reshape(4, 4), padded[down : down + 4, right : right + 4])
