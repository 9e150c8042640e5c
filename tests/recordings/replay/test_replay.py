"""Replay agrees with the chip on shipped rows, and says no to every row that is not the chip's."""

import gzip
import json
from itertools import islice

import pytest

from course_lib.recordings import RecordingError, committed
from course_lib.recordings.replay.copy_rows import compare_load
from course_lib.recordings.replay.replay import replay

SHIPPED = {  # kind, rows, and of how many one is replayed: tests/model compares every row of those that are thinned
    "encode.jsonl.xz": ("encode", 40_000, 10),
    "load.jsonl.xz": ("load", 6_500, 10),
    "load_offset.jsonl.xz": ("load", 1_500, 10),
    "load_windows.jsonl.xz": ("load", 500, 1),
    "store.jsonl.xz": ("store", 2_500, 10),
    "traps.jsonl.xz": ("limit", 191, 1),
    "reports.jsonl.xz": ("report", 56, 1),
}
FLIPPED = {  # recording, the row, and the answers that another machine might have given
    "refused call": ("encode.jsonl.xz", {"result": 1, "api": "tiled"}, {"result": 0, "bytes": "00" * 128}),
    "accepted call": ("encode.jsonl.xz", {"result": 0, "api": "im2col"}, {"result": 1}),
    "load": ("load.jsonl.xz", {"status": 1, "api": "tiled"}, {"last_touched": 1}),
    "load that completes": ("load.jsonl.xz", {"status": 1, "api": "im2col"}, {"status": 0}),
    "load of other bytes": ("load.jsonl.xz", {"status": 1}, {"blake2b_96": "0" * 24}),
    "load that traps": ("load.jsonl.xz", {"fault": 715}, {"fault": 716}),
    "load of a refused map": ("load.jsonl.xz", {"result": 1}, {"result": 0, "blake2b_96": "0" * 24}),
    "load off the boundary": ("load_offset.jsonl.xz", {"status": 1, "swizzle": 3}, {"shared_address": 0}),
    "barrier that waits for more": ("load.jsonl.xz", {"status": 1}, {"transaction_bytes": 1}),
    "store": ("store.jsonl.xz", {"op": "store"}, {"changed": -1}),
    "store of other bytes": ("store.jsonl.xz", {"op": "store"}, {"blake2b_96": "0" * 24}),
    "reduction": ("store.jsonl.xz", {"op": "max"}, {"bytes": 1}),
    "reduction by another operation": ("store.jsonl.xz", {"op": "max"}, {"op": "min"}),
    "store that traps": ("store.jsonl.xz", {"fault": 715}, {"fault": None, "blake2b_96": "0" * 24}),
    "address": ("traps.jsonl.xz", {"kind": "address_cap", "result": 1}, {"result": 0}),
    "dimension": ("traps.jsonl.xz", {"kind": "dim_cap", "result": 0}, {"result": 1}),
    "largest box": ("traps.jsonl.xz", {"kind": "box_cap"}, {"largest_accepted": 233_520}),
    "smallest box refused": ("traps.jsonl.xz", {"kind": "box_cap"}, {"smallest_refused": 233_472}),
    "box with steps": ("traps.jsonl.xz", {"kind": "box_cap_strided"}, {"floor": [234_112, 233_472]}),
    "largest column": ("traps.jsonl.xz", {"kind": "im2col_cap"}, {"smallest_refused": 233_472}),
    "pair that traps": ("traps.jsonl.xz", {"kind": "reduce_pair", "fault": 715}, {"fault": None}),
    "pair that works": ("traps.jsonl.xz", {"kind": "reduce_pair", "fault": None}, {"fault": 715}),
    "shared address": ("traps.jsonl.xz", {"kind": "shared_alignment", "fault": 716}, {"fault": None}),
    "byte count": ("traps.jsonl.xz", {"kind": "byte_count", "expected": 240}, {"first_phase_completed": True}),
    "bulk copy": ("bulk.jsonl.xz", {"direction": "global_to_shared", "status": 1}, {"blake2b_96": "0" * 24}),
    "bulk store": ("bulk.jsonl.xz", {"direction": "shared_to_global", "op": "copy", "fault": None}, {"size": 16}),
    "table of a reduction": ("reduce_table.jsonl.xz", {"op": "add"}, {"op": "xor"}),
    "im2col store": ("store_more.jsonl.xz", {"api": "im2col", "fault": None}, {"changed": -1}),
    "memory that is not there": ("faults.jsonl.xz", {"fault": 700}, {"fault": 716}),
    "prefetch": ("prefetch_im2col.jsonl.xz", {"fault": 715}, {"fault": None}),
    "wide load": ("load_wide.jsonl.xz", {"status": 1}, {"last_touched": 1}),
    "report": ("reports.jsonl.xz", {"driver_result": 0}, {"driver_result": 1}),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_replay_agrees_with_what_ships(name):
    kind, rows, every = SHIPPED[name]
    agreement = replay(committed(name), lambda all_rows: islice(all_rows, 0, None, every))
    assert agreement.differences == []
    assert dict(agreement.agreeing) == {kind: rows // every}


@pytest.mark.parametrize("case", FLIPPED)
def test_a_row_that_is_not_the_chips_is_told_by_its_number(case, row, written):
    name, wanted, changed = FLIPPED[case]
    good = row(name, **wanted)
    agreement = replay(written(good, good | changed, good))
    assert [difference.number for difference in agreement.differences] == [2]
    assert sum(agreement.agreeing.values()) == 2


@pytest.mark.parametrize("byte", [0, 31, 64, 127])
def test_one_bit_of_the_descriptor_is_enough_to_differ(byte, row, written):
    good = row("encode.jsonl.xz", result=0)
    data = bytearray.fromhex(good["bytes"])
    data[byte] ^= 1
    (difference,) = replay(written(good | {"bytes": data.hex()})).differences
    assert difference.sentences[0].startswith(
        f"bytes: 1 bytes differ, the first at {byte}: recorded 0x{data[byte]:02x}"
    )


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_one_byte_of_a_kept_window_is_enough_to_differ(suffix, row, written, tmp_path):
    good = row("load_windows.jsonl.xz", status=1) | {"window_at": 5}
    window = bytearray(compare_load(good).model["window"])
    window[70] ^= 0x80
    packed = gzip.compress if suffix else bytes
    (tmp_path / f"rows.bin{suffix}").write_bytes(packed(b"12345" + window))
    (difference,) = replay(written(good, name="rows.jsonl.gz")).differences
    assert difference.sentences[0].startswith("window: 1 bytes differ, the first at 70")


def test_a_difference_shows_the_call_without_its_answers_as_json(row, written):
    asked = row("load.jsonl.xz", fault=715)
    (difference,) = replay(written(asked | {"fault": 700})).differences
    shown = json.loads(str(difference).splitlines()[0].partition("load: ")[2])
    assert shown == {name: value for name, value in asked.items() if name not in ("fault", "result")}


def test_the_reason_of_a_trap_and_the_rules_of_a_refusal_are_told(row, written):
    trap = row("load.jsonl.xz", fault=715) | {"fault": 700}
    refused = row("encode.jsonl.xz", result=1, swizzle=5) | {"result": 0, "bytes": ""}
    told = [difference.sentences for difference in replay(written(trap, refused)).differences]
    assert told[0][0] == "fault: recorded 700, model 715"
    assert "no multiple of 16" in told[0][1] or "outside the bounding box" in told[0][1]
    assert told[1][0] == "result: recorded 0, model 1"
    assert "swizzle-on-target" in told[1][1]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz", "rows.jsonl.xz"])
def test_kinds_may_be_mixed_in_a_file_of_any_packing(name, row, written):
    mixed = [row(file) for file in SHIPPED if file != "load_windows.jsonl.xz"]
    agreement = replay(written(*mixed, name=name))
    assert dict(agreement.agreeing) == {"encode": 1, "load": 2, "store": 1, "limit": 1, "report": 1}


def test_arrays_may_be_longer_than_the_rank(row, written):
    asked = row("load.jsonl.xz", api="im2col", status=1, rank=3)
    arrays = ("global_dim", "global_strides", "element_strides", "coordinates", "im2col_offsets")
    longer = asked | {name: asked[name] + [99, 99] for name in (*arrays, "pixel_box_lower_corner")}
    assert replay(written(longer)).agreeing == {"load": 1}


def test_a_report_that_no_driver_answered_is_counted_apart(row, written):
    unasked = row("reports.jsonl.xz", driver_result=0)
    del unasked["driver_result"]
    agreement = replay(written(unasked))
    assert (agreement.differences, dict(agreement.agreeing)) == ([], {})
    assert "1 not compared (report: no driver was asked)" in agreement.report(20)


def test_a_kind_of_limit_that_the_model_does_not_know_is_counted_apart(written):
    for kind in ("clock", ["clock"], None):
        told = replay(written({"kind": kind})).report(1)
        assert f"not compared (limit: the model answers no rows of kind {kind!r})" in told


def test_without_a_bin_file_the_windows_are_compared_by_their_digests(row, written):
    good = row("load_windows.jsonl.xz", status=1)
    agreement = replay(written(good, good | {"blake2b_96": "0" * 24}))
    assert [difference.number for difference in agreement.differences] == [2]
    assert "2 not compared (window bytes: no rows.bin is beside; their digests were)" in agreement.report(1)


def test_a_window_past_the_end_of_its_bin_file_cannot_be_read(row, written, tmp_path):
    (tmp_path / "rows.bin").write_bytes(b"short")
    with pytest.raises(RecordingError, match=r"row 1: window_at .* is not in a \.bin file of 5 bytes"):
        replay(written(row("load_windows.jsonl.xz", status=1)))


def test_progress_sees_every_row(row, written):
    seen = []

    def watch(rows):
        for one in rows:
            seen.append(one)
            yield one

    replay(written(*[row("traps.jsonl.xz")] * 3), watch)
    assert len(seen) == 3
