"""The picture of a box: the same numbers in the tensor and in shared memory, and in words."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import product

import pytest

from course_lib import DataType, Interleave, Swizzle, TiledTensorMap
from course_lib.draw import box_picture
from course_lib.draw.copies.box import cells_of
from course_lib.draw.copies.planes import shown_range

TILE = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=128, global_dim=(16, 10), global_strides=(64,), box_dim=(8, 4)
)
LINE = TiledTensorMap(data_type=DataType.UINT8, global_address=0, global_dim=(40,), global_strides=(), box_dim=(16,))
PANELS = replace(TILE, global_dim=(8, 10, 2), global_strides=(64, 32), box_dim=(8, 4, 2), element_strides=(1, 1, 1))
FAR = replace(TILE, global_dim=(4096, 4096), global_strides=(16384,))
STEPPED = replace(TILE, box_dim=(8, 5), element_strides=(2, 2))
COPIES = [
    *((TILE, at) for at in product((-8, -4, 0, 4, 12, 16), (-4, -1, 0, 8, 10))),
    (LINE, (32,)),
    (PANELS, (0, 8, 1)),
    (FAR, (2048, 2048)),
    (STEPPED, (4, 2)),
    (replace(TILE, global_strides=(0,)), (4, 2)),
    (replace(TILE, data_type=DataType.FLOAT64, box_dim=(2, 4)), (2, 1)),
]


@pytest.mark.parametrize(("m", "at"), COPIES)
def test_every_copy_is_drawn_small_and_well_formed(m, at):
    picture = box_picture(m, at, picked=3)
    assert len(picture.svg) < 60_000
    assert picture == box_picture(m, at, picked=3)
    ElementTree.fromstring(picture.standalone)
    assert all(row.startswith("shared") for row in picture.text.splitlines()[1:-1])


@pytest.mark.parametrize(("m", "at"), COPIES)
def test_each_element_inside_stands_in_both_drawings(m, at):
    drawn = re.findall(r">(\d+)</text>", box_picture(m, at).svg)
    for cell in cells_of(m, at):
        if cell.inside:
            assert drawn.count(str(cell.behind)) >= 2


def test_the_words_say_which_bytes_come_from_where():
    lines = box_picture(TILE, (12, 8), picked=1).text.splitlines()
    assert lines[0] == (
        "32 elements, 128 bytes in shared memory: 8 from global memory, all between bytes 688 and 767; 24 filled."
    )
    assert lines[1] == "shared    0 to   31: from (12, 8): global bytes 688 to 703, 4 elements filled"
    assert lines[3] == "shared   64 to   95: from (12, 10): outside, filled"
    assert lines[-1] == "element (13, 8): 128 + 13 × 4 + 8 × 64 = byte 692 of global memory, byte 4 of the box"


def test_a_box_wholly_outside_and_one_row_for_all_are_said():
    assert box_picture(TILE, (16, 0)).text.startswith("32 elements, 128 bytes in shared memory: all filled, nothing")
    assert "32 from global memory, 8 different ones" in box_picture(replace(TILE, global_strides=(0,)), (0, 0)).text
    assert "lies outside the tensor" in box_picture(TILE, (16, 0), picked=0).text


def test_skipped_rows_are_marked_and_not_counted():
    picture = box_picture(STEPPED, (4, 2))
    assert picture.svg.count(">skipped<") == 2
    assert picture.text.startswith("24 elements, 96 bytes")


def test_the_picked_element_is_marked_in_both_drawings():
    chosen = "#0b4f8a"
    assert box_picture(TILE, (4, 2), picked=10).svg.count(f'fill="{chosen}" stroke') == 2
    assert chosen not in box_picture(TILE, (4, 2)).svg


def test_each_plane_of_the_box_has_a_drawing():
    assert box_picture(PANELS, (0, 0, 0)).svg.count("<svg") == 3


def test_what_the_picture_cannot_show_is_refused():
    for m in (replace(TILE, swizzle=Swizzle.B32), replace(PANELS, interleave=Interleave.B16)):
        with pytest.raises(ValueError, match="without swizzle and interleave"):
            box_picture(m, (0,) * m.rank)
    with pytest.raises(ValueError, match="256 elements in 1 planes is too large"):
        box_picture(replace(TILE, box_dim=(16, 16)), (0, 0))


def test_a_large_tensor_is_drawn_around_the_box():
    assert shown_range(2048, 8, 4096, 24) == range(2046, 2058)
    assert shown_range(-4, 8, 16, 24) == range(-4, 16)
