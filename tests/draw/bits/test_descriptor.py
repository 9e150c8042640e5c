"""The microscope's picture: small, well formed, the moved bits marked where they are, the same in words."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import pairwise

import pytest

from course_lib.draw.bits.descriptor import _set_runs, descriptor_picture, shorten_words
from course_lib.draw.bits.fields import GROUPS, NAMES
from course_lib.draw.pen.palette import STATES
from course_lib.model.call.verdict import IllegalTensorMap
from tests.draw.examples import CALLS, CUBE, IM2COL, TILED

TALLER = replace(TILED, box_dim=(64, 16))
MOVED = f'fill="{STATES["moved"].fill}" stroke="{STATES["moved"].border}"'


@pytest.mark.parametrize("opened", ["", *NAMES])
@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_every_picture_is_well_formed_and_under_60_kb(call, opened):
    picture = descriptor_picture(call, TILED, opened)
    ElementTree.fromstring(picture.svg)
    ElementTree.fromstring(picture.standalone)
    assert max(len(picture.svg.encode()), len(picture.standalone.encode())) < 60_000


def test_the_same_call_gives_the_same_bytes():
    assert descriptor_picture(TALLER, TILED, "box") == descriptor_picture(TALLER, TILED, "box")


def test_nothing_is_marked_without_an_earlier_call():
    picture = descriptor_picture(TILED)
    assert MOVED not in picture.svg
    assert "▲" not in picture.text


def test_a_taller_box_moves_one_bit_of_the_box_and_two_of_its_bytes():
    picture = descriptor_picture(TALLER, TILED)
    assert picture.text.endswith("3 bits moved in 2 fields: box, box bytes.")
    rows = [g for g in ElementTree.fromstring(picture.svg).iter() if g.get("data-moved")]
    assert {g.get("data-field"): g.get("data-moved") for g in rows if g.get("data-moved") != "0"} == {
        "box": "1",
        "box bytes": "2",
    }
    assert picture.svg.count(MOVED) == 4  # a run of bits and a count, each twice


def test_the_digits_drawn_for_the_fields_are_the_bits_of_the_descriptor():
    (drawn, *_) = ElementTree.fromstring(descriptor_picture(TILED).svg)
    texts = [(float(t.get("y")), float(t.get("x")), t.text) for t in drawn.iter() if t.get("textLength")]
    rows = {}
    for y, x, digits in sorted(texts):
        rows.setdefault(y, []).append((x, digits))
    lines = ["".join(digits for _, digits in sorted(row)) for _, row in sorted(rows.items())]
    words = [int.from_bytes(TILED.encode()[8 * i : 8 * i + 8], "little") for i in range(16)]
    assert [line.replace("·", "0") for line in lines] == [f"{word:064b}" for word in words]


def test_an_opened_field_tells_what_is_stored_and_what_it_stands_for():
    text = descriptor_picture(CUBE, None, "strides").text
    assert "bits 96–127 stride 0 low: 16 means 256 bytes" in text
    assert "bits 232–235 stride 2 high: 1 means 68719476736 bytes" in text
    text = descriptor_picture(TALLER, TILED, "box").text
    assert "bits 448–455 box 1: 15 means 16; bit 451 moved" in text
    assert "box 2: 0, unused at rank 2" in text
    assert "lower corner 0: 255 means -1" in descriptor_picture(IM2COL, None, "box").text


def test_a_refused_call_has_no_picture():
    with pytest.raises(IllegalTensorMap):
        descriptor_picture(replace(TILED, box_dim=(64, 300)))


def test_an_unknown_field_is_refused_with_the_names_that_there_are():
    with pytest.raises(ValueError, match="opened='boxes': the fields are address, kind"):
        descriptor_picture(TILED, None, "boxes")


@pytest.mark.parametrize("mask", range(512))
def test_runs_of_set_bits_are_exactly_the_mask(mask):
    runs = _set_runs(mask)
    assert sum(run.mask for run in runs) == mask
    assert all(b.lsb > a.lsb + a.width for a, b in pairwise(runs))


def test_a_long_value_loses_its_unit_before_its_end():
    assert shorten_words("1024 × 256 × 1 × 1 × 1 elements") == "1024 × 256 × 1 × 1 × 1"
    assert shorten_words("1" * 40) == "1" * 25 + "…"


def test_letters_of_all_fields_stand_in_the_list():
    letters = re.findall(r">([A-P])</text>", descriptor_picture(TILED).svg)
    assert set(letters) == {group.letter for group in GROUPS}
