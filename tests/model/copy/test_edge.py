"""What becomes of the bytes of a box at an edge: counted one by one, and held against what the copies do to memory."""

from itertools import product

import numpy as np
import pytest

from course_lib import DataType, DeviceFault, IllegalTensorMap, Im2colTensorMap, OobFill, TiledTensorMap, load, store
from course_lib.model.copy.edge import CLIPPED, COPIED, FILLED, KINDS, SPILLED, EdgePiece, load_edge, store_edge

TILE = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=1024, global_dim=(7, 3), global_strides=(32,), box_dim=(8, 4)
)
STARTS = list(product((-8, -4, 0, 4, 8), range(-5, 5)))
STORED = [start for start in STARTS if min(start) >= 0]


def counts(edge):
    return {kind: edge.bytes_of(kind) for kind in KINDS if edge.bytes_of(kind)}


def test_a_row_is_cut_where_the_tensor_ends_not_where_a_unit_does():
    assert load_edge(TILE, (4, -1)).rows[:2] == (
        (EdgePiece(FILLED, 0, 32),),
        (EdgePiece(COPIED, 0, 12), EdgePiece(FILLED, 12, 20)),
    )


def test_a_store_writes_the_cut_unit_whole_and_clips_the_others():
    row = EdgePiece(COPIED, 0, 12), EdgePiece(SPILLED, 12, 4), EdgePiece(CLIPPED, 16, 16)
    assert store_edge(TILE, (4, 2)).rows[:2] == (row, (EdgePiece(CLIPPED, 0, 32),))


def test_a_box_that_begins_before_the_row_is_filled_first():
    assert load_edge(TILE, (-4, 0)).rows[0] == (EdgePiece(FILLED, 0, 16), EdgePiece(COPIED, 16, 16))


@pytest.mark.parametrize("start", STARTS)
def test_a_load_copies_and_fills_as_many_bytes_as_the_edge_says(start):
    memory, shared = np.full(4096, 0x11, np.uint8), np.full(128, 0xCD, np.uint8)
    load(TILE, start, memory, shared)
    edge = load_edge(TILE, start)
    assert (shared == 0x11).sum() == edge.copied_bytes
    assert (shared == 0).sum() == edge.bytes_of(FILLED) == 128 - edge.copied_bytes


@pytest.mark.parametrize("start", STORED)
def test_a_store_changes_as_many_bytes_as_the_edge_says(start):
    memory = np.zeros(4096, np.uint8)
    store(TILE, start, np.full(128, 0x11, np.uint8), memory)
    edge = store_edge(TILE, start)
    assert memory.sum() // 0x11 == edge.copied_bytes + edge.bytes_of(SPILLED)
    assert sum(counts(edge).values()) == 128


@pytest.mark.parametrize("edge", [load_edge, store_edge])
def test_the_pieces_of_a_row_follow_each_other_without_a_gap(edge):
    for start in STORED:
        for row in edge(TILE, start).rows:
            ends = [0, *(piece.begin + piece.size for piece in row)]
            assert [piece.begin for piece in row] == ends[:-1]
            assert ends[-1] == 32


def test_what_the_call_or_the_device_refuses_is_refused_here_too():
    with pytest.raises(DeviceFault) as fault:
        store_edge(TILE, (0, -1))
    assert fault.value.code == 715
    with pytest.raises(DeviceFault):
        load_edge(TILE, (1, 0))
    with pytest.raises(IllegalTensorMap):
        load_edge(TiledTensorMap(**{**vars(TILE), "box_dim": (7, 4)}), (0, 0))


def test_an_im2col_column_has_no_such_rows():
    column = Im2colTensorMap(
        data_type=DataType.FLOAT16,
        global_address=1024,
        global_dim=(8, 4, 4),
        global_strides=(16, 64),
        pixel_box_lower_corner=(0,),
        pixel_box_upper_corner=(0,),
        channels_per_pixel=8,
        pixels_per_column=4,
        element_strides=(1, 1, 1),
        interleave=0,
        swizzle=0,
        l2_promotion=0,
        oob_fill=OobFill.NONE,
    )
    with pytest.raises(ValueError, match="im2col column"):
        load_edge(column, (0, 0, 0))
