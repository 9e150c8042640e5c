"""What an H200 left in shared memory is what 256 threads leave."""

from dataclasses import replace

import pytest

from course_lib.recordings.copies.thread_loads import FILES, plain_loads, same_tiles
from course_lib.recordings.times.tile_costs import (
    CP_ASYNC,
    TMA,
    cycles_alone,
    dense_rows,
    small_tiles,
    streaming,
    sweep,
    tma_loop,
)


@pytest.mark.parametrize("file", FILES)
def test_every_recorded_load_that_threads_could_do_left_what_they_leave(file):
    loads = list(plain_loads(file))
    assert len(loads) > 50
    assert [load.row for load in loads if not load.agrees] == []


def test_both_kernels_left_the_same_tile_on_the_h200_and_the_model_leaves_it_too():
    tiles = same_tiles()
    assert len(tiles) == 56
    assert sum(tile.crosses_an_edge for tile in tiles) > 40
    assert [tile.coordinates for tile in tiles if len({tile.by_cp_async, tile.by_tma, tile.by_model}) > 1] == []
    assert len({tile.by_tma for tile in tiles}) > 25  # all that lie wholly outside are alike


def test_most_of_them_cross_an_edge_and_all_swizzles_are_among_them():
    loads = list(plain_loads())
    assert sum(load.crosses_an_edge for load in loads) > len(loads) / 2
    assert {int(load.tensor_map.swizzle) for load in loads} == {0, 1, 2, 3}


def test_another_start_would_be_seen():
    load = next(load for load in plain_loads("load_swizzle.jsonl.xz"))
    moved = replace(load.tensor_map, global_address=load.tensor_map.global_address + 16)
    assert not load._replace(tensor_map=moved).agrees


def test_the_compiler_makes_the_same_of_thread_0_and_of_every_lane_but_not_of_elect():
    issuing = {name: tma_loop(name).issuing for name in ("elect.sync", "threadIdx.x == 0", "every lane")}
    assert issuing["threadIdx.x == 0"] == issuing["every lane"]
    assert issuing["every lane"][-1].startswith("@P0 BRA.U.ANY")
    assert issuing["elect.sync"][0] == "WARPSYNC.ALL"
    assert not any("BRA.U.ANY" in line for line in issuing["elect.sync"])
    assert [sum("UTMALDG" in line for line in lines) for lines in issuing.values()] == [1, 1, 1]


def test_a_tile_alone_arrives_later_by_tma_up_to_16_kib():
    late = {size: cycles_alone("tma")[size] - cycles_alone("cp.async")[size] for size in cycles_alone("tma")}
    assert all(30 < late[size] < 75 for size in late if size <= 16384)
    assert abs(late[65536]) < 15


def test_narrow_rows_and_small_tiles_are_what_threads_do_better():
    tma, threads = dense_rows(TMA), dense_rows(CP_ASYNC)
    assert tma[16] < 0.55 * threads[16]
    assert 0.7 < tma[64] / threads[64] < 0.8
    assert tma[128] > 0.98 * threads[128]
    assert small_tiles(1)[1024] < 0.25 * small_tiles(8)[1024]


def test_few_warps_that_read_are_enough_for_tma_and_every_read_was_whole():
    assert streaming(TMA, 2) > 4200 > 3800 > streaming(CP_ASYNC, 2)
    assert all(row["sum_is_right"] for row in sweep())
