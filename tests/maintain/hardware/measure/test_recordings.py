"""What the recorded measurements show. Needs no GPU: the numbers are those of the H200 that provenance.json names."""

from itertools import product
from pathlib import Path

import pytest

from course_lib.model.facts import limits
from course_lib.recordings import committed, read_rows
from course_lib.recordings.files import names

KERNELS = Path(__file__).resolve().parents[4] / "course_lib" / "gpu" / "kernels"
MEASURED = [name for name in names() if name.startswith("measure_")]
OOB_NAN = (0x7FF7, 0xFFF7)


def rows(name, **wanted):
    """The rows of a measurement that have these values."""
    found = read_rows(committed(f"measure_{name}.jsonl.xz"))
    return [row for row in found if all(row.get(key) == value for key, value in wanted.items())]


def rate(found):
    return max(row["gb_per_s"] for row in found)


@pytest.mark.parametrize("name", MEASURED)
def test_a_measurement_tells_who_answered_and_with_which_kernels(name):
    run, *others = read_rows(committed(name))
    assert run["kind"] == "run"
    assert run["date"]
    kernels = {row["kernel"] for row in others if "kernel" in row} - {"cuMemcpyDtoDAsync"}
    assert all((KERNELS / f"{kernel}.cu").is_file() for kernel in kernels)


@pytest.mark.parametrize("name", MEASURED)
def test_everything_that_was_read_was_right(name):
    checks = ("sum_is_right", "result_is_right", "halves_agree", "bytes_are_the_drivers")
    assert all(row.get(check, True) for row in read_rows(committed(name)) for check in checks)


def test_reading_by_tma_reaches_97_percent_of_the_best_of_any_kernel_or_copy_in_the_run():
    contest = rows("bandwidth", part="contest")
    best = rate(contest)
    assert {row["kernel"] for row in contest} >= {"measure_read_plain", "measure_read_cp_async", "cuMemcpyDtoDAsync"}
    assert rate([row for row in contest if row.get("linear") == 0]) >= 0.97 * best
    assert rate([row for row in contest if row.get("linear") == 1]) >= 0.97 * best


def test_two_reading_warps_are_enough_for_tma_where_loads_need_sixteen():
    sweep = rows("bandwidth", part="sweep")

    def by(kernel, warps):
        return rate([row for row in sweep if row["kernel"] == kernel and row["warps"] == warps])

    assert by("measure_read_tma", 2) > 2 * by("measure_read_plain", 2)
    assert by("measure_read_plain", 8) * 0.98 < by("measure_read_tma", 2) < by("measure_read_plain", 16)


def test_at_the_same_bytes_in_flight_tma_is_no_faster_than_loads():
    sweep = rows("bandwidth", part="sweep", in_flight_bytes=32768)
    best = {row["kernel"]: rate([r for r in sweep if r["kernel"] == row["kernel"]]) for row in sweep}
    assert best["measure_read_tma"] < best["measure_read_plain"]


def test_bandwidth_grows_with_the_stages_until_enough_is_in_flight():
    found = rows(
        "bandwidth", part="sweep", box_row_bytes=128, box_rows=64, warps=4, swizzle=0, fence=1, blocks_per_sm=1
    )
    by_stages = {row["stages"]: row["gb_per_s"] for row in found if row["l2_promotion"] == 0}
    assert [by_stages[stages] for stages in range(1, 7)] == sorted(by_stages[stages] for stages in range(1, 7))


def test_one_thread_issues_tiles_at_a_rate_that_does_not_depend_on_their_size():
    found = rows("narrow", part="tile", fence=1, linear=0, blocks_per_sm=1)
    tiles = {row["box_rows"]: row["rows_per_ns"] / row["box_rows"] for row in found}
    small = [tiles[box_rows] for box_rows in (1, 2, 4, 8, 16)]
    assert max(small) < 1.03 * min(small)


def test_more_threads_that_issue_send_small_tiles_in_proportion():
    found = rows("narrow", part="tile", fence=1, linear=0, box_rows=1)
    rates = {row["blocks_per_sm"]: row["rows_per_ns"] for row in found}
    assert sorted(rates) == [1, 2, 3, 4, 8]
    assert 5 < rates[8] / rates[1] < 8
    assert all(0.9 < rates[blocks] / (blocks * rates[1]) < 1.1 for blocks in (2, 3, 4))


def test_rows_that_no_descriptor_describes_are_refused_and_loads_read_them_all_the_same():
    assert all(row["refused"] for row in rows("narrow", part="refused"))
    assert rate(rows("narrow", part="unaligned", row_bytes=100)) > 4000


