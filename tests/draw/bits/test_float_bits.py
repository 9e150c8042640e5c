"""The picture of an element's bits: small, the same in words, and every changed bit marked."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib import DataType
from course_lib.draw.bits.float_bits import BitsRow, bit_runs, bits_picture, says

LIVE = [t for t in DataType if not t.is_packed]


@pytest.mark.parametrize("data_type", LIVE)
def test_three_rows_of_any_type_are_small_and_well_formed(data_type):
    ones = (1 << data_type.facts.bits) - 1
    rows = [BitsRow("a", 0), BitsRow("b", ones), BitsRow("c", ones, 0)]
    picture = bits_picture("Rows", data_type, rows)
    assert len(picture.svg) < 60_000
    assert picture == bits_picture("Rows", data_type, rows)
    ElementTree.fromstring(picture.standalone)
    assert picture.svg.count('fill="#8c2f00"') == data_type.facts.bits


@pytest.mark.parametrize("data_type", LIVE)
def test_the_runs_cover_every_bit_once_from_the_highest_down(data_type):
    bits = [run.first - place for run in bit_runs(data_type) for place in range(run.size)]
    assert bits == list(range(data_type.facts.bits))[::-1]


def test_the_words_hold_the_same_bits_number_and_kind():
    picture = bits_picture(
        "x", DataType.TFLOAT32, [BitsRow("before", 0xB25E3000), BitsRow("after", 0xB25E4000, 0xB25E3000)]
    )
    before, after, sentence = picture.text.splitlines()
    assert before == "before: 1 01100100 1011110001 1000000000000, 0xb25e3000 = -1.29330147e-08 normal"
    assert after.startswith("after: 1 01100100 1011110010 0000000000000, 0xb25e4000")
    assert sentence == "3 bits changed."


@pytest.mark.parametrize(
    ("data_type", "bits", "words"),
    [
        (DataType.FLOAT16, 0xFC00, "0xfc00 = minus infinity"),
        (DataType.BFLOAT16, 0x7FC5, "0x7fc5 = quiet NaN"),
        (DataType.FLOAT64, 0x7FF0000000000001, "0x7ff0000000000001 = signalling NaN"),
        (DataType.FLOAT32, 0x80000000, "0x80000000 = -0 zero"),
        (DataType.INT32, 0xFFFFFFFF, "0xffffffff = -1"),
        (DataType.UINT8, 200, "0xc8 = 200"),
    ],
)
def test_an_element_is_said_by_number_and_kind(data_type, bits, words):
    assert says(data_type, bits) == words


def test_nothing_changed_is_said_too():
    assert bits_picture("x", DataType.UINT8, [BitsRow("a", 3), BitsRow("b", 3, 3)]).text.endswith("No bits changed.")
