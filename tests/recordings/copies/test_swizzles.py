"""The tiles that a real copy left in shared memory under every swizzle, against the model and against what lesson 09 says."""

import numpy as np
import pytest

from course_lib import Swizzle
from course_lib.model.cost.banks import access
from course_lib.model.facts.swizzle import PATTERNS
from course_lib.recordings import RecordingError, committed, read_rows
from course_lib.recordings.copies.swizzles import NOTHING, recorded_tile, recorded_tiles
from course_lib.recordings.replay.replay import replay
from maintain.hardware.cases.swizzle import BASES
from maintain.hardware.record import KINDS, question_alone

MODES = [Swizzle(mode) for mode in range(4)]


def test_the_model_leaves_every_window_and_stores_every_tile_as_the_hardware_did():
    loads, stores = (replay(committed(f"{name}_swizzle.jsonl.xz")) for name in ("load", "store"))
    assert (loads.agreeing, stores.agreeing) == ({"load": 72}, {"store": 32})
    assert loads.differences == stores.differences == []
    assert not loads.not_compared


@pytest.mark.parametrize(("name", "count"), [("load", 72), ("store", 32)])
def test_the_rows_are_the_cases_that_can_be_recorded_again(name, count):
    jobs = list(KINDS[f"{name}_swizzle"][1]())
    assert len(jobs) == count
    rows = read_rows(committed(f"{name}_swizzle.jsonl.xz"))
    asked = [{key: value for key, value in question_alone(name, row).items() if key != "window_at"} for row in rows]
    assert asked == [row for _, row, _ in jobs]


@pytest.mark.parametrize("tile", recorded_tiles())
def test_every_unit_of_the_tensor_lies_whole_and_once_where_its_address_says(tile):
    units, pattern = tile.units, PATTERNS[tile.tensor_map.swizzle]
    span = {0: tile.row_bytes, 1: 32, 2: 64, 3: 128}[tile.tensor_map.swizzle]
    numbers = np.arange(tile.transaction_bytes // 16)
    plain = tile.shared_address + numbers // tile.units_in_row * span + numbers % tile.units_in_row * 16
    assert (units[pattern(plain) // 16] == numbers).all()
    assert (units != NOTHING).sum() == numbers.size


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_was_recorded_at_eight_shared_addresses(mode):
    assert [recorded_tile(mode, base).transaction_bytes for base in BASES] == [2048] * 8


def test_a_tile_is_found_by_its_shape():
    assert recorded_tile(Swizzle.B128, 0, row_bytes=48).rows == 16
    assert recorded_tile(Swizzle.B64, 0x600).tensor_map.data_type == 0
    assert recorded_tile(Swizzle.B128, 128, rows=128).transaction_bytes == 16384
    with pytest.raises(RecordingError, match="shared_address=64"):
        recorded_tile(Swizzle.B128, 64)


def test_the_transposes_took_as_many_turns_a_read_as_the_bank_model_counts():
    rows = [row for row in read_rows(committed("measure_transpose_counters.jsonl.xz")) if row.get("data_type") == 7]
    lane, pattern = np.arange(32), PATTERNS[Swizzle.B128]
    reads = [128 * lane, 132 * lane, 128 * lane, pattern(128 * lane), pattern(128 * lane + 4 * (lane // 8))]
    turns = [access(addresses, 4).turns for addresses in reads]
    assert turns == [32, 1, 32, 4, 1]
    assert [round(row["shared_load_wavefronts"] / row["warp_reads"]) for row in rows] == turns
