"""The 128 bytes: one table of fields, and what comes back from them."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import DataType, Im2colTensorMap, Im2colWideTensorMap, TiledTensorMap, decode
from course_lib.model.call.encoding import IM2COL_FIELDS, TILED_FIELDS, data_type_of
from course_lib.model.call.sizes import descriptor_box_bytes
from course_lib.model.facts.bits import overlaps
from tests.model.drawing import im2col_maps, tiled_maps

M = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x12_3456_7890,
    global_dim=(1000, 2**32, 7),
    global_strides=(2**39 + 32, 2**36 - 16),
    box_dim=(64, 256, 3),
    element_strides=(1, 8, 2),
    swizzle=3,
    l2_promotion=2,
    oob_fill=1,
)
PIXELS = Im2colTensorMap(
    data_type=DataType.UINT8,
    global_address=4096,
    global_dim=(64, 9, 9, 9, 2),
    global_strides=(64, 576, 5184, 46656),
    pixel_box_lower_corner=(-1, -2, -16),
    pixel_box_upper_corner=(3, -4, 15),
    channels_per_pixel=256,
    pixels_per_column=912,
    element_strides=(1, 2, 3, 4, 5),
)


def number(m):
    return int.from_bytes(m.encode(), "little")


def bits(m, lsb, width):
    return number(m) >> lsb & (1 << width) - 1


def test_each_argument_of_a_tiled_call_lies_where_the_recordings_have_it():
    assert bits(M, 0, 57) == 0x12_3456_7890
    assert [bits(M, lsb, 1) for lsb in (64, 79, 80)] == [0, 1, 0]
    assert (bits(M, 68, 3), bits(M, 71, 4), bits(M, 75, 2), bits(M, 77, 2), bits(M, 81, 2)) == (2, 10, 0, 3, 2)
    assert [bits(M, 96 + 32 * i, 32) for i in range(4)] == [2, 2**32 - 1, 0, 0]
    assert [bits(M, 224 + 4 * i, 4) for i in range(4)] == [2**39 // 16 >> 32, 0, 0, 0]
    assert [bits(M, 256 + 32 * i, 32) for i in range(5)] == [999, 2**32 - 1, 6, 0, 0]
    assert [bits(M, 416 + 3 * i, 3) for i in range(5)] == [0, 7, 1, 0, 0]
    assert [bits(M, 440 + 8 * i, 8) for i in range(5)] == [63, 255, 2, 0, 0]
    assert bits(M, 512, 18) == 64 * 2 * (256 // 8) * (3 // 2)
    assert bits(M, 576, 11) == 1024


def test_each_argument_of_an_im2col_call_lies_where_the_recordings_have_it():
    assert bits(PIXELS, 64, 1) == 1
    assert bits(PIXELS, 440, 8) == 255
    assert [bits(PIXELS, 448 + 5 * i, 5) for i in range(3)] == [31, 30, 16]
    assert [bits(PIXELS, 464 + 5 * i, 5) for i in range(3)] == [3, 28, 15]
    assert bits(PIXELS, 480, 10) == 911
    assert bits(PIXELS, 512, 18) == 256 * 912


def test_fields_do_not_overlap_and_fit_the_descriptor():
    for table in (TILED_FIELDS, *IM2COL_FIELDS.values()):
        assert overlaps(table) == []
        assert max(field.lsb + field.width for field in table) <= 1024


LARGEST = {  # the largest value that a legal call puts into a field
    **{
        "global_address": 2**57 - 1,
        "is_im2col": 1,
        "rank_minus_1": 4,
        "element_type": 10,
        "interleave": 2,
        "swizzle": 3,
    },
    **{"oob_fill": 1, "is_tf32": 1, "l2_promotion": 3, "box_bytes": 233_472, "swizzle_repeat": 1024},
    **{f"stride_{i}_low": 2**32 - 1 for i in range(4)},
    **{f"stride_{i}_high": 2**4 - 1 for i in range(4)},
    **{f"dim_{i}_minus_1": 2**32 - 1 for i in range(5)},
    **{f"element_stride_{i}_minus_1": 7 for i in range(5)},
    **{f"box_{i}_minus_1": 255 for i in range(5)},
    **{"channels_minus_1": 255, "pixels_minus_1": 1023},
}


def test_each_field_is_as_wide_as_its_largest_value_needs():
    for table in (TILED_FIELDS, *IM2COL_FIELDS.values()):
        widths = {field.name: field.width for field in table if "corner" not in field.name}
        assert widths == {name: LARGEST[name].bit_length() for name in widths}


@pytest.mark.parametrize("data_type", [t for t in DataType if not t.is_packed], ids=lambda t: t.name)
def test_every_type_comes_back(data_type):
    m = replace(M, data_type=data_type, box_dim=(16, 256, 1), swizzle=0, oob_fill=0)
    assert decode(m.encode()).data_type is data_type


def test_tf32_is_float32_with_a_bit_of_its_own():
    plain, rounded = (replace(M, data_type=t, box_dim=(32, 8, 3)) for t in (DataType.FLOAT32, DataType.TFLOAT32))
    assert number(plain) ^ number(rounded) == 1 << 80


@pytest.mark.parametrize(("code", "is_tf32"), [(11, False), (12, False), (13, False), (15, True), (0, True), (9, True)])
def test_a_type_code_that_no_hopper_map_holds_is_refused(code, is_tf32):
    with pytest.raises(ValueError, match=f"element type code {code} with TF32 bit {int(is_tf32)}"):
        data_type_of(code, is_tf32)


@settings(max_examples=200)
@given(st.one_of(tiled_maps(), im2col_maps()), st.data())
def test_decode_inverts_encode_on_random_legal_maps(m, data):
    address = 32 * data.draw(st.integers(0, 2**52 - 1))
    m = replace(m, global_address=address)
    back = decode(m.encode())
    assert back.encode() == m.encode()
    assert back == m or isinstance(m, Im2colWideTensorMap)
    assert bits(m, 512, 18) == descriptor_box_bytes(m)


def test_the_wide_call_and_its_mode_leave_no_trace_in_the_bytes():
    shape = {name: getattr(PIXELS, name) for name in ("data_type", "global_address", "global_dim", "global_strides")}
    column = {"channels_per_pixel": 16, "pixels_per_column": 8}
    width = {f"pixel_box_{side}_corner_width": -2 for side in ("lower", "upper")}
    corners = {f"pixel_box_{side}_corner": (-2, 0, 0) for side in ("lower", "upper")}
    wide = [Im2colWideTensorMap(**shape, **column, **width, wide_mode=mode).encode() for mode in (0, 1)]
    assert wide == [Im2colTensorMap(**shape, **column, **corners).encode()] * 2


@pytest.mark.parametrize("length", [0, 127, 129, 256])
def test_only_128_bytes_are_a_tensor_map(length):
    with pytest.raises(ValueError, match=f"128 bytes, not {length}"):
        decode(bytes(length))


@pytest.mark.parametrize("data", [None, 0, "00" * 128, [0] * 128, M], ids=lambda v: type(v).__name__)
def test_what_is_no_bytes_is_a_type_error(data):
    with pytest.raises(TypeError, match=f"^data must be bytes, not {type(data).__name__}$"):
        decode(data)


@pytest.mark.parametrize("rank", [6, 7, 8])
def test_bytes_with_an_impossible_rank_are_refused(rank):
    data = (number(M) & ~(7 << 68) | (rank - 1) << 68).to_bytes(128, "little")
    with pytest.raises(ValueError, match=f"hold rank {rank}"):
        decode(data)


@pytest.mark.parametrize("bit", [58, 65, 83, 430, 600, 1023])
def test_a_bit_that_no_field_owns_is_refused(bit):
    with pytest.raises(ValueError, match="no sm_90 encode call gives these bytes"):
        decode((number(M) | 1 << bit).to_bytes(128, "little"))


@pytest.mark.parametrize("change", [1 << 512, 1 << 576])
def test_a_derived_word_that_does_not_fit_is_refused(change):
    with pytest.raises(ValueError, match="no sm_90 encode call gives these bytes"):
        decode((number(M) ^ change).to_bytes(128, "little"))


def test_bytes_of_a_call_that_the_driver_refuses_are_refused():
    with pytest.raises(ValueError, match="no sm_90 encode call"):
        decode((number(M) | 7 << 440 + 2 * 8 | 8 | 1).to_bytes(128, "little"))
