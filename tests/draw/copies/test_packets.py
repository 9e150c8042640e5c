"""The pictures of packets and of channels: small, well formed, what they say is where the bytes are, and in words."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest

from course_lib import DataType, Interleave, Swizzle, load
from course_lib.draw.copies.packets import packet_picture, packet_units
from course_lib.draw.copies.planes_of_channels import channel_picture, in_grey, photo_picture
from course_lib.draw.pen.palette import STATES
from course_lib.model.copy.packets import packet_map
from course_lib.recordings.copies.photo import features, photo

B16 = packet_map((1, 3, 5, 12, 8), DataType.FLOAT16, Interleave.B16, (8, 2))
B32 = packet_map((1, 2, 5, 12, 16), DataType.FLOAT16, Interleave.B32, (8, 3), swizzle=Swizzle.B32)


def boxes(picture, state):
    rects = [e for e in ElementTree.fromstring(f"<x>{picture.svg}</x>").iter() if e.tag.endswith("rect")]
    return [rect for rect in rects if rect.get("fill") == STATES[state].fill]


@pytest.mark.parametrize("m", [B16, B32, replace(B32, swizzle=Swizzle.B128)], ids=["B16", "B32", "B32, B128"])
@pytest.mark.parametrize("where", [(3, 1, 0, 0), (-4, -2, 1, 0), (10, 4, 1, 0), (0, 0, 9, 0)])
def test_every_picture_is_well_formed_and_under_60_kb(m, where):
    picture = packet_picture(m, where, 19, 128)
    ElementTree.fromstring(f"<x>{picture.svg}</x>")
    ElementTree.fromstring(picture.standalone)
    assert max(len(picture.svg.encode()), len(picture.standalone.encode())) < 60_000


@pytest.mark.parametrize("m", [B16, B32, replace(B16, swizzle=Swizzle.B128)], ids=["B16", "B32", "B16, B128"])
def test_each_unit_lies_where_the_model_puts_its_bytes(m):
    memory = np.random.default_rng(3).integers(1, 256, 8192, np.uint8)
    shared = np.zeros(4096, np.uint8)
    load(m, (7, 3, 1, 0), memory, shared, shared_address=384)
    for unit in packet_units(m, (7, 3, 1, 0), 384):
        x, y, s, _ = unit.position
        packet = 16 if m is not B32 else 32
        at = ((s * 5 + y) * 12 + x) * packet + 16 * unit.part
        sent = memory[at : at + 16] if unit.inside else np.zeros(16, np.uint8)
        assert np.array_equal(shared[unit.address : unit.address + 16], sent)


def test_the_words_name_the_channels_the_padding_and_what_is_filled():
    lines = packet_picture(B16, (7, 4, 2, 0), 19).text.splitlines()
    assert lines[0] == (
        "16 packets of 16 bytes, 256 bytes in all, of slice 2: channels 16 to 18 and 5 of padding; "
        "11 of the packets are filled."
    )
    assert lines[3] == "slice 2: channels 16 to 18 and 5 of padding"
    assert lines[4].startswith("0x000  7,4  8,4  9,4  10,4  11,4  12,4 filled")
    assert "slice 3: no channels: outside" in packet_picture(B16, (0, 0, 3, 0), 19).text


def test_a_packet_of_32_bytes_has_two_halves():
    assert "0x080  3,1b  3,1a" in packet_picture(B32, (3, 1, 0, 0), 19, 128).text


def test_as_many_packets_are_dark_as_lie_in_the_image():
    assert len(boxes(packet_picture(B16, (7, 4, 0, 0), 19), "chosen")) == 2 * 5
    assert len(boxes(packet_picture(B32, (3, 1, 0, 0), 19), "chosen")) == 24 + 48


def test_other_maps_and_large_boxes_are_refused():
    with pytest.raises(ValueError, match="rank 4 with interleave"):
        packet_picture(replace(B16, interleave=Interleave.NONE), (0, 0, 0, 0), 19)
    with pytest.raises(ValueError, match="256 units of 60 pixels are too many"):
        packet_picture(replace(B16, box_dim=(64, 4, 1, 1)), (0, 0, 0, 0), 19)


def test_channels_and_photograph_are_pictures_of_their_pixels():
    shown = channel_picture(features()[0], 8, "The channels")
    assert shown.svg.count("<image") == 19
    assert shown.text == "The channels. 19 channels are 3 slices of 8; 5 channels of zeros fill the last slice."
    assert len(boxes(shown, "empty")) == 5
    assert photo_picture(photo(), "The cat").svg.count("<image") == 1
    assert max(len(p.standalone.encode()) for p in (shown, photo_picture(photo(), "The cat"))) < 60_000
    with pytest.raises(ValueError, match="are too many for this picture"):
        channel_picture(np.zeros((50, 64, 64)), 8, "")


def test_grey_runs_from_the_least_value_to_the_largest_and_shows_no_value_as_the_middle():
    assert in_grey(np.array([[-2.0, 0.0, 2.0, np.nan]])).tolist() == [[0, 127, 255, 128]]
    assert in_grey(np.zeros((1, 2))).tolist() == [[128, 128]]
