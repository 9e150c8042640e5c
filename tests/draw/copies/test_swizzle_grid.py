"""Shared memory in units, and an XOR in bits: well formed, small, and the same in words."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib import Swizzle
from course_lib.draw.copies.swizzle_grid import address_bits, swizzle_grid
from course_lib.draw.pen.palette import STATES
from course_lib.model.facts.swizzle import PATTERNS, Pattern
from course_lib.recordings.copies.swizzles import recorded_tile, recorded_tiles


def words(picture):
    return [
        node.text
        for node in ElementTree.fromstring(picture.svg).iter()
        if node.tag.endswith("text") and not node.get("opacity")
    ]


def boxes(picture, state):
    return picture.svg.count(f'fill="{STATES[state].fill}" stroke="{STATES[state].border}"')


@pytest.mark.parametrize("tile", recorded_tiles())
def test_every_picture_of_a_recorded_tile_is_well_formed_and_under_60_kb(tile):
    picture = swizzle_grid(tile.units, tile.units_in_row, tile.shared_address, range(0, 300, 3))
    ElementTree.fromstring(picture.svg)
    ElementTree.fromstring(picture.standalone)
    assert max(len(picture.svg.encode()), len(picture.standalone.encode())) < 60_000


def test_the_words_say_where_each_unit_lies():
    tile = recorded_tile(Swizzle.B128, 128)
    lines = swizzle_grid(tile.units, 8, 128, marked=[0]).text.splitlines()
    assert lines[2].split() == ["0x080", "0.1", "0.0*", "0.3", "0.2", "0.5", "0.4", "0.7", "0.6"]
    assert lines[-2].split() == ["0x800", *(f"15.{i}" for i in range(8))]
    assert lines[-1] == "3.5 is unit 5 of row 3; dark: marked."


def test_what_is_drawn_is_what_the_words_say():
    tile = recorded_tile(Swizzle.B64, 384, row_bytes=48)
    picture = swizzle_grid(tile.units, 3, 384)
    said = [word for line in picture.text.splitlines()[2:-1] for word in line.split()[1:]]
    names = [word for word in ElementTree.fromstring(picture.svg).itertext() if "." in word and word[0].isdigit()]
    assert [word for word in said if word != "–"] == [n for n in names if n.count(".") == 1 and " " not in n]


def test_gaps_and_marks_have_looks_of_their_own():
    tile = recorded_tile(Swizzle.B128, 0, row_bytes=48)
    picture = swizzle_grid(tile.units, 3, 0, marked=range(0, 48, 3))
    assert (boxes(picture, "chosen"), boxes(picture, "unit"), boxes(picture, "hole")) == (16, 32, 80)


def test_the_same_tile_gives_the_same_bytes():
    tile = recorded_tile(Swizzle.B32)
    assert swizzle_grid(tile.units, 2) == swizzle_grid(tile.units, 2)


def test_memory_that_nothing_touched_has_no_picture():
    with pytest.raises(ValueError, match="the copy touched nothing"):
        swizzle_grid([-1] * 8, 8)


@pytest.mark.parametrize("pattern", PATTERNS.values())
@pytest.mark.parametrize("address", [0, 0x1B4, 0x3FF, 0x7F0])
def test_the_bits_that_are_drawn_are_those_of_both_addresses(pattern, address):
    picture = address_bits(pattern, address)
    digits = [word[-1] for word in words(picture) if word in ("0", "1", "0→1", "1→0")]
    assert "".join(digits[0::2]) == f"{address:011b}"
    assert "".join(digits[1::2]) == f"{pattern(address):011b}"
    assert boxes(picture, "moved") == (address ^ pattern(address)).bit_count()
    assert f"0x{address:03x} becomes 0x{pattern(address):03x}." in picture.text


def test_each_bit_that_is_read_has_an_arrow_and_is_named():
    picture = address_bits(PATTERNS[Swizzle.B128], 0)
    assert picture.svg.count("<polygon") == 3
    assert "bit 6 ^= bit 9, bit 5 ^= bit 8, bit 4 ^= bit 7" in picture.text
    assert "no bit is turned" in address_bits(Pattern(0, 0), 0).text


def test_a_bit_that_is_turned_says_from_what():
    picture = address_bits(PATTERNS[Swizzle.B128], 0x1B4)
    assert [word for word in words(picture) if "→" in word and len(word) == 3] == ["1→0", "1→0"]
