"""Packed 4- and 6-bit types as the documents state them: sm_90 has none."""

from dataclasses import replace

import pytest

from course_lib import DataType, DeviceFault, IllegalTensorMap, NotMeasured, OobFill, Swizzle, TiledTensorMap, load
from course_lib.model.later.packed import load_packed
from tests.model.memories import UNTOUCHED, noise, window

PADDED = {DataType.U4X16_ALIGN16B: 8, DataType.U6X16_ALIGN16B: 12}  # data bytes of each 16-byte slot


def padded_map(data_type, **changed):
    """8 rows of 256 values, boxes of 2 rows of 128."""
    pitch = 256 * data_type.facts.bits // 8
    plain = {"global_address": 0, "global_dim": (256, 8), "global_strides": (pitch,), "box_dim": (128, 2)}
    return TiledTensorMap(data_type=data_type, **(plain | changed))


@pytest.mark.parametrize(("data_type", "data"), PADDED.items())
def test_sixteen_values_go_to_the_front_of_16_bytes_and_the_gap_keeps_what_it_held(data_type, data):
    memory, shared = noise(1, 8 * 256), window()
    copied = load_packed(padded_map(data_type), (128, 3), memory, shared)
    slots = shared[:256].reshape(2, 8, 16)
    rows = memory[: 16 * data * 8].reshape(8, 16, data)[3:5, 8:]
    assert (slots[..., :data] == rows).all()
    assert (slots[..., data:] == UNTOUCHED).all()
    assert (shared[256:] == UNTOUCHED).all()
    assert copied.transaction_bytes == 2 * 8 * data  # the packed bytes, not those in shared memory


@pytest.mark.parametrize("data_type", PADDED)
def test_rows_outside_are_filled_with_zeros_and_their_gaps_are_left(data_type):
    data, shared = PADDED[data_type], window()
    load_packed(padded_map(data_type), (0, 7), noise(1, 8 * 256), shared)
    slots = shared[:256].reshape(2, 8, 16)
    assert slots[0, :, :data].any()
    assert not slots[1, :, :data].any()
    assert (slots[..., data:] == UNTOUCHED).all()


def test_a_whole_row_of_slots_is_swizzled_as_16_byte_units():
    memory, plain, swizzled = noise(1, 8 * 256), window(), window()
    load_packed(padded_map(DataType.U6X16_ALIGN16B), (0, 2), memory, plain)
    load_packed(padded_map(DataType.U6X16_ALIGN16B, swizzle=Swizzle.B128), (0, 2), memory, swizzled)
    rows = plain[:256].reshape(2, 8, 16)
    assert (swizzled[:128] == plain[:128]).all()
    assert (swizzled[128:256].reshape(8, 16) == rows[1][[1, 0, 3, 2, 5, 4, 7, 6]]).all()


def test_sixteen_4_bit_values_without_a_gap_are_8_bytes_as_they_are():
    nibbles = TiledTensorMap(
        data_type=DataType.U4X16_ALIGN8B, global_address=0, global_dim=(254, 8), global_strides=(128,), box_dim=(64, 4)
    )
    whole = TiledTensorMap(
        data_type=DataType.UINT8, global_address=0, global_dim=(127, 8), global_strides=(128,), box_dim=(32, 4)
    )
    memory, packed, as_bytes = noise(2, 1024), window(), window()
    copied = load_packed(nibbles, (224, 6), memory, packed)
    load(whole, (112, 6), memory, as_bytes)
    assert (packed == as_bytes).all()
    assert copied.transaction_bytes == 64 * 4 // 2


@pytest.mark.parametrize(("data_type", "step"), [(DataType.U4X16_ALIGN8B, 32), *((t, 128) for t in PADDED)])
def test_a_first_coordinate_that_documents_forbid_is_not_measured(data_type, step):
    packed = padded_map(data_type)
    load_packed(packed, (-step, 0), noise(1, 2048), window())
    with pytest.raises(NotMeasured, match=f"a multiple of {step}"):
        load_packed(packed, (step // 2, 0), noise(1, 2048), window())


def test_hopper_refuses_the_types_and_no_packed_type_takes_nan_fill():
    packed = padded_map(DataType.U4X16_ALIGN16B)
    with pytest.raises(IllegalTensorMap, match="no packed"):
        load_packed(packed, (0, 0), noise(1, 2048), window(), target="sm_90")
    with pytest.raises(IllegalTensorMap, match="cannot be NaN"):
        load_packed(replace(packed, oob_fill=OobFill.NAN_REQUEST_ZERO_FMA), (0, 0), noise(1, 2048), window())


def test_another_type_and_packets_of_packed_values_are_named():
    words = TiledTensorMap(data_type=2, global_address=0, global_dim=(8, 8), global_strides=(32,), box_dim=(4, 4))
    with pytest.raises(ValueError, match="takes a tiled map of a packed type"):
        load_packed(words, (0, 0), noise(1, 2048), window())
    packets = padded_map(
        DataType.U4X16_ALIGN16B,
        interleave=1,
        global_dim=(256, 8, 8),
        global_strides=(128, 1024),
        box_dim=(128, 1, 1),
    )
    with pytest.raises(NotMeasured, match="packets of packed values"):
        load_packed(packets, (0, 0, 0), noise(1, 16384), window())


def test_a_packed_load_that_fails_writes_nothing():
    shared, packed = window(), padded_map(DataType.U6X16_ALIGN16B)
    with pytest.raises(DeviceFault, match="700"):
        load_packed(packed, (128, 6), noise(1, 1024), shared)
    with pytest.raises(DeviceFault, match="716"):
        load_packed(packed, (0, 0), noise(1, 2048), shared, shared_address=32)
    with pytest.raises(ValueError, match="shared_memory"):
        load_packed(packed, (0, 0), noise(1, 2048), shared[:255])
    assert (shared == UNTOUCHED).all()
