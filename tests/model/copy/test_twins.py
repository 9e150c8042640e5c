"""The fast copies and the readable ones give the same bytes, or the same exception, and laws that both must keep."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import DeviceFault, ReduceOp, TiledTensorMap, load, reduce, store
from course_lib.model.copy import plain
from course_lib.model.copy.arithmetic import LEGAL_TYPES
from tests.model.drawing import MEMORY_BYTES, SHARED_ADDRESSES, TYPES, coordinates, im2col_maps, offsets, tiled_maps

MAPS = st.one_of(tiled_maps(), im2col_maps())
SHARED_BYTES = 1 << 16
EXAMPLES = settings(max_examples=150, deadline=None)


@cache
def memory(seed, size):
    data = np.random.default_rng(seed).integers(0, 256, size, np.uint8)
    data.flags.writeable = False
    return data


def outcome(copy, written):
    """What a copy left in the memory it writes; on an exception its type and code, and that nothing was written."""
    before = written.copy()
    try:
        copy()
    except (DeviceFault, ValueError) as error:
        assert np.array_equal(before, written), "a copy that failed has written"
        return type(error), getattr(error, "code", None)
    return written.tobytes()


@EXAMPLES
@given(st.data())
def test_both_twins_load_the_same_bytes(data):
    m = data.draw(MAPS)
    where, address, moved = data.draw(coordinates(m)), data.draw(SHARED_ADDRESSES), data.draw(offsets(m))
    there = memory(1, data.draw(st.sampled_from([MEMORY_BYTES] * 7 + [4400])))
    fast, readable = (np.full(SHARED_BYTES, 0xCD, np.uint8) for _ in range(2))
    keywords = {"shared_address": address, "im2col_offsets": moved}
    ours = outcome(lambda: load(m, where, there, fast, **keywords), fast)
    theirs = outcome(lambda: plain.load(m, where, there, readable, **keywords), readable)
    assert ours == theirs


@EXAMPLES
@given(st.data())
def test_both_twins_store_the_same_bytes(data):
    m = data.draw(MAPS)
    where, address = (
        data.draw(coordinates(m, lowest=data.draw(st.sampled_from([0, 0, 0, -2])))),
        data.draw(SHARED_ADDRESSES),
    )
    source, size = memory(2, SHARED_BYTES), data.draw(st.sampled_from([MEMORY_BYTES] * 7 + [4400]))
    fast, readable = memory(1, size).copy(), memory(1, size).copy()
    ours = outcome(lambda: store(m, where, source, fast, shared_address=address), fast)
    theirs = outcome(lambda: plain.store(m, where, source, readable, shared_address=address), readable)
    assert ours == theirs


@EXAMPLES
@given(st.data())
def test_both_twins_reduce_to_the_same_bytes(data):
    op = data.draw(st.sampled_from(ReduceOp))
    types = data.draw(st.sampled_from([sorted(LEGAL_TYPES[op])] * 9 + [TYPES]))
    m = data.draw(st.one_of(tiled_maps(types=types), im2col_maps(types=types)))
    where, address = data.draw(coordinates(m, lowest=0)), data.draw(SHARED_ADDRESSES)
    source, fast, readable = memory(2, SHARED_BYTES), memory(1, MEMORY_BYTES).copy(), memory(1, MEMORY_BYTES).copy()
    ours = outcome(lambda: reduce(op, m, where, source, fast, shared_address=address), fast)
    theirs = outcome(lambda: plain.reduce(op, m, where, source, readable, shared_address=address), readable)
    assert ours == theirs


@st.composite
def far_copies(draw, outward=False):
    """A map whose last coordinate carries a copy far away, once or oftener around all addresses, and the base at which
    a memory lies that holds it all the same; now and then the base is off 16."""
    m = draw(MAPS.filter(lambda m: m.rank > 1))
    lowest = 0 if outward else -3
    last, stride = draw(st.integers(0, 2**31 - 9)), 32 * draw(st.integers(2**20, 2**35 - 1))
    far = replace(m, global_dim=(*m.global_dim[:-1], 2**31), global_strides=(*m.global_strides[:-1], stride))
    where = (*draw(coordinates(m, lowest=lowest))[:-1], last)
    lead = draw(st.sampled_from([0, 0, 16, 5]))
    return far, where, (last * stride - lead) % 2**64


@EXAMPLES
@given(st.data())
def test_both_twins_load_the_same_bytes_around_the_end_of_all_addresses(data):
    m, where, base = data.draw(far_copies())
    fast, readable = (np.full(SHARED_BYTES, 0xCD, np.uint8) for _ in range(2))
    keywords = {"im2col_offsets": data.draw(offsets(m)), "global_base": base}
    ours = outcome(lambda: load(m, where, memory(1, MEMORY_BYTES), fast, **keywords), fast)
    theirs = outcome(lambda: plain.load(m, where, memory(1, MEMORY_BYTES), readable, **keywords), readable)
    assert ours == theirs


@EXAMPLES
@given(st.data())
def test_both_twins_store_the_same_bytes_around_the_end_of_all_addresses(data):
    m, where, base = data.draw(far_copies(outward=True))
    fast, readable = memory(1, MEMORY_BYTES).copy(), memory(1, MEMORY_BYTES).copy()
    source = memory(2, SHARED_BYTES)
    ours = outcome(lambda: store(m, where, source, fast, global_base=base), fast)
    theirs = outcome(lambda: plain.store(m, where, source, readable, global_base=base), readable)
    assert ours == theirs


@EXAMPLES
@given(st.data(), st.integers(0, 2**51 - 1))
def test_a_memory_anywhere_gives_what_the_same_memory_gives_at_0(data, number):
    m, base = data.draw(tiled_maps()), 32 * number
    where, moved = data.draw(coordinates(m)), replace(m, global_address=m.global_address + base)
    here, there = (np.full(SHARED_BYTES, 0xCD, np.uint8) for _ in range(2))
    ours = outcome(lambda: load(m, where, memory(1, MEMORY_BYTES), here), here)
    theirs = outcome(lambda: load(moved, where, memory(1, MEMORY_BYTES), there, global_base=base), there)
    assert ours == theirs


@pytest.mark.parametrize(
    ("base", "error"), [(-1, ValueError), (2**64, ValueError), (0.0, TypeError), (True, TypeError)]
)
def test_a_base_is_an_address(base, error):
    m = TiledTensorMap(data_type=0, global_address=0, global_dim=(16,), global_strides=(), box_dim=(16,))
    shared, there = np.zeros(16, np.uint8), np.zeros(16, np.uint8)
    for copy in (
        lambda: load(m, (0,), there, shared, global_base=base),
        lambda: store(m, (0,), shared, there, global_base=base),
    ):
        with pytest.raises(error, match="global_base"):
            copy()


def test_a_memory_that_begins_off_16_is_read_and_written_to_the_byte():
    m = TiledTensorMap(data_type=0, global_address=1024, global_dim=(16, 2), global_strides=(16,), box_dim=(16, 2))
    there, shared = np.arange(60, dtype=np.uint8), np.zeros(32, np.uint8)
    load(m, (0, 0), there, shared, global_base=1024 - 7)
    assert shared.tolist() == list(range(7, 39))
    store(m, (0, 0), shared + np.uint8(100), there, global_base=1024 - 7)
    assert there.tolist() == [*range(7), *range(107, 139), *range(39, 60)]
    with pytest.raises(DeviceFault, match="700"):
        load(m, (0, 0), there, shared, global_base=1024 + 7)


def placed(m, where, moved, background):
    window = np.full(SHARED_BYTES, background, np.uint8)
    copied = load(m, where, memory(1, MEMORY_BYTES), window, im2col_offsets=moved)
    return window, copied.transaction_bytes


@EXAMPLES
@given(st.data())
def test_the_barrier_counts_every_byte_that_a_load_places_and_no_other(data):
    m = data.draw(MAPS)
    where, moved = data.draw(coordinates(m)), data.draw(offsets(m))
    try:
        (one, counted), (other, _) = placed(m, where, moved, 0x00), placed(m, where, moved, 0xFF)
    except DeviceFault:
        return
    assert np.count_nonzero(one == other) == counted


@EXAMPLES
@given(st.data())
def test_a_store_undoes_a_load(data):
    m = data.draw(tiled_maps())
    where = data.draw(coordinates(m, lowest=0))
    address = 128 * data.draw(st.integers(0, 8))
    original, window, other = memory(1, MEMORY_BYTES), np.zeros(SHARED_BYTES, np.uint8), memory(3, MEMORY_BYTES).copy()
    again = window.copy()
    try:
        load(m, where, original, window, shared_address=address)
    except DeviceFault:
        return
    store(m, where, window, other, shared_address=address)
    load(m, where, other, again, shared_address=address)
    assert np.array_equal(window, again)
