"""What a wgmma descriptor holds and reads; the recorded reads are replayed in tests/recordings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib import DeviceFault, Swizzle, WgmmaDescriptor, wgmma_reads
from course_lib.model.facts.swizzle import pattern_of
from course_lib.model.tensor_core.wgmma import FIELDS

UNITS = st.integers(0, 2**14 - 1).map(lambda n: 16 * n)
MODES = (Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128)
RESERVED = sum(1 << bit for bit in (14, 15, 30, 31, 46, 47, 48, *range(52, 62)))


def made(**changed):
    return WgmmaDescriptor(**{"start_address": 1024, "leading_byte_offset": 16, "stride_byte_offset": 1024} | changed)


@given(UNITS, UNITS, UNITS, st.integers(0, 7), st.sampled_from(MODES))
def test_a_word_holds_all_of_a_descriptor_and_its_reserved_bits_nothing(start, leading, stride, base, mode):
    descriptor = made(
        start_address=start, leading_byte_offset=leading, stride_byte_offset=stride, base_offset=base, swizzle=mode
    )
    word = descriptor.encode()
    assert word & RESERVED == 0
    assert WgmmaDescriptor.decode(word) == WgmmaDescriptor.decode(word | RESERVED) == descriptor


def test_fields_and_reserved_bits_fill_the_word():
    assert sum(field.mask for field in FIELDS) == 2**64 - 1 - RESERVED


@pytest.mark.parametrize("mode", MODES)
def test_a_tile_that_tma_wrote_is_read_in_order_with_base_offset_0(mode):
    span = {Swizzle.NONE: 16, Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}[mode]
    descriptor = made(start_address=2048, stride_byte_offset=8 * span, leading_byte_offset=8192, swizzle=mode)
    read = wgmma_reads(descriptor, operand="A", major="K", rows=64, k=16, element_bytes=2)
    for row, column in ((0, 0), (1, 3), (9, 15), (63, 8)):
        unit = (column * 2 // 16 * 8192 + column * 2 % 16) if mode == Swizzle.NONE else column * 2
        assert read[row, column] == pattern_of(mode)(2048 + row * span + unit)


def test_operand_b_is_the_other_way_round():
    shape = {"major": "K", "rows": 24, "k": 8, "element_bytes": 4}
    a, b = (wgmma_reads(made(), operand=operand, **shape) for operand in "AB")
    assert a.shape == (24, 8)
    assert (b == a.T).all()


def test_nothing_goes_around_at_2_to_the_18():
    with pytest.raises(DeviceFault, match="700"):
        wgmma_reads(made(start_address=2**18 - 128), operand="B", major="K", rows=16, k=16, element_bytes=2)


@pytest.mark.parametrize(
    "changed",
    [
        {"start_address": 8},
        {"start_address": 2**18},
        {"leading_byte_offset": -16},
        {"stride_byte_offset": 2**18},
        {"base_offset": 8},
        {"swizzle": Swizzle.B128_ATOM_32B},
    ],
    ids=str,
)
def test_a_field_out_of_its_range_is_refused_by_name(changed):
    with pytest.raises(ValueError, match=next(iter(changed))):
        made(**changed)


@pytest.mark.parametrize(
    "changed", [{"k": 8}, {"element_bytes": 4}, {"operand": "C"}, {"major": "M"}, {"rows": 0}], ids=str
)
def test_what_no_instruction_reads_is_refused(changed):
    asked = {"operand": "B", "major": "K", "rows": 8, "k": 16, "element_bytes": 2} | changed
    with pytest.raises(ValueError):  # noqa: PT011 - the arguments differ
        wgmma_reads(made(), **asked)


def test_columns_of_rows_are_of_2_bytes():
    with pytest.raises(ValueError, match="element_bytes"):
        wgmma_reads(made(), operand="A", major="MN", rows=8, k=32, element_bytes=1)
