"""Threads that copy 16 bytes at a time leave what a tensor copy leaves, and share the pieces out evenly."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from course_lib import DataType, Interleave, OobFill, Swizzle, TiledTensorMap, load
from course_lib.model.cost.thread_copy import most_copies, perform, thread_copies
from course_lib.model.facts.swizzle import PATTERNS

TILE = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=256,
    global_dim=(101, 37),
    global_strides=(208,),
    box_dim=(64, 16),
    swizzle=Swizzle.B128,
)
MEMORY = np.random.default_rng(1).integers(1, 256, 256 * 1024, np.uint8)


def windows(tensor_map, start, threads, shared_address=0):
    by_engine, by_threads = np.full((2, 64 * 1024), 0xCD, np.uint8)
    load(tensor_map, start, MEMORY, by_engine, shared_address=shared_address)
    perform(thread_copies(tensor_map, start, threads, shared_address), MEMORY, by_threads)
    return by_engine, by_threads


def drawn_map(draw):
    swizzle = draw.choice([Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128])
    data_type = draw.choice([DataType.UINT8, DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT64])
    span = {Swizzle.NONE: 128, Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}[swizzle]
    width, height = draw.randint(1, 200), draw.randint(1, 60)
    return TiledTensorMap(
        data_type=data_type,
        global_address=16 * draw.randint(0, 900),
        global_dim=(width, height),
        global_strides=(-(-width * data_type.size_bytes // 16) * 16 + 16 * draw.randint(0, 3),),
        box_dim=(draw.randint(1, span // 16) * 16 // data_type.size_bytes, draw.randint(1, 70)),
        swizzle=swizzle,
    )


@pytest.mark.parametrize("seed", range(60))
def test_threads_leave_what_the_engine_leaves_inside_and_across_edges(seed):
    draw = Random(seed)
    tensor_map = drawn_map(draw)
    unit = 16 // tensor_map.data_type.size_bytes
    start = (unit * draw.randint(-6, 20), draw.randint(-20, 60))
    by_engine, by_threads = windows(tensor_map, start, 32 * draw.randint(1, 9), 128 * draw.randint(0, 9))
    assert by_engine.tobytes() == by_threads.tobytes()


def test_neighbouring_threads_take_neighbouring_pieces_so_a_warp_reads_whole_rows():
    warp = [copy for copy in thread_copies(TILE, (0, 0), 64) if copy.turn == 0 and copy.thread < 32]
    assert [(copy.row, copy.unit) for copy in warp] == [(row, unit) for row in range(4) for unit in range(8)]


def test_pieces_are_shared_out_evenly_and_each_16_bytes_of_the_box_are_written_once():
    copies = thread_copies(TILE, (0, 0), 48)
    each = Counter(copy.thread for copy in copies)
    assert set(each.values()) == {2, 3}
    assert max(each.values()) == most_copies(16, 128, 48)
    assert sorted(copy.target for copy in copies) == list(range(0, 2048, 16))


def test_what_lies_outside_still_writes_zeros():
    copies = thread_copies(TILE, (64, 36), 32)
    assert {copy.inside for copy in copies} == {0, 10, 16}
    shared = np.full(2048, 0xCD, np.uint8)
    assert perform(copies, MEMORY, shared) == 128
    assert not shared[128:].any()


def test_order_changes_the_target_alone():
    plain, turned = (thread_copies(replace(TILE, swizzle=s), (0, 0), 32) for s in (Swizzle.NONE, Swizzle.B128))
    assert [c[:6] for c in plain] == [c[:6] for c in turned]
    assert [PATTERNS[Swizzle.B128](copy.target) for copy in plain] == [copy.target for copy in turned]


@pytest.mark.parametrize(
    ("change", "start", "words"),
    [
        ({"oob_fill": OobFill.NAN_REQUEST_ZERO_FMA}, (0, 0), "fills with zero"),
        ({"data_type": DataType.TFLOAT32, "box_dim": (32, 16)}, (0, 0), "changes no value"),
        ({"interleave": Interleave.B16}, (0, 0), "without interleave"),
        ({"element_strides": (1, 2)}, (0, 0), "every row"),
        ({}, (4, 0), "starts on 16 bytes"),
    ],
)
def test_what_threads_would_do_in_another_way_is_refused(change, start, words):
    with pytest.raises(ValueError, match=words):
        thread_copies(replace(TILE, **change), start, 32)


def test_rows_that_are_no_whole_pieces_are_refused():
    with pytest.raises(ValueError, match="whole 16-byte pieces"):
        most_copies(4, 20, 32)
