"""A row and the tensor map that it asks for stand for each other."""

import json
from itertools import islice

import pytest

from course_lib import DataType, Im2colTensorMap, Interleave, L2Promotion, OobFill, Swizzle, TiledTensorMap
from course_lib.recordings import RecordingError, encode_rows
from course_lib.rows.calls import REPORT_NAMES, row_of, tensor_map_of, tensor_map_of_report

REPORT = {
    **{"api": "tiled", "dtype": "BFLOAT16", "address": "0x7f00", "global_dim": [64, 8], "global_strides": [128]},
    **{"box_dim": [64, 8], "element_strides": [1, 1], "interleave": "NONE", "swizzle": "128B", "l2_promotion": "256B"},
    "oob_fill": "NAN",
}


def test_arguments_make_the_row_they_came_from():
    for row in islice(encode_rows(), 500):
        told = row_of(tensor_map_of(row))
        assert tensor_map_of(json.loads(json.dumps(told))) == tensor_map_of(row)
        assert {
            name: row[name] for name in ("api", "rank", "data_type", "swizzle", "global_address")
        }.items() <= told.items()


def test_arrays_are_cut_to_what_the_call_reads():
    row = row_of(
        TiledTensorMap(data_type=0, global_address=0, global_dim=(16, 4), global_strides=(16,), box_dim=(16, 4))
    )
    assert tensor_map_of(row | {"global_strides": [16, 7, 7], "box_dim": [16, 4, 9]}) == tensor_map_of(row)


@pytest.mark.parametrize("broken", [{}, {"api": "tiled"}, {"api": "linear", "rank": 2}, {"api": "tiled", "rank": "2"}])
def test_a_row_without_call_or_rank_is_none(broken):
    with pytest.raises(RecordingError, match="needs api"):
        tensor_map_of(broken)


def test_a_report_names_enumerations_as_the_header_does():
    tensor_map = tensor_map_of_report(REPORT)
    assert tensor_map.data_type is DataType.BFLOAT16
    assert (tensor_map.global_address, tensor_map.swizzle) == (0x7F00, Swizzle.B128)
    assert (tensor_map.l2_promotion, tensor_map.oob_fill) == (L2Promotion.L2_256B, OobFill.NAN_REQUEST_ZERO_FMA)
    assert REPORT_NAMES["interleave"] == {"NONE": Interleave.NONE, "16B": Interleave.B16, "32B": Interleave.B32}


def test_the_packed_types_of_a_report_start_with_their_count():
    assert tensor_map_of_report(REPORT | {"dtype": "16U4_ALIGN8B"}).data_type is DataType.U4X16_ALIGN8B


def test_an_im2col_report_has_its_pixel_box_in_one_place():
    own = {"lower": [0, 0], "upper": [-1, -1], "channels_per_pixel": 8, "pixels_per_column": 4}
    shape = {"global_dim": [8, 8, 8, 8], "global_strides": [16, 128, 1024], "element_strides": [1] * 4}
    tensor_map = tensor_map_of_report(REPORT | shape | {"api": "im2col", "im2col": own})
    assert isinstance(tensor_map, Im2colTensorMap)
    assert tensor_map.pixel_box == ((0, 0), (-1, -1))
    assert (tensor_map.channels_per_pixel, tensor_map.pixels_per_column) == (8, 4)
