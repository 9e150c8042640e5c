"""Two tensor maps side by side: every word, what it holds, and the first place where they part."""

import pytest

from course_lib.draw.bits.words import compare_words, field_names_by_word, words_of
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType

MAP = TiledTensorMap(
    data_type=DataType.FLOAT16,
    global_address=0x7F0000000000,
    global_dim=(1024, 4096),
    global_strides=(2048,),
    box_dim=(32, 64),
)
BYTES = MAP.encode()


def changed(at: int) -> bytes:
    return BYTES[:at] + bytes([BYTES[at] ^ 0xFF]) + BYTES[at + 1 :]


def test_equal_bytes_are_said_to_be_equal():
    picture = compare_words(BYTES, BYTES)
    assert picture.text.endswith("All 128 bytes are equal: model = driver.")
    assert "≠" not in picture.text
    assert "<rect" not in picture.svg


@pytest.mark.parametrize("at", range(128))
def test_the_first_different_byte_is_named_and_its_word_marked(at):
    picture = compare_words(BYTES, changed(at), ("ours", "theirs"))
    assert f"First difference: byte {at}, in word {at // 8}: ours 0x{BYTES[at]:02x}" in picture.text
    (marked,) = [line for line in picture.text.splitlines() if "≠" in line]
    assert int(marked.split()[0]) == at // 8
    assert picture.svg.count("<rect") == 1


def test_the_picture_says_in_its_description_what_its_last_line_says():
    picture = compare_words(BYTES, changed(3))
    assert f"{picture.text.splitlines()[-1]}</desc>" in picture.svg


def test_a_word_is_read_little_endian():
    assert words_of(BYTES)[0] == MAP.global_address


def test_a_word_names_the_fields_that_are_set_in_it():
    held = field_names_by_word(BYTES)
    assert held[0] == "global_address"
    assert held[4] == "dim"
    assert held[15] == ""


def test_bytes_that_are_no_tensor_map_are_still_drawn():
    assert "ffffffffffffffff" in compare_words(b"\xff" * 128, BYTES).text


def test_a_wrong_length_is_refused_with_both_numbers():
    with pytest.raises(ValueError, match="has 128 bytes, not 64"):
        compare_words(BYTES[:64], BYTES)


def test_the_picture_is_small():
    assert len(compare_words(BYTES, changed(0)).svg.encode()) < 60_000
