"""Streaming stores and additions by promotion: what an H200 took for them, and what its counters say."""

import pytest

from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings import RecordingError
from course_lib.recordings.times.l2 import row_read
from course_lib.recordings.times.writes import row_write, row_writes

SHAPES = ((32, 512), (64, 512), (128, 512), (256, 512), (64, 64), (256, 256))


def through_all(shape, op):
    return [row_write(*shape, op, promotion) for promotion in L2Promotion]


def test_every_recorded_write_is_here_once():
    assert len(row_writes()) == len({write[:4] for write in row_writes()}) == len(SHAPES) * 2 * 4
    assert {write[:2] for write in row_writes()} == set(SHAPES)


@pytest.mark.parametrize("op", ["store", "add"])
@pytest.mark.parametrize("shape", SHAPES)
def test_promotion_changes_no_traffic_of_a_write_and_its_time_by_under_four_percent(shape, op):
    none, *others = through_all(shape, op)
    for write in others:
        assert write.sm_sectors == none.sm_sectors == none.rows * none.row_bytes // 32
        assert write.dram_write_bytes == pytest.approx(none.dram_write_bytes, rel=0.01)
        assert write.dram_read_bytes == pytest.approx(none.dram_read_bytes, rel=0.001, abs=50_000)
        assert write.l2_write_sectors == pytest.approx(none.l2_write_sectors, rel=0.001, abs=5000)
        assert write.us == pytest.approx(none.us, rel=0.04)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_store_reads_nothing_from_dram_and_an_addition_its_own_rows_once(shape):
    assert row_write(*shape).dram_read_bytes_a_row < 0.1
    read = row_write(*shape, "add").dram_read_bytes_a_row
    assert read == pytest.approx(48 if shape[0] == 32 else shape[0], rel=0.001)


def test_of_a_row_of_32_bytes_an_addition_reads_less_than_a_load_does():
    assert row_write(32, 512, "add").dram_read_bytes_a_row == pytest.approx(48, abs=0.1)
    assert row_read(32, 512).dram_bytes_a_row == pytest.approx(64, abs=0.1)


def test_every_second_sector_of_a_store_is_counted_twice_and_additions_are_no_writes():
    for shape in SHAPES:
        assert row_write(*shape).l2_write_sectors == pytest.approx(1.5 * row_write(*shape).sm_sectors, rel=0.001)
        assert row_write(*shape, "add").l2_write_sectors < 5000


def test_an_addition_takes_longer_than_a_store_the_more_the_wider_the_rows():
    longer = [row_write(*shape, "add").us / row_write(*shape).us for shape in SHAPES]
    assert longer[:4] == sorted(longer[:4])
    assert min(longer) > 1.6
    assert max(longer) < 3.2


def test_additions_stop_at_a_third_of_the_bandwidth_of_stores():
    for op, most in (("store", 4435), ("add", 1430)):
        assert max(write.useful_gb_per_s for write in row_writes() if write.op == op) == pytest.approx(most, rel=0.005)


def test_what_was_not_recorded_is_an_error():
    with pytest.raises(RecordingError, match="not recorded"):
        row_write(16, 512)
