"""The sixteen named fields: together they are all 1,024 bits of every call, and each says what the call says."""

from functools import reduce
from operator import or_

import pytest

from course_lib.draw.bits.fields import DESCRIPTOR_BITS, GROUPS, bit_fields, moved_bits, words_for
from course_lib.model.call.encoding import fields_of
from course_lib.model.facts.bits import Field, overlaps
from tests.draw.examples import CALLS, IM2COL, TILED


def test_there_are_sixteen_with_sixteen_letters_and_sixteen_names():
    assert [group.letter for group in GROUPS] == list("ABCDEFGHIJKLMNOP")
    assert len({group.name for group in GROUPS}) == 16


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_the_fields_of_every_call_are_all_its_bits_each_once(call):
    fields = [field for group in GROUPS for field in bit_fields(group, call)]
    assert overlaps(fields) == []
    assert reduce(or_, (field.mask for field in fields)) == 2**DESCRIPTOR_BITS - 1


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_every_bit_field_of_the_encoder_has_its_name_and_no_other_bit_has_one(call):
    named = {field for group in GROUPS[:-1] for field in bit_fields(group, call)}
    assert named == set(fields_of(call))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_what_no_call_sets_is_zero(call):
    number = int.from_bytes(call.encode(), "little")
    assert all(field.read(number) == 0 for field in bit_fields(GROUPS[-1], call))


def test_each_field_speaks_in_the_words_and_the_unit_of_its_argument():
    number = int.from_bytes(TILED.encode(), "little")
    said = {group.name: words_for(group, TILED, number) for group in GROUPS}
    assert said["address"] == "0x7f0000000100"
    assert said["strides"] == "2048 bytes"
    assert said["dimensions"] == "1024 × 256 elements"
    assert said["box"] == "64 × 8 elements"
    assert said["box bytes"] == "1024 bytes"
    assert (said["element type"], said["swizzle"], said["TF32"]) == ("BFLOAT16", "B128", "0")
    assert words_for(GROUPS[12], IM2COL, 0).startswith("64 ch × 128 px, (-1, -1) to (1, 1)")


def test_a_moved_bit_is_counted_in_its_field_alone():
    for group in GROUPS:
        for field in bit_fields(group, TILED):
            counts = [moved_bits(other, TILED, Field("", field.lsb, 1).mask) for other in GROUPS]
            assert [other.letter for other, count in zip(GROUPS, counts, strict=True) if count] == [group.letter]
