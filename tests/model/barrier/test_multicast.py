"""Clusters: who gets which bytes, who must expect what, and what a mask may name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib import Deadlock, DeviceFault, TiledTensorMap, load, multicast_load
from course_lib.model.barrier.cluster import Cluster, blocks_of
from course_lib.model.barrier.multicast import (
    Issue,
    armed_bytes,
    gemm_issues,
    line_mask,
    mask_of,
    ranks_of,
    readers,
)
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.recordings import committed, read_rows

BOX_BYTES, BARRIER = 1024, 4096
MAP = TiledTensorMap(
    data_type=DataType.UINT8,
    global_address=0,
    global_dim=(256, 256),
    global_strides=(256,),
    box_dim=(64, 16),
    swizzle=Swizzle.B64,
)
MEMORY = (np.arange(256 * 256) * 7919 >> 3).astype(np.uint8)
RECORDED = list(read_rows(committed("multicast.jsonl.xz")))
SHAPES = [(1,), (2,), (8,), (2, 2), (4, 2), (1, 2), (2, 2, 2)]


def armed_cluster(blocks, expected=BOX_BYTES):
    """Every block has a barrier at the same address and expects ``expected`` bytes."""
    cluster = Cluster((blocks,), shared_bytes=8192)
    for block in cluster.blocks:
        block.set_up(BARRIER, 1).arrive_expect_tx(expected)
    return cluster


def has_landed(block, shared_address=0):
    alone = np.zeros(8192, np.uint8)
    load(MAP, (0, 0), MEMORY, alone, shared_address=shared_address)
    return np.array_equal(block.shared_memory, alone)


@pytest.mark.parametrize(
    "row", RECORDED, ids=lambda r: f"{r['cluster']} blocks, mask {r['mask']:#x}, {r['leaves']} leaves"
)
def test_each_recorded_mask_reaches_whom_it_names_or_traps(row):
    cluster = armed_cluster(row["cluster"])
    if row["leaves"] is not None:
        cluster.leave(row["leaves"])
    if "fault" in row:
        with pytest.raises(DeviceFault) as caught:
            cluster.load(MAP, (0, 0), MEMORY, row["mask"], BARRIER)
        assert caught.value.code == row["fault"]
        return
    cluster.load(MAP, (0, 0), MEMORY, row["mask"], BARRIER)
    assert [int(has_landed(block)) for block in cluster.blocks] == row["landed"]
    assert [int(block.barriers[BARRIER].test_wait(0)) for block in cluster.blocks] == row["ended"]


@given(st.integers(0, 255), st.sampled_from([0, 128, 1024]))
def test_a_load_lands_at_one_address_in_every_block_of_the_mask_and_in_no_other(mask, shared_address):
    cluster = armed_cluster(8)
    cluster.load(MAP, (0, 0), MEMORY, mask, BARRIER, shared_address=shared_address)
    for block in cluster.blocks:
        named = bool(mask >> block.rank & 1)
        assert has_landed(block, shared_address) if named else not block.shared_memory.any()
        assert block.barriers[BARRIER].state.awaited_bytes == (0 if named else BOX_BYTES)


def test_a_block_that_is_not_there_traps_before_anything_lands():
    cluster = armed_cluster(2)
    with pytest.raises(DeviceFault, match="block 2 is not in the cluster"):
        cluster.load(MAP, (0, 0), MEMORY, 0b111, BARRIER)
    assert not any(block.shared_memory.any() for block in cluster.blocks)


def test_a_receiver_that_armed_only_its_own_share_never_sees_the_end():
    cluster = armed_cluster(2, expected=BOX_BYTES // 2 + 16)  # and no sum of pieces
    cluster.load(MAP, (0, 0), MEMORY, 0b11, BARRIER)
    with pytest.raises(Deadlock, match=r"block 1.* waits for block 1's mbarrier at 4096"):
        cluster.blocks[1].barriers[BARRIER].wait(0, who="block 1")


def test_a_receiver_that_armed_nothing_gets_the_bytes_in_its_next_phase():
    cluster = armed_cluster(2, expected=0)
    cluster.load(MAP, (0, 0), MEMORY, 0b10, BARRIER)
    assert cluster.blocks[1].barriers[BARRIER].state[0::3] == (1, -BOX_BYTES)


def test_a_barrier_must_be_set_up_where_the_bytes_are_counted():
    cluster = Cluster((2,), shared_bytes=8192)
    cluster.blocks[0].set_up(BARRIER, 1)
    with pytest.raises(ValueError, match="block 1 has no mbarrier at 4096"):
        cluster.load(MAP, (0, 0), MEMORY, 0b11, BARRIER)
    with pytest.raises(ValueError, match="on 8 bytes"):
        cluster.blocks[1].set_up(BARRIER + 4, 1)


def test_another_block_s_barrier_takes_arrivals_and_counts_but_no_waits():
    cluster = armed_cluster(2)
    cluster.remote(1, BARRIER, "complete_tx", BOX_BYTES)
    assert cluster.blocks[1].barriers[BARRIER].test_wait(0)
    for operation in ("test_wait", "wait", "init"):
        with pytest.raises(ValueError, match="only arrive, arrive_drop, expect_tx, complete_tx"):
            cluster.remote(1, BARRIER, operation, 0)


def test_nobody_may_leave_while_others_still_signal_it():
    cluster = armed_cluster(2)
    cluster.leave(1)
    with pytest.raises(DeviceFault, match="block 1 has left"):
        cluster.remote(1, BARRIER, "arrive")


def test_masks_and_ranks_say_the_same():
    for mask in range(1 << 10):
        assert mask_of(ranks_of(mask)) == mask
    assert ranks_of(0xFFFF) == tuple(range(16))
    with pytest.raises(ValueError, match="16 bits"):
        ranks_of(1 << 16)


@pytest.mark.parametrize("shape", SHAPES)
def test_lines_along_an_axis_cut_the_cluster_into_equal_parts(shape):
    count = blocks_of(shape)
    for axis, length in enumerate(shape):
        lines = {line_mask(shape, rank, axis) for rank in range(count)}
        assert len(lines) == count // length
        assert sum(lines) == (1 << count) - 1
        assert all(line_mask(shape, rank, axis) >> rank & 1 for rank in range(count))


def test_ranks_run_along_x_first():
    assert (line_mask((2, 2), 0, 0), line_mask((2, 2), 0, 1)) == (0b0011, 0b0101)


@pytest.mark.parametrize("shape", [(2, 1), (1, 2), (4, 1), (2, 2), (4, 2)])
def test_every_block_of_a_gemm_cluster_expects_its_whole_tiles_and_loads_a_share(shape):
    issues = gemm_issues(shape, 16384, 8192)
    assert armed_bytes(issues) == dict.fromkeys(range(blocks_of(shape)), 16384 + 8192)
    asked = sum(issue.transaction_bytes for issue in issues)
    assert asked == blocks_of(shape) * (16384 // shape[0] + 8192 // shape[1])


def test_a_block_that_issues_waits_for_every_reader_of_what_it_sends():
    assert readers(gemm_issues((2, 2), 64, 64)) == {0: (0, 1, 2), 1: (0, 1, 3), 2: (0, 2, 3), 3: (1, 2, 3)}
    assert armed_bytes([Issue(0, 0b110, 64), Issue(1, 0b010, 32)]) == {1: 96, 2: 64}


def test_parts_of_a_tile_must_be_whole():
    with pytest.raises(ValueError, match="whole parts"):
        gemm_issues((4, 1), 30, 64)


@pytest.mark.parametrize("shape", [(), (0,), (9,), (3, 3), (1, 1, 1, 1)])
def test_a_cluster_has_one_to_eight_blocks_in_three_dimensions(shape):
    with pytest.raises(ValueError, match="8 blocks at most"):
        Cluster(shape)


def windows(count, size=2048):
    return [np.full(size, 0xCD, np.uint8) for _ in range(count)]


def test_every_receiver_counts_the_whole_box_of_every_issue_and_others_count_nothing():
    shared, issues = windows(4), [(0, 0b0101, (0, 0), 0), (3, 0b0100, (64, 16), 1024)]
    assert multicast_load(MAP, issues, MEMORY, shared) == (BOX_BYTES, 0, 2 * BOX_BYTES, 0)
    alone = windows(1)[0]
    load(MAP, (0, 0), MEMORY, alone)
    assert np.array_equal(shared[0], alone)
    load(MAP, (64, 16), MEMORY, alone, shared_address=1024)
    assert np.array_equal(shared[2], alone)
    assert all((shared[rank] == 0xCD).all() for rank in (1, 3))


@pytest.mark.parametrize(
    ("issues", "error"),
    [
        ([(0, 1, (0, 0), 0), (0, 0, (0, 0), 0)], ValueError),  # a mask that names nobody
        ([(0, 1, (0, 0), 0), (0, 0b100, (0, 0), 0)], ValueError),  # a block that is not there
        ([(0, 1, (0, 0), 0), (2, 1, (0, 0), 0)], ValueError),  # issued by a block that is not there
        ([(0, 1, (0, 0), 0), (0, 2, (0, 0), 1536)], ValueError),  # past the end of its shared memory
        ([(0, 1, (0, 0), 0), (0, 2, (0, 0), 64)], DeviceFault),  # 716
        ([(0, 1, (0, 0), 0), (0, 2, (8, 0), 0)], DeviceFault),  # 715
        ([(0, 1, (0, 0), 0), (0, 2, (0, 2**16), 0)], None),  # wholly outside is fine
    ],
)
def test_after_any_error_no_memory_has_changed(issues, error):
    shared = windows(2)
    if error is None:
        assert multicast_load(MAP, issues, MEMORY, shared) == (BOX_BYTES, BOX_BYTES)
        return
    with pytest.raises(error):
        multicast_load(MAP, issues, MEMORY, shared)
    assert all((window == 0xCD).all() for window in shared)


@pytest.mark.parametrize("count", [0, 17])
def test_a_cluster_has_1_to_16_blocks(count):
    with pytest.raises(ValueError, match="1 to 16"):
        multicast_load(MAP, [], MEMORY, windows(count))


def test_sixteen_blocks_need_the_attribute():
    assert len(Cluster((16,), shared_bytes=16, non_portable=True)) == 16
    for shape, allowed in (((9,), False), ((17,), True), ((4, 4, 2), True)):
        with pytest.raises(ValueError, match="shape"):
            Cluster(shape, shared_bytes=16, non_portable=allowed)
