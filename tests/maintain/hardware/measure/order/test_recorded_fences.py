"""What the recorded runs without a fence, and with one, show; and what fences become in machine code. Needs no GPU."""

from itertools import product

import pytest

from course_lib.recordings import committed, read_rows

PROXY = "fence.proxy.async"


def rows(name, **wanted):
    """The rows of a measurement that have these values."""
    found = read_rows(committed(f"measure_{name}.jsonl.xz"))
    return [row for row in found if all(row.get(key) == value for key, value in wanted.items())]


def test_no_run_without_a_fence_was_seen_to_go_wrong():
    found = [row for row in rows("fences") if "case" in row]
    assert {row["case"] for row in found if row["fence"] == "none"} == {"init", "store", "load"}
    assert {(row["runs"], row["runs_with_wrong_words"], row["never_ended"]) for row in found} == {(67_584, 0, 0)}


def close(**wanted):
    """(runs with wrong words, of how many, words in the middle) of the one row; every phase ended."""
    (row,) = rows("fences_close", **wanted)
    assert row["never_ended"] == 0
    return row["runs_with_wrong_words"], row["runs"], row["wrong_words_median"]


@pytest.mark.parametrize("case", ["shared", "global"])
def test_close_to_the_copy_every_run_without_a_fence_is_wrong_by_two_stores_of_a_warp_if_the_pipe_is_busy(case):
    assert close(case=case, fence="none", how="busy") == (67_584, 67_584, 64)
    assert close(case=case, fence="none", how="quiet") == (0, 67_584, 0)


@pytest.mark.parametrize(("case", "fence"), [*product(("shared", "global"), [PROXY]), ("global", "__threadfence")])
def test_with_a_fence_no_run_close_to_the_copy_is_wrong(case, fence):
    for how in ("busy", "quiet"):
        assert close(case=case, fence=fence, how=how) == (0, 67_584, 0)


def test_in_a_cluster_the_release_of_the_meeting_or_the_writers_fence_keeps_the_words_right():
    writers, reader = (f"{PROXY} by the {who}" for who in ("writers", "reader"))
    assert {close(case="remote", fence=fence, how="release") for fence in ("none", writers, reader)} == {(0, 33_792, 0)}
    assert close(case="remote", fence="none", how="relaxed") == (27_967, 33_792, 192)
    assert close(case="remote", fence=reader, how="relaxed") == (224, 33_792, 32)
    assert close(case="remote", fence=writers, how="relaxed") == (0, 33_792, 0)


def test_no_barrier_that_another_block_set_up_was_seen_to_fail():
    found = rows("fences_close", case="init")
    assert {row["fence"] for row in found} == {"none", PROXY, "fence.mbarrier_init.release.cluster"}
    assert {(row["runs"], row["runs_with_wrong_words"], row["never_ended"]) for row in found} == {(33_792, 0, 0)}


def test_half_of_a_fence_waits_for_the_stores_and_a_meeting_with_release_does_so_too():
    code = {row["instruction"]: row["opcodes"] for row in rows("fence_code") if "opcodes" in row}
    assert code["fence.proxy.async.shared::cta"] == ["MEMBAR.ALL.CTA", "FENCE.VIEW.ASYNC.S"]
    assert code["mbarrier.init"] == ["FENCE.VIEW.ASYNC.S", "SYNCS.EXCH.64"]
    assert code["fence.mbarrier_init.release.cluster"] == ["NOP"]
    assert code["barrier.cluster, release"] == [
        "MEMBAR.ALL.GPU",
        "ERRBAR",
        "CGAERRBAR",
        *code["barrier.cluster, relaxed"],
    ]
    assert not any("MEMBAR" in name for name in code["__syncthreads()"])
