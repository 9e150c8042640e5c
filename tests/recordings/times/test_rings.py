"""Streaming reads by copies in flight, promotion and prefetch: what an H200 took for them, and what its counters say."""

from itertools import product

import pytest

from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings import RecordingError
from course_lib.recordings.times.rings import ring_read, ring_reads

SPARSE, DENSE = ((16, 512), (64, 512), (128, 512)), ((64, 64), (128, 128), (256, 256))
STAGES, AHEAD = (1, 2, 4, 8), (0, 1, 2, 4, 8)


def prefetched():
    return [read for read in ring_reads() if read.ahead is not None]


def without(read):
    return ring_read(read.row_bytes, read.pitch_bytes, read.promotion, read.stages)


def test_every_recorded_read_is_here_once():
    assert len(ring_reads()) == len({read[:5] for read in ring_reads()}) == 136
    assert len(prefetched()) == 40


def test_no_promotion_is_over_a_percent_faster_than_none_however_few_copies_are_in_flight():
    for shape, stages in product((*SPARSE, *DENSE), STAGES):
        times = [ring_read(*shape, promotion, stages).us for promotion in L2Promotion]
        assert times[0] <= 1.011 * min(times), (shape, stages)


def test_all_hints_are_followed_with_one_or_two_copies_in_flight_and_15_of_16_with_eight():
    for shape in SPARSE:
        one, two, four, eight = (ring_read(*shape, L2Promotion.L2_256B, stages).dram_bytes_a_row for stages in STAGES)
        assert one == pytest.approx(256, abs=0.1)
        assert two == pytest.approx(256, abs=0.1)
        assert 253 < four < 255
        assert eight == pytest.approx(248, abs=0.5)


def test_a_prefetch_changes_no_dram_byte_unless_it_comes_eight_large_tiles_early():
    for read in prefetched():
        more = read.dram_bytes / without(read).dram_bytes - 1
        if (read.row_bytes, read.ahead) == (256, 8):
            assert 0.04 < more < 0.14, read
        else:
            assert abs(more) < 0.001, read


def test_a_prefetch_asks_for_each_sector_once_more_and_leaves_the_reads_that_l2_counts():
    for read in prefetched():
        asked = 2 * without(ring_read(read.row_bytes, read.pitch_bytes, 0, read.stages)).sm_sectors
        assert 0.97 * asked < read.sm_sectors <= 1.001 * asked, read
        assert read.read_sectors == pytest.approx(without(read).read_sectors, rel=0.001), read


def test_with_one_copy_in_flight_a_prefetch_helps_and_a_second_stage_as_much():
    for shape, ahead in product(((64, 512), (256, 256)), AHEAD):
        read = ring_read(*shape, 0, 1, ahead)
        assert read.us < 0.9 * without(read).us
        assert ring_read(*shape, 0, 2).us < 1.01 * read.us


def test_with_four_copies_in_flight_a_prefetch_helps_nothing_and_costs_dense_rows_an_eighth():
    for ahead in AHEAD:
        sparse, dense = ring_read(64, 512, 0, 4, ahead), ring_read(256, 256, 0, 4, ahead)
        assert abs(sparse.us / without(sparse).us - 1) < 0.02
        assert 1.12 < dense.us / without(dense).us < 1.14


def test_what_was_not_recorded_is_an_error():
    with pytest.raises(RecordingError, match="ahead=3: not recorded"):
        ring_read(64, 512, 0, 1, 3)
