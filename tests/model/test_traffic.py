"""L2 sectors, DRAM bytes and operand traffic: one rule against every recorded row, the slow way, and by hand."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib import L2Promotion, TiledTensorMap
from course_lib.model.enums import DataType
from course_lib.model.gemm import gemm_traffic, multicast_saving
from course_lib.model.traffic import copy_traffic, fetch_bytes, rows_traffic
from course_lib.recordings.files import DATA

MEMORY_BYTES = 2 << 30  # cut into rows for the recording
PROMOTIONS = dict(zip(("NONE", "64B", "128B", "256B"), L2Promotion, strict=True))

with Path(str(DATA / "l2_promotion.csv")).open() as table:
    RECORDED = list(csv.DictReader(table))


def modelled(row):
    pitch = int(row["row_pitch_bytes"])
    return rows_traffic(MEMORY_BYTES // pitch, int(row["box_inner_bytes"]), pitch, PROMOTIONS[row["l2_promotion"]])


def fetches_more_than_the_row(row):
    return row["l2_promotion"] == "256B" and int(row["box_inner_bytes"]) < 256


def test_every_promotion_was_recorded_at_every_row_and_pitch():
    assert len(RECORDED) == 60


@pytest.mark.parametrize(
    "row", RECORDED, ids=lambda r: f"{r['box_inner_bytes']} of {r['row_pitch_bytes']}, {r['l2_promotion']}"
)
def test_memory_reads_what_the_rule_says(row):
    off = modelled(row).dram_bytes / int(row["dram_bytes_read"]) - 1
    assert 0.029 < off < 0.034 if fetches_more_than_the_row(row) else abs(off) < 0.0002


@pytest.mark.parametrize(
    "row", RECORDED, ids=lambda r: f"{r['box_inner_bytes']} of {r['row_pitch_bytes']}, {r['l2_promotion']}"
)
def test_l2_counts_the_sectors_that_the_rule_says(row):
    assert modelled(row).l2_sectors == pytest.approx(int(row["lts_sectors_read"]), rel=0.001)


@pytest.mark.parametrize(
    "row", RECORDED, ids=lambda r: f"{r['box_inner_bytes']} of {r['row_pitch_bytes']}, {r['l2_promotion']}"
)
def test_rows_or_bytes_explain_the_time(row):
    assert modelled(row).time_ns == pytest.approx(float(row["best_ms"]) * 1e6, rel=0.06)


def test_narrow_rows_are_limited_by_rows_until_promotion_makes_them_bytes():
    limits = {name: rows_traffic(2**20, 16, 256, p).limit for name, p in PROMOTIONS.items()}
    assert limits == {"NONE": "rows", "64B": "rows", "128B": "bytes", "256B": "bytes"}


def by_bytes(rows, row_bytes, pitch, block, address):
    """The rule said over single bytes."""
    touched = [range(address + i * pitch, address + i * pitch + row_bytes) for i in range(rows)]
    sectors = sum(len({byte // 32 for byte in row}) for row in touched)
    return sectors, len({byte // block for row in touched for byte in row}) * block


@given(st.data(), st.integers(1, 300), st.sampled_from(list(L2Promotion)), st.integers(0, 300))
def test_the_rule_is_the_same_over_single_bytes(data, row_bytes, promotion, address):
    pitch = data.draw(st.integers(row_bytes, row_bytes + 300))
    rows = data.draw(st.integers(1, 40))
    found = rows_traffic(rows, row_bytes, pitch, promotion, address)
    assert (found.requested_sectors, found.dram_bytes) == by_bytes(
        rows, row_bytes, pitch, fetch_bytes(promotion), address
    )


@given(st.integers(1, 2000), st.integers(1, 64), st.integers(0, 64), st.sampled_from(list(L2Promotion)))
def test_many_rows_are_counted_as_if_one_by_one(rows, units, gap, promotion):
    row_bytes, pitch = 16 * units, 16 * (units + gap)
    halves = (
        rows_traffic(rows, row_bytes, pitch, promotion),
        rows_traffic(rows, row_bytes, pitch, promotion, pitch * rows),
    )
    both = rows_traffic(2 * rows, row_bytes, pitch, promotion)
    assert both.requested_sectors == sum(half.requested_sectors for half in halves)
    shared = sum(half.dram_bytes for half in halves) - both.dram_bytes
    assert shared in (0, fetch_bytes(promotion))


@given(st.integers(1, 500), st.integers(1, 20), st.integers(0, 20), st.integers(0, 500))
def test_a_wider_promotion_never_reads_less(rows, units, gap, address):
    read = [rows_traffic(rows, 16 * units, 16 * (units + gap), p, address).dram_bytes for p in L2Promotion]
    assert read == sorted(read)
    assert read[0] >= 16 * units * rows


def test_a_row_off_its_block_costs_a_block_more():
    assert [rows_traffic(8, 64, 512, L2Promotion.NONE, a).dram_bytes // 8 for a in (0, 16, 64)] == [64, 128, 64]
    assert [rows_traffic(8, 32, 512, L2Promotion.NONE, a).requested_sectors // 8 for a in (0, 16, 32)] == [1, 2, 1]


def test_rows_must_not_overlap():
    with pytest.raises(ValueError, match="rows overlap"):
        rows_traffic(4, 64, 32)


def tile(inner, rows, pitch, promotion=L2Promotion.NONE, address=0):
    """A map of bytes of which a box takes ``rows`` rows of ``inner``."""
    return TiledTensorMap(
        data_type=DataType.UINT8,
        global_address=address,
        global_dim=(pitch, 1024),
        global_strides=(pitch,),
        box_dim=(inner, rows),
        l2_promotion=promotion,
    )


@given(
    st.integers(1, 16), st.integers(1, 30), st.integers(0, 16), st.sampled_from(list(L2Promotion)), st.integers(0, 20)
)
def test_a_copy_costs_what_its_rows_cost(units, rows, gap, promotion, start):
    inner, pitch = 16 * units, 16 * (units + gap)
    found = copy_traffic(tile(inner, rows, pitch, promotion), (0, start))
    assert found == rows_traffic(rows, inner, pitch, promotion, start * pitch)


def test_only_what_lies_inside_the_tensor_is_asked_for():
    m = tile(64, 8, 256)
    assert copy_traffic(m, (224, -3)) == rows_traffic(5, 32, 256, 0, 224)
    nothing = copy_traffic(m, (256, 0))
    assert (nothing.rows, nothing.dram_bytes, nothing.efficiency) == (0, 0, 1.0)


def test_a_cluster_of_two_saves_a_quarter_four_in_a_row_three_eighths_two_by_two_a_half():
    shapes = ((1, 1), (1, 2), (1, 4), (2, 2))
    assert [multicast_saving(128, 128, *shape) for shape in shapes] == [0, 0.25, 0.375, 0.5]


def by_blocks(m, n, k, tile_m, tile_n, cluster_m, cluster_n):
    """Operand elements, block by block: what no block before it in the cluster has asked for."""
    asked = set()
    for i in range(-(-m // (tile_m * cluster_m)) * cluster_m):
        for j in range(-(-n // (tile_n * cluster_n)) * cluster_n):
            asked |= {("A", i, j // cluster_n), ("B", j, i // cluster_m)}
    return sum((tile_m if which == "A" else tile_n) * k for which, _, _ in asked)


sizes, clusters = st.integers(1, 64), st.integers(1, 4)


@given(sizes, sizes, sizes, st.integers(1, 16), st.integers(1, 16), clusters, clusters)
def test_operand_traffic_is_each_shared_tile_once_a_cluster(m, n, k, tile_m, tile_n, cluster_m, cluster_n):
    found = gemm_traffic(m, n, k, tile_m, tile_n, 2, cluster_m, cluster_n)
    assert found.operand_bytes == 2 * by_blocks(m, n, k, tile_m, tile_n, cluster_m, cluster_n)


@given(st.integers(1, 4), st.integers(1, 4), clusters, clusters)
def test_where_clusters_fit_the_saving_is_the_cluster_s(tiles_m, tiles_n, cluster_m, cluster_n):
    m, n = 128 * cluster_m * tiles_m, 64 * cluster_n * tiles_n
    alone, together = (gemm_traffic(m, n, 512, 128, 64, 2, *c).operand_bytes for c in ((1, 1), (cluster_m, cluster_n)))
    assert 1 - together / alone == pytest.approx(multicast_saving(128, 64, cluster_m, cluster_n))


def test_a_larger_tile_feeds_more_arithmetic_with_a_byte():
    per_byte = [gemm_traffic(4096, 4096, 4096, t, t).operations_per_byte for t in (64, 128, 256)]
    assert per_byte == [32, 64, 128]
    assert gemm_traffic(256, 256, 64, 256, 256).reads_of_each_byte == 1
