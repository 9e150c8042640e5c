"""Four rows of a matrix as one tile, as the documents state it: sm_90 has no such copy."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib import DataType, DeviceFault, IllegalTensorMap, NotMeasured, Swizzle, TiledTensorMap, load
from course_lib.model.later.gather4 import gather4, scatter4
from tests.model.memories import UNTOUCHED, counting, noise, window, zeros

# 64 rows of 64 words: word c of row r is 64 r + c.
WORDS = TiledTensorMap(
    data_type=DataType.UINT32, global_address=0, global_dim=(64, 64), global_strides=(256,), box_dim=(16, 1)
)
MATRIX = counting(64 * 256, np.uint32)


def of(swizzle, **changed):
    return replace(WORDS, swizzle=swizzle, **changed)


def test_the_rows_lie_below_each_other_in_the_order_that_is_asked_for():
    shared = window()
    copied = gather4(WORDS, (8, 40, 3, 3, 0), MATRIX, shared)
    tile = shared[:256].view(np.uint32).reshape(4, 16)
    assert tile[:, 0].tolist() == [64 * row + 8 for row in (40, 3, 3, 0)]
    assert (np.diff(tile, axis=1) == 1).all()
    assert copied.transaction_bytes == 4 * 16 * 4
    assert (shared[256:] == UNTOUCHED).all()


@pytest.mark.parametrize("swizzle", [Swizzle.NONE, Swizzle.B64, Swizzle.B128, Swizzle.B128_ATOM_32B])
@pytest.mark.parametrize("address", [0, 384])
def test_four_rows_in_a_line_are_the_tile_that_a_load_brings(swizzle, address):
    gathered, loaded = window(), window()
    gather4(of(swizzle), (16, 20, 21, 22, 23), MATRIX, gathered, shared_address=address)
    load(of(swizzle, box_dim=(16, 4)), (16, 20), MATRIX, loaded, shared_address=address, target="sm_100")
    assert (gathered == loaded).all()


def test_a_row_outside_is_filled_and_the_others_are_not():
    shared = window()
    gather4(WORDS, (0, 1, -1, 64, 63), MATRIX, shared)
    assert shared[:256].view(np.uint32).reshape(4, 16)[:, 1].tolist() == [65, 0, 0, 64 * 63 + 1]


def test_columns_past_the_end_are_filled_in_every_row():
    shared = window()
    gather4(WORDS, (60, 0, 1, 2, 3), MATRIX, shared)
    tile = shared[:256].view(np.uint32).reshape(4, 16)
    assert (tile[:, 4:] == 0).all()
    assert tile[:, 3].tolist() == [63, 127, 191, 255]


@pytest.mark.parametrize("swizzle", [Swizzle.NONE, Swizzle.B64, Swizzle.B128])
def test_a_scatter_takes_back_what_a_gather_brought(swizzle):
    memory, shared, before = noise(5, 64 * 256), window(), zeros(64 * 256)
    rows = (4, 60, 0, 17)
    gather4(of(swizzle), (16, *rows), memory, shared)
    copied = scatter4(of(swizzle), (16, *rows), shared, before)
    wanted = zeros(64 * 256).reshape(64, 256)
    wanted[list(rows), 64:128] = memory.reshape(64, 256)[list(rows), 64:128]
    assert (before.reshape(64, 256) == wanted).all()
    assert copied.transaction_bytes == 256


def test_a_scatter_leaves_out_the_rows_past_the_end():
    memory = zeros(64 * 256)
    scatter4(WORDS, (0, 64, 2, 99, 64), np.full(256, 7, np.uint8), memory)
    assert np.unique(np.flatnonzero(memory) // 256).tolist() == [2]


def test_a_start_off_16_bytes_or_a_shared_address_off_128_traps():
    with pytest.raises(DeviceFault, match="715"):
        gather4(WORDS, (1, 0, 1, 2, 3), MATRIX, window())
    with pytest.raises(DeviceFault, match="716"):
        gather4(WORDS, (0, 0, 1, 2, 3), MATRIX, window(), shared_address=64)
    with pytest.raises(DeviceFault, match="715"):
        scatter4(WORDS, (0, 0, 1, -2, 3), window(), zeros(64 * 256))


@pytest.mark.parametrize("target", ["sm_90", "sm_90a"])
def test_hopper_has_neither(target):
    with pytest.raises(NotMeasured, match="from sm_100 on"):
        gather4(WORDS, (0, 0, 1, 2, 3), MATRIX, window(), target=target)
    with pytest.raises(NotMeasured, match="from sm_100 on"):
        scatter4(WORDS, (0, 0, 1, 2, 3), window(), zeros(64 * 256), target=target)


@pytest.mark.parametrize("target", ["sm_100", "sm_120", "sm_120a"])
def test_some_targets_gather_and_do_not_scatter(target):
    assert gather4(WORDS, (0, 0, 1, 2, 3), MATRIX, window(), target=target).transaction_bytes == 256
    with pytest.raises(ValueError, match="scatter4 exists on sm_100a"):
        scatter4(WORDS, (0, 0, 1, 2, 3), window(), zeros(64 * 256), target=target)


def test_a_map_of_more_than_one_row_or_of_another_rank_is_named():
    with pytest.raises(ValueError, match=r"tensor_map: .*box_dim\[1\] = 1"):
        gather4(of(Swizzle.NONE, box_dim=(16, 2)), (0, 0, 1, 2, 3), MATRIX, window())
    line = TiledTensorMap(data_type=2, global_address=0, global_dim=(64,), global_strides=(), box_dim=(16,))
    with pytest.raises(ValueError, match="rank 2"):
        gather4(line, (0, 0, 1, 2, 3), MATRIX, window())
    with pytest.raises(IllegalTensorMap):
        gather4(of(Swizzle.NONE, box_dim=(3, 1)), (0, 0, 1, 2, 3), MATRIX, window())


@pytest.mark.parametrize("coordinates", [(0, 1, 2, 3), (0, 1, 2, 3, 4, 5)])
def test_one_column_and_four_rows_are_needed(coordinates):
    with pytest.raises(ValueError, match="one column and 4 rows"):
        gather4(WORDS, coordinates, MATRIX, window())


def test_a_gather_that_fails_writes_nothing():
    shared = window()
    with pytest.raises(DeviceFault, match="700"):
        gather4(WORDS, (0, 0, 1, 2, 63), MATRIX[:4096], shared)
    assert (shared == UNTOUCHED).all()
