"""Copies by hand: small boxes whose bytes a reader can follow."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib import (
    DataType,
    DeviceFault,
    Interleave,
    OobFill,
    ReduceOp,
    Swizzle,
    TiledTensorMap,
    load,
    prefetch,
    reduce,
    store,
)
from tests.model.memories import UNTOUCHED, counting, noise, window, zeros

BYTES = TiledTensorMap(
    data_type=DataType.UINT8, global_address=0, global_dim=(32, 8), global_strides=(32,), box_dim=(16, 2)
)
WORDS = TiledTensorMap(
    data_type=DataType.UINT32, global_address=64, global_dim=(5, 3), global_strides=(32,), box_dim=(4, 2)
)
NAN = OobFill.NAN_REQUEST_ZERO_FMA


def loaded(m, at, memory, size=1024, **keywords):
    shared = window(size)
    load(m, at, memory, shared, **keywords)
    return shared


def test_a_box_lands_row_after_row():
    shared = loaded(BYTES, (16, 3), counting(256))
    assert shared[:32].tolist() == [*range(112, 128), *range(144, 160)]
    assert (shared[32:] == UNTOUCHED).all()


def test_the_copy_tells_the_bytes_that_the_barrier_counts():
    assert load(BYTES, (0, 0), counting(256), window()).transaction_bytes == 32
    assert load(BYTES, (-64, -9), counting(256), window()).transaction_bytes == 32
    assert store(BYTES, (0, 7), zeros(64), zeros(256)).transaction_bytes == 32
    assert reduce(ReduceOp.ADD, WORDS, (0, 0), zeros(64), zeros(256)).transaction_bytes == 32


def test_the_tensors_address_is_where_its_first_element_lies():
    m = replace(BYTES, global_address=48)
    assert loaded(m, (0, 0), counting(512))[:32].tolist() == [*range(48, 64), *range(80, 96)]


def test_a_box_past_every_edge_is_zeros():
    assert loaded(BYTES, (32, 0), counting(256))[:32].tolist() == [0] * 32
    assert loaded(BYTES, (-16, 0), counting(256))[:32].tolist() == [0] * 32


def test_a_box_across_an_edge_is_decided_element_by_element():
    shared = loaded(WORDS, (4, 2), counting(256)).view("<u4")
    assert shared[:8].tolist() == [0x93929190, 0, 0, 0, 0, 0, 0, 0]


def test_a_box_before_the_first_element_starts_with_the_fill():
    shared = loaded(WORDS, (-4, -1), counting(256)).view("<u4")
    assert shared[:8].tolist() == [0] * 8
    shared = loaded(replace(WORDS, box_dim=(8, 2)), (-4, -1), counting(256)).view("<u4")
    assert shared[:16].tolist() == [0] * 12 + [0x43424140, 0x47464544, 0x4B4A4948, 0x4F4E4D4C]


@pytest.mark.parametrize(("name", "fill"), [("FLOAT32", 0x7FF77FF7), ("TFLOAT32", 0x7FF77FF7)])
def test_nan_fill_is_one_pattern_and_the_inside_stays(name, fill):
    m = replace(WORDS, data_type=DataType[name], oob_fill=NAN)
    memory = np.ones(64, "<f4").view(np.uint8)
    assert loaded(m, (4, 0), memory).view("<u4")[:4].tolist() == [0x3F800000, fill, fill, fill]


def test_tf32_rounds_on_the_way_in_and_not_on_the_way_out():
    m, memory = replace(WORDS, data_type=DataType.TFLOAT32), np.full(64, 0x3F801001, "<u4").view(np.uint8)
    assert loaded(m, (0, 0), memory).view("<u4")[:4].tolist() == [0x3F802000] * 4
    target = zeros(256)
    store(m, (0, 0), memory, target)
    assert target.view("<u4")[16:20].tolist() == [0x3F801001] * 4


@pytest.mark.parametrize("swizzle", [Swizzle.B32, Swizzle.B64, Swizzle.B128])
def test_a_narrow_row_takes_a_whole_span_and_leaves_the_gap(swizzle):
    m = replace(BYTES, swizzle=swizzle)
    shared, span = loaded(m, (0, 0), counting(256)), 16 << swizzle
    touched = np.flatnonzero(shared != UNTOUCHED)
    assert touched.size == 32
    assert shared[touched].tolist() == [*range(16), *range(32, 48)]
    assert (touched[0] // span, touched[16] // span) == (0, 1)


def test_128b_swizzle_xors_the_unit_with_the_line():
    m = TiledTensorMap(
        data_type=DataType.UINT8,
        global_address=0,
        global_dim=(128, 16),
        global_strides=(128,),
        box_dim=(128, 16),
        swizzle=Swizzle.B128,
    )
    units = np.repeat(np.arange(128, dtype=np.uint8), 16)
    shared = loaded(m, (0, 0), units, size=2048).reshape(16, 8, 16)[:, :, 0]
    assert shared.tolist() == [[8 * line + (unit ^ line % 8) for unit in range(8)] for line in range(16)]


def test_the_shared_address_keys_the_swizzle():
    m = replace(BYTES, box_dim=(32, 8), swizzle=Swizzle.B32)
    at_0, at_128 = (loaded(m, (0, 0), counting(256), shared_address=a)[a : a + 256] for a in (0, 128))
    assert at_0[:128].tolist() == list(range(128))
    assert at_128[:32].tolist() == [*range(16, 32), *range(16)]
    assert not np.array_equal(at_0, at_128)


def test_element_strides_skip_rows_and_the_innermost_one_is_ignored():
    m = replace(BYTES, box_dim=(16, 5), element_strides=(4, 2))
    shared = loaded(m, (0, 1), counting(256))
    assert shared[:48].tolist() == [*range(32, 48), *range(96, 112), *range(160, 176)]
    assert (shared[48:] == UNTOUCHED).all()


def test_interleave_copies_whole_packets_of_one_slice():
    m = TiledTensorMap(
        data_type=DataType.UINT8,
        global_address=0,
        global_dim=(3, 2, 2),
        global_strides=(48, 96),
        box_dim=(16, 2, 1),
        interleave=Interleave.B16,
    )
    shared = loaded(m, (1, 1, 0), counting(192))
    assert shared[:32].tolist() == list(range(64, 96))
    assert (shared[32 : 16 * 16] == 0).all()
    assert (shared[16 * 16 :] == UNTOUCHED).all()


def test_interleave_steps_its_innermost_dimension():
    m = TiledTensorMap(
        data_type=DataType.UINT8,
        global_address=0,
        global_dim=(9, 1, 1),
        global_strides=(144, 144),
        box_dim=(16, 1, 1),
        element_strides=(4, 1, 1),
        interleave=Interleave.B16,
    )
    shared = loaded(m, (0, 0, 0), np.repeat(np.arange(9, dtype=np.uint8), 16))
    assert shared[:64:16].tolist() == [0, 4, 8, 0]
    assert (shared[64:] == UNTOUCHED).all()


def test_a_store_writes_what_lies_inside_and_leaves_the_rest():
    memory = window(256)
    store(BYTES, (16, 7), counting(64), memory)
    assert memory[240:256].tolist() == list(range(16))
    assert (memory[:240] == UNTOUCHED).all()


def test_a_store_clips_at_16_bytes_so_a_tensor_of_one_float_gets_16():
    m, memory = replace(WORDS, global_dim=(1, 1)), window(256)
    store(m, (0, 0), counting(64), memory)
    assert memory[64:80].tolist() == list(range(16))
    assert np.count_nonzero(memory != UNTOUCHED) == 16


def test_one_byte_inside_is_loaded_alone_and_stored_with_its_whole_unit():
    m = replace(BYTES, global_dim=(17, 8), box_dim=(32, 1))
    shared, memory = loaded(m, (0, 0), counting(256)), window(256)
    assert shared[:32].tolist() == [*range(17), *[0] * 15]
    store(m, (0, 0), shared, memory)
    assert memory[:32].tolist() == [*range(17), *[0] * 15]
    assert (memory[32:] == UNTOUCHED).all()


def test_a_store_reads_its_box_swizzled():
    m = replace(BYTES, box_dim=(32, 8), swizzle=Swizzle.B32)
    shared, memory = loaded(m, (0, 0), counting(256)), zeros(256)
    store(m, (0, 0), shared, memory)
    assert np.array_equal(memory, counting(256))


def test_a_reduction_combines_memory_with_the_box():
    memory, shared = np.full(64, 10, "<u4").view(np.uint8), np.arange(256, dtype="<u4").view(np.uint8)
    reduce(ReduceOp.ADD, WORDS, (0, 1), shared, memory)
    assert memory.view("<u4")[24:28].tolist() == [10, 11, 12, 13]
    assert memory.view("<u4")[32:36].tolist() == [14, 15, 16, 17]
    assert memory.view("<u4")[:24].tolist() == [10] * 24


def test_units_that_a_reduction_meets_twice_are_combined_twice():
    m, memory = replace(WORDS, global_strides=(0,), global_dim=(4, 3), box_dim=(4, 3)), zeros(256)
    reduce(ReduceOp.ADD, m, (0, 0), np.arange(1, 65, dtype="<u4").view(np.uint8), memory)
    assert memory.view("<u4")[16:20].tolist() == [1 + 5 + 9, 2 + 6 + 10, 3 + 7 + 11, 4 + 8 + 12]


@pytest.mark.parametrize("address", range(0, 64, 16))
def test_a_unit_that_is_met_twice_is_combined_twice_wherever_it_lies(address):
    m, memory = replace(WORDS, global_address=address, global_strides=(0,), global_dim=(4, 3)), zeros(256)
    reduce(ReduceOp.ADD, m, (0, 0), np.arange(1, 65, dtype="<u4").view(np.uint8), memory)
    assert memory.view("<u4")[address // 4 : address // 4 + 4].tolist() == [6, 8, 10, 12]


def test_any_integer_that_names_an_operation_will_do():
    memory = zeros(256)
    reduce(np.int64(6), WORDS, (0, 0), counting(64), memory)
    assert memory[64:80].tolist() == list(range(16))
    with pytest.raises(ValueError, match=r"op = 8: a ReduceOp is 0 to 7"):
        reduce(8, WORDS, (0, 0), counting(64), memory)
    with pytest.raises(TypeError, match=r"op must be an integer, not str"):
        reduce("add", WORDS, (0, 0), counting(64), memory)


def test_what_is_no_tensor_map_is_named():
    with pytest.raises(TypeError, match=r"tensor_map must be a tensor map, not str"):
        load("a map", (0, 0), counting(64), zeros(256))


def test_a_prefetch_traps_where_a_load_does_and_changes_nothing():
    assert prefetch(BYTES, (0, 0)) is None
    with pytest.raises(DeviceFault, match="715"):
        prefetch(BYTES, (1, 0))
    with pytest.raises(ValueError, match=r"^im2col_offsets"):
        prefetch(BYTES, (0, 0), im2col_offsets=(1,))


def test_memory_need_not_be_whole_units():
    shared = window(1000)[:37]
    load(BYTES, (0, 0), counting(253 + 2)[:253], shared)
    assert shared[:32].tolist() == [*range(16), *range(32, 48)]


@pytest.mark.parametrize("start", range(0, 5))
def test_memories_may_start_at_any_byte(start):
    memory, shared = noise(3, 300)[start : start + 256], window(300)[start : start + 64]
    load(BYTES, (0, 0), memory, shared)
    assert np.array_equal(shared[:16], memory[:16])
    assert np.array_equal(shared[16:32], memory[32:48])
