"""The picture of a box at an edge: small, well formed, the bytes counted as the model counts them, the same in words."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import product

import pytest

from course_lib import DataType, DeviceFault, OobFill, TiledTensorMap
from course_lib.draw.copies.edge import WIDE, edge_picture, outline_picture
from course_lib.draw.pen.palette import STATES
from course_lib.model.copy.edge import KINDS, load_edge, store_edge

TILE = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=1024, global_dim=(7, 3), global_strides=(32,), box_dim=(8, 4)
)
NAN = replace(TILE, oob_fill=OobFill.NAN_REQUEST_ZERO_FMA)
BYTES = replace(TILE, data_type=DataType.UINT8, global_dim=(30, 12), box_dim=(64, 18))
WIDEST = replace(TILE, data_type=DataType.FLOAT64, global_dim=(12, 6), global_strides=(96,), box_dim=(32, 6))


def boxes(picture, state):
    """The rectangles that show a state, legends (14 pixels wide) left out."""
    rects = [e for e in ElementTree.fromstring(f"<x>{picture.svg}</x>").iter() if e.tag.endswith("rect")]
    return [r for r in rects if r.get("fill") == STATES[state].fill and float(r.get("width")) != 14]


@pytest.mark.parametrize("direction", ["load", "store"])
@pytest.mark.parametrize("tensor_map", [TILE, NAN, BYTES, WIDEST], ids=["f32", "nan", "u8", "f64"])
def test_every_picture_is_well_formed_and_under_60_kb(tensor_map, direction):
    unit = 16 // tensor_map.data_type.size_bytes
    for where in product((0, unit, 2 * unit), (0, 2)):
        picture = edge_picture(tensor_map, where, direction)
        ElementTree.fromstring(f"<x>{picture.svg}</x>")
        ElementTree.fromstring(picture.standalone)
        assert max(len(picture.svg.encode()), len(picture.standalone.encode())) < 60_000


def test_the_same_copy_gives_the_same_bytes():
    assert edge_picture(TILE, (4, -1)) == edge_picture(TILE, (4, -1))


def test_the_words_count_each_kind_of_byte():
    assert edge_picture(NAN, (4, -1)).text.splitlines() == [
        "row 0 of the box: bytes 0 to 31 filled",
        *(f"row {row} of the box: bytes 0 to 11 copied, bytes 12 to 31 filled" for row in (1, 2, 3)),
        "A load at (4, -1): 36 of 128 bytes come from the tensor, 92 are filled with NaN.",
    ]
    assert edge_picture(TILE, (4, 1), "store").text.endswith(
        "A store at (4, 1): 24 of 128 bytes go into the tensor, 8 spill past the ends of its rows, 96 are clipped."
    )
    assert "none is filled" in edge_picture(replace(TILE, box_dim=(4, 2)), (0, 0)).text


@pytest.mark.parametrize("direction", ["load", "store"])
def test_every_count_stands_in_the_legend(direction):
    edge = (load_edge if direction == "load" else store_edge)(TILE, (4, 1))
    picture = edge_picture(TILE, (4, 1), direction)
    for kind in KINDS:
        if edge.bytes_of(kind):
            assert f": {edge.bytes_of(kind)} bytes</text>" in picture.svg


def test_the_widths_that_are_drawn_are_the_bytes_of_the_pieces():
    picture = edge_picture(TILE, (4, 1), "store")
    for state, size in (("chosen", 12), ("wrong", 4)):
        drawn = boxes(picture, state)
        assert len(drawn) == 4  # two rows, in global and in shared memory
        assert {float(r.get("width")) for r in drawn} == {7.0 * size}
    assert {float(r.get("width")) for r in boxes(picture, "hole")} == {7.0 * 16, 7.0 * 32}


def test_a_mark_is_drawn_and_told():
    picture = edge_picture(TILE, (4, -1), mark=(1, 3))
    assert len(boxes(picture, "first")) == 1
    assert "marked: row 1, element 3 of the box" in picture.text


def test_where_nothing_is_copied_the_box_is_an_empty_frame():
    picture = outline_picture(TILE, (5, -1), "Fault 715")
    assert picture.text == "Fault 715"
    assert boxes(picture, "chosen") == []
    assert boxes(picture, "element")


def test_one_dimension_is_one_row():
    flat = replace(TILE, global_dim=(7,), global_strides=(), box_dim=(8,), element_strides=(1,))
    assert edge_picture(flat, (0,), "store").text.startswith(
        "row 0 of the box: bytes 0 to 27 copied, bytes 28 to 31 spilled"
    )


def test_a_wide_scene_is_scaled_down_to_the_page():
    picture = edge_picture(WIDEST, (32, 0))
    widths = [float(r.get("width")) for r in ElementTree.fromstring(f"<x>{picture.svg}</x>").iter() if r.get("rx")]
    assert max(widths) <= WIDE


def test_what_can_not_be_drawn_is_refused():
    cube = replace(TILE, global_dim=(7, 3, 2), global_strides=(32, 96), box_dim=(8, 4, 1), element_strides=(1, 1, 1))
    with pytest.raises(ValueError, match="rank 1 or 2, not 3"):
        edge_picture(cube, (0, 0, 0))
    with pytest.raises(ValueError, match="800 bytes × 20 rows"):
        edge_picture(TILE, (4000, 0))
    with pytest.raises(ValueError, match="direction='up'"):
        edge_picture(TILE, (0, 0), "up")
    with pytest.raises(DeviceFault):
        edge_picture(TILE, (0, -1), "store")
