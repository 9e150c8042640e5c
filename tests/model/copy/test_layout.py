"""How a box lies in shared memory: row after row, a narrow row in a whole swizzle span, swizzled by address."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib import DataType, Im2colTensorMap, Interleave, Swizzle, TiledTensorMap
from course_lib.model.call.sizes import copied_shape, transaction_bytes
from course_lib.model.copy.layout import layout, row_pitch_bytes, rows_and_units

M = TiledTensorMap(
    data_type=DataType.UINT16, global_address=0, global_dim=(64,) * 3, global_strides=(128, 8192), box_dim=(8, 4, 3)
)
COLUMN = Im2colTensorMap(
    data_type=DataType.FLOAT32,
    global_address=0,
    global_dim=(8, 9, 9, 2),
    global_strides=(32, 288, 2592),
    pixel_box_lower_corner=(0, 0),
    pixel_box_upper_corner=(0, 0),
    channels_per_pixel=8,
    pixels_per_column=5,
)


@pytest.mark.parametrize(
    ("change", "shape"),
    [
        ({}, (8, 4, 3)),
        ({"element_strides": (1, 2, 2)}, (8, 2, 2)),
        ({"element_strides": (8, 3, 8)}, (8, 2, 1)),
        ({"interleave": Interleave.B16}, (8, 1, 3)),
        ({"interleave": Interleave.B16, "element_strides": (3, 1, 2)}, (3, 1, 2)),
    ],
)
def test_a_copy_moves_ceil_of_box_by_step_positions_and_one_slice_with_interleave(change, shape):
    assert copied_shape(replace(M, **change)) == shape


@pytest.mark.parametrize(
    ("change", "counted"),
    [
        ({}, 8 * 2 * 12),
        ({"element_strides": (2, 3, 2)}, 8 * 2 * 2 * 2),
        ({"data_type": DataType.UINT64}, 8 * 8 * 12),
        ({"interleave": Interleave.B16}, 16 * 8 * 3),
        ({"interleave": Interleave.B32}, 32 * 8 * 3),
    ],
)
def test_the_barrier_counts_the_bytes_of_the_positions_moved(change, counted):
    assert transaction_bytes(replace(M, **change)) == counted


def test_a_column_is_channels_by_pixels_or_a_packet_a_pixel():
    assert (copied_shape(COLUMN), transaction_bytes(COLUMN)) == ((8, 5), 160)
    packets = replace(COLUMN, interleave=Interleave.B32)
    assert (copied_shape(packets), transaction_bytes(packets)) == ((1, 5), 160)


@pytest.mark.parametrize(
    ("change", "pitch", "rows"),
    [
        ({}, 16, (12, 1)),
        ({"swizzle": Swizzle.B32}, 32, (12, 1)),
        ({"swizzle": Swizzle.B64}, 64, (12, 1)),
        ({"swizzle": Swizzle.B128}, 128, (12, 1)),
        ({"box_dim": (64, 4, 3), "swizzle": Swizzle.B128}, 128, (12, 8)),
        ({"box_dim": (256, 4, 3)}, 512, (12, 32)),
        ({"interleave": Interleave.B16, "swizzle": Swizzle.B128}, 16, (24, 1)),
        ({"interleave": Interleave.B32, "swizzle": Swizzle.B32}, 32, (24, 2)),
    ],
)
def test_a_row_takes_its_bytes_or_the_whole_swizzle_span_and_packets_lie_close(change, pitch, rows):
    m = replace(M, **change)
    assert (row_pitch_bytes(m), rows_and_units(m)) == (pitch, rows)


def test_rows_of_128_bytes_swizzle_by_their_address():
    box = replace(M, box_dim=(64, 8, 1), swizzle=Swizzle.B128)
    at_0 = layout(box, 0).target_units
    assert at_0[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert at_0[1].tolist() == [9, 8, 11, 10, 13, 12, 15, 14]
    assert at_0[7].tolist() == [63, 62, 61, 60, 59, 58, 57, 56]
    at_128 = layout(box, 128).target_units
    assert at_128[0].tolist() == at_0[1].tolist()
    assert at_128[7].tolist() == [64, 65, 66, 67, 68, 69, 70, 71]


def test_the_end_is_one_past_the_last_byte_touched():
    assert layout(M, 0).end_bytes == 12 * 16
    assert layout(replace(M, swizzle=Swizzle.B128), 0).end_bytes == 11 * 128 + 16 * 4
    assert layout(replace(M, swizzle=Swizzle.B64), 0).end_bytes == 11 * 64 + 32


@pytest.mark.parametrize("swizzle", [Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128])
@pytest.mark.parametrize("phase", range(0, 1024, 128))
def test_no_two_units_share_a_place(swizzle, phase):
    places = layout(replace(M, swizzle=swizzle), phase).target_units.ravel()
    assert np.unique(places).size == places.size
    assert places.min() >= phase // 16