def test_every_cluster_asks_l2_for_what_the_arithmetic_says():
    for row in rows("multicast_counters", kernel="measure_multicast"):
        assert row["sm_received_bytes"] == row["delivered_bytes"]
        if row["cluster"] != [1, 1]:
            assert row["l2_sectors_from_sms"] * 32 == row["asked_bytes"]


def test_dram_traffic_does_not_follow_the_size_of_the_cluster():
    read = {
        tuple(row["cluster"]): row["dram_read_bytes"] for row in rows("multicast_counters", kernel="measure_multicast")
    }
    assert read[4, 1] > read[1, 1] > 1.5 * read[1, 2]
    assert read[4, 2] > 0.99 * read[1, 2]


@pytest.mark.parametrize(("data_type", "turns"), [(7, (32, 1, 32, 4, 1)), (9, (32, 2, 32, 8, 4))])
def test_a_transpose_takes_the_turns_of_the_banks_that_the_model_predicts(data_type, turns):
    for row, predicted in zip(rows("transpose_counters", data_type=data_type), turns, strict=True):
        assert row["shared_load_wavefronts"] / row["warp_reads"] == pytest.approx(predicted, rel=0.12)


def test_a_swizzled_transpose_is_faster_than_a_padded_one_and_twice_as_fast_as_a_plain_one():
    for data_type in (7, 9):
        best = {row["way"]: row["gb_per_s"] for row in rows("transpose", data_type=data_type, warps=4)}
        assert best["tma, 128B swizzle"] > best["padded"] > 1.5 * best["plain"]


@pytest.mark.parametrize("kind", ["f16x2", "bf16x2"])
def test_fma_oob_gives_0_where_a_factor_is_the_fill_and_is_an_ordinary_fma_otherwise(kind):
    (plain,), (oob,) = rows("fma", op=f"fma.rn.{kind}"), rows("fma", op=f"fma.rn.oob.{kind}")
    for (a, b, _), ordinary, found in zip(product(oob["values"], repeat=3), halves(plain), halves(oob), strict=True):
        assert found == (0 if a in OOB_NAN or b in OOB_NAN else ordinary)


def halves(row):
    data = bytes.fromhex(row["results"])
    return [int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)]


def test_syncthreads_alone_shows_old_bytes_and_the_barrier_never_does():
    alone = rows("order", way="syncthreads", delay_cycles=0)
    assert all(row["runs_with_old_bytes"] > row["runs"] / 2 for row in alone)
    for way in ("expect, copy", "copy, expect"):
        found = rows("order", way=way)
        assert found
        assert all(row["runs_with_old_bytes"] == 0 and row["ended"] == row["runs"] for row in found)


def test_an_edited_descriptor_is_seen_by_the_copy_only_behind_an_acquiring_proxy_fence():
    for row in rows("edit", kernel="measure_edit"):
        fenced = row["macros"]["ACQUIRE"] == 1
        assert (row["fresh"] == row["edits"]) == fenced


def test_a_stream_marked_evict_first_leaves_other_memory_in_l2_and_evict_last_alone_does_not():
    def again(x_policy, y_policy):
        row = rows("hints_counters", x_policy=x_policy, y_policy=y_policy, x_bytes=16 << 20, y_bytes=256 << 20)[0]
        return (row["dram_read_bytes"] - row["x_bytes"] - row["y_bytes"]) / row["x_bytes"]

    assert again(None, None) > 0.99
    assert again(None, "evict_first") < 0.01
    assert again("evict_last", None) > 0.5


def test_a_small_tile_arrives_by_loads_first_and_a_large_one_by_tma():
    cycles = {(row["how"], row["tile_bytes"]): row["cycles_median"] for row in rows("latency", **{"from": "l2"})}
    assert cycles["loads", 128] < cycles["tma", 128]
    assert cycles["tma", 65536] < cycles["loads", 65536]


def test_a_prefetched_tile_arrives_a_fifth_sooner_at_least():
    for how, size in product(("tma", "bulk"), (128, 1024, 8192, 65536)):
        cycles = {row["from"]: row["cycles_median"] for row in rows("latency", how=how, tile_bytes=size)}
        assert cycles["prefetched"] < 0.78 * cycles["dram"]


def test_multicast_assembles_for_sm_90_with_advice_and_for_sm_90a_without():
    said = {row["target"]: row for row in rows("assemble", instruction="tensor copy, multicast")}
    assert said["sm_90"]["assembles"]
    assert "Advisory" in said["sm_90"]["said"]
    assert said["sm_90a"]["said"] == ""


