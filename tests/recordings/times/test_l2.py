"""The recorded reads from beyond L2: all are there, the model agrees, and what L2 keeps is what the counters say."""

from itertools import product

import pytest

from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings import RecordingError
from course_lib.recordings.times.l2 import (
    COUNTED,
    HINTS,
    TENSOR_HINTS,
    TIMED,
    row_read,
    row_reads,
    second_read,
    second_reads,
)

MIB = 1 << 20


def test_every_recorded_read_is_here():
    sources = [read.source for read in row_reads()]
    assert [sources.count(name) for name in (TIMED, COUNTED, HINTS)] == [60, 44, 20]
    assert len(second_reads()) == 64


def test_dram_reads_what_the_model_says_within_one_percent():
    for read in row_reads():
        assert read.modelled.dram_bytes == pytest.approx(read.dram_bytes, rel=0.01), read


def test_l2_counts_what_the_model_says_within_a_tenth_of_a_percent():
    for read in row_reads():
        assert read.modelled.l2_sectors == pytest.approx(read.l2_sectors, rel=0.001), read


def test_sms_ask_for_the_sectors_of_the_rows_and_for_half_a_line_for_each_hint():
    for read in row_reads():
        if read.sm_sectors is not None:
            asked = read.modelled.requested_sectors + 2 * read.modelled.hints
            assert read.sm_sectors == pytest.approx(asked, rel=0.001), read


def test_the_rate_of_a_timed_read_is_that_of_its_table():
    assert row_read(128, 256, L2Promotion.L2_256B).useful_gb_per_s == pytest.approx(2342, rel=0.005)


def test_no_promotion_was_ever_more_than_two_percent_faster_than_none():
    for read in row_reads():
        if read.source == TIMED:
            none = row_read(read.row_bytes, read.pitch_bytes)
            assert none.ns <= 1.02 * read.ns, read


def test_a_second_read_needs_no_dram_where_all_fits_and_is_twice_as_fast():
    read = second_read(16 * MIB, 0)
    assert read.again_bytes < 0.001 * read.x_bytes
    assert read.first_ns > 1.9 * read.second_ns


def test_evict_first_between_keeps_x_and_evict_last_on_x_alone_does_not():
    kept = [read for read in second_reads() if read.y_policy == "evict_first"]
    assert max(read.again_bytes / read.x_bytes for read in kept) < 0.016
    lost = [read for read in second_reads() if (read.x_policy, read.y_policy) == ("evict_last", None)]
    assert min(read.again_bytes / read.x_bytes for read in lost if read.y_bytes > 63 * MIB) > 0.7


def test_a_stream_marked_evict_last_or_evict_unchanged_pushes_x_out_as_one_without_a_policy_does():
    for policy, (x, y) in product(("evict_last", "evict_unchanged"), product((16, 24), (0, 16, 64, 256))):
        marked, plain = (second_read(x * MIB, y * MIB, None, by) for by in (policy, None))
        assert abs(marked.again_bytes - plain.again_bytes) < 0.2 * MIB


def test_tensor_copies_obey_cache_policies_as_linear_ones_do():
    linear, tensor = second_reads(HINTS), second_reads(TENSOR_HINTS)
    assert [read[:4] for read in tensor] == [read[:4] for read in linear]
    for by_rows, by_box in zip(linear, tensor, strict=True):
        assert abs(by_rows.again_bytes - by_box.again_bytes) < 1.1 * MIB, by_box
        if by_rows.x_bytes + by_rows.y_bytes != 40 * MIB:  # where a part of X survives, it is another part each time
            assert abs(by_rows.again_bytes - by_box.again_bytes) < 0.32 * MIB, by_box


def test_through_boxes_too_evict_first_keeps_x_and_evict_last_keeps_a_quarter_of_16_mib_and_nothing_of_24():
    def part(x, *policies):
        read = second_read(x * MIB, 64 * MIB, *policies, source=TENSOR_HINTS)
        return read.again_bytes / read.x_bytes

    assert part(16, None, "evict_first") < 0.002
    assert part(24, None, "evict_first") < 0.01
    assert 0.7 < part(16, "evict_last", None) < 0.75
    assert part(24, "evict_last", None) > 0.99


def test_the_second_read_of_what_fits_crosses_no_more_between_the_halves_of_l2():
    for x_bytes in (16 * MIB, 24 * MIB):
        read = second_read(x_bytes, 0)
        assert read.partition_sectors == pytest.approx(x_bytes / 2 / 32, rel=0.02)


@pytest.mark.parametrize(
    "asked", [lambda: row_read(48, 512), lambda: second_read(MIB, 0), lambda: row_read(16, 512, 0, 0, HINTS)]
)
def test_what_was_not_recorded_is_an_error(asked):
    with pytest.raises(RecordingError, match="not recorded"):
        asked()
