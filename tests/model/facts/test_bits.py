"""A bit field reads what was placed, and touches no bit of another."""

from course_lib.model.facts.bits import Field, overlaps, pack


def test_every_small_field_reads_every_value_that_was_placed():
    for lsb in range(9):
        for width in range(1, 7):
            field = Field("x", lsb, width)
            for value in range(1 << width):
                placed = field.place(value)
                assert placed == value << lsb
                assert placed & ~field.mask == 0
                assert field.read(placed | ~field.mask) == value


def test_every_small_signed_field_reads_every_value_that_was_placed():
    for width in range(1, 9):
        field = Field("x", 3, width)
        for value in range(-(1 << (width - 1)), 1 << (width - 1)):
            assert field.read_signed(field.place(value) | ~field.mask) == value


def test_the_mask_covers_the_width_from_the_lowest_bit():
    assert Field("x", 4, 3).mask == 0b1110000


def test_a_value_too_large_spills_into_no_neighbour():
    assert Field("x", 0, 4).place(0x1F) == 0xF


def test_pack_leaves_fields_without_a_value_at_zero():
    table = (Field("a", 0, 4), Field("b", 4, 4), Field("c", 8, 4))
    assert pack(table, {"a": 1, "c": 3}) == 0x301


def test_two_fields_that_share_a_bit_are_named():
    table = (Field("a", 0, 4), Field("b", 3, 2), Field("c", 5, 1))
    assert overlaps(table) == [("a", "b")]