def test_no_policy_keeps_a_copy_out_of_l2():
    kinds = ("evict_first", "evict_last", "evict_normal", "evict_unchanged", "evict_no_allocate")
    assembles = {
        kind: {row["assembles"] for row in rows("assemble", instruction=f"createpolicy, {kind}")} for kind in kinds
    }
    assert assembles == {kind: {kind != "evict_no_allocate"} for kind in kinds}


def test_one_tile_takes_five_times_fewer_warp_instructions_by_tma():
    by_threads, *by_tma = rows("sass", target="sm_90a")
    assert all(row["warp_instructions"] * 5 <= by_threads["warp_instructions"] for row in by_tma)


def test_wgmma_reaches_the_clocks_peak_and_mma_sync_two_thirds_of_it():
    found = {(row["way"], row["data"]): row for row in rows("tensor_core") if "way" in row}
    assert all(row["result_is_right"] for row in found.values())
    by_wgmma = [row["flop_per_cycle"] for (way, _), row in found.items() if "wgmma" in way]
    by_sync = [row["flop_per_cycle"] for (way, _), row in found.items() if "mma.sync" in way]
    assert min(by_wgmma) > 0.99 * 4096
    assert 0.66 < max(by_sync) / 4096 < 0.67


def test_random_data_cost_clock_where_zeros_do_not():
    found = {(row["way"], row["data"]): row["tflop_per_s"] for row in rows("tensor_core") if "way" in row}
    assert all(found[way, "zeros"] > 1.02 * rate for (way, data), rate in found.items() if data == "random")


def test_triton_copies_tensors_only_through_a_descriptor():
    found = [row for row in rows("triton") if "uses" in row]
    assert len(found) == 4
    for row in found:
        by_descriptor = row["uses"] == "tl.make_tensor_descriptor"
        assert row["result_is_right"]
        assert (row["cp_async_bulk_tensor"] > 0) == by_descriptor
        assert (row["cp_async"] + row["ld_global"] > 0) != by_descriptor


def test_a_tensor_copy_reads_a_peers_memory_as_fast_as_loads_do():
    rates = {
        memory: [row["gb_per_s"] for row in rows("peers", memory=memory) if row["sum_is_right"]]
        for memory in ("device", "peer")
    }
    assert len(rates["device"]) == len(rates["peer"]) == 3
    assert max(rates["peer"]) < 1.01 * min(rates["peer"]) < min(rates["device"]) / 9


def test_a_second_run_shows_old_words_behind_another_pause_and_none_behind_a_wait():
    first, second = (
        rows(name, way="syncthreads", tile_bytes=128, **{"from": "dram"}) for name in ("order", "order_again")
    )
    seen = [{row["delay_cycles"]: row["runs_with_old_bytes"] for row in found} for found in (first, second)]
    assert [(old[1000], old[1500]) for old in seen] == [(0, 499), (7, 0)]
    waited = [row for row in rows("order_again") if row.get("way") in ("expect, copy", "copy, expect")]
    assert {(row["runs_with_old_bytes"], row["ended"]) for row in waited} == {(0, 1056)}


def test_the_drivers_attributes_are_the_models_limits():
    found = {row["attribute"]: row["value"] for row in rows("attributes") if "attribute" in row}
    sizes = (limits.SMS, limits.SM_WARPS * limits.WARP_LANES, limits.SM_BLOCKS, limits.SM_REGISTERS)
    assert tuple(found[name] for name in ("SMs", "threads", "blocks", "registers")) == sizes
    assert (found["shared bytes"], found["reserved shared bytes of a block"]) == (
        limits.SM_SHARED_BYTES,
        limits.RESERVED_SHARED_BYTES,
    )
    assert found["L2 bytes"] == 60 * 2**20


def test_a_null_pointer_is_refused_even_where_no_stride_is_read_and_a_corner_ends_the_process():
    asked = [row for row in rows("nulls") if "null" in row]
    ended = [row for row in asked if row["driver_result"] is None]
    assert {row["driver_result"] for row in asked if not row["null"]} == {0}
    assert {row["null"] for row in ended} == {"pixel_box_lower_corner", "pixel_box_upper_corner"}
    assert {row["driver_result"] for row in asked if row["null"] and row not in ended} == {1}
    assert [row["rank"] for row in asked if row["null"] == "global_strides"] == [1, 2, 3]
