"""L2 sectors, DRAM bytes and operand traffic: one rule against every recorded row, the slow way, and by hand."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib import L2Promotion, TiledTensorMap
from course_lib.model.cost.gemm import gemm_traffic, multicast_saving
from course_lib.model.cost.traffic import copy_traffic, rows_traffic, starts_traffic
from course_lib.model.facts.enums import DataType
from course_lib.recordings.files import DATA

PROMOTIONS = dict(zip(("NONE", "64B", "128B", "256B"), L2Promotion, strict=True))
MEMORY_BYTES = {"l2_promotion.csv": 2 << 30, "l2_offsets.csv": 512 << 20}  # cut into rows and read once


def recorded(name):
    with Path(str(DATA / name)).open() as table:
        return list(csv.DictReader(table))


def modelled(row, memory_bytes):
    pitch, offset = int(row["row_pitch_bytes"]), int(row.get("row_offset_bytes", 0))
    promotion = PROMOTIONS[row["l2_promotion"]]
    return rows_traffic(memory_bytes // pitch, int(row["box_inner_bytes"]), pitch, promotion, offset)


def shown(row):
    return f"{row['box_inner_bytes']} at {row.get('row_offset_bytes', 0)} of {row['row_pitch_bytes']}, {row['l2_promotion']}"


ROWS = [pytest.param(row, size, id=shown(row)) for name, size in MEMORY_BYTES.items() for row in recorded(name)]
TIMED = [pytest.param(row, MEMORY_BYTES["l2_promotion.csv"], id=shown(row)) for row in recorded("l2_promotion.csv")]


def test_every_recorded_row_is_here():
    assert (len(ROWS), len(TIMED)) == (104, 60)


@pytest.mark.parametrize(("row", "memory_bytes"), ROWS)
def test_dram_reads_what_the_rule_says(row, memory_bytes):
    found = modelled(row, memory_bytes)
    near = 0.01 if found.hinted_lines else 0.0005
    assert found.dram_bytes == pytest.approx(int(row["dram_bytes_read"]), rel=near)


@pytest.mark.parametrize(("row", "memory_bytes"), ROWS)
def test_l2_counts_the_sectors_that_the_rule_says(row, memory_bytes):
    assert modelled(row, memory_bytes).l2_sectors == pytest.approx(int(row["lts_sectors_read"]), rel=0.001)


@pytest.mark.parametrize(("row", "memory_bytes"), TIMED)
def test_rows_or_bytes_explain_the_time(row, memory_bytes):
    assert modelled(row, memory_bytes).time_ns == pytest.approx(float(row["best_ms"]) * 1e6, rel=0.06)


def test_half_of_what_dram_gives_comes_from_the_other_partition():
    for row in recorded("l2_offsets.csv"):
        demanded = modelled(row, MEMORY_BYTES["l2_offsets.csv"]).demanded_bytes
        assert int(row["from_fabric_sectors"]) == pytest.approx(demanded / 32 / 2, rel=0.001)


def test_narrow_rows_are_limited_by_rows_until_promotion_makes_them_bytes():
    limits = {name: rows_traffic(2**20, 16, 256, p).limit for name, p in PROMOTIONS.items()}
    assert limits == {"NONE": "rows", "64B": "rows", "128B": "bytes", "256B": "bytes"}


def by_bytes(rows, row_bytes, pitch, promotion, address):
    """The rule said over single bytes."""
    touched = [range(address + i * pitch, address + (i * pitch) + row_bytes) for i in range(rows)]
    sectors = [sector for row in touched for sector in {byte // 32 for byte in row}]
    around = 64 if promotion <= L2Promotion.L2_64B else 128
    demanded = {byte // around for row in touched for byte in row}
    hints = [sector // 8 for sector in sectors if sector % 8 == 0 and promotion == L2Promotion.L2_256B]
    alone = {2 * block + 1 for block in hints} - demanded
    return len(sectors), len(demanded) * around, len(hints), len(alone)


def counts(traffic):
    return traffic.requested_sectors, traffic.demanded_bytes, traffic.hints, traffic.hinted_lines


@given(st.data(), st.integers(1, 300), st.sampled_from(list(L2Promotion)), st.integers(0, 300))
def test_the_rule_is_the_same_over_single_bytes(data, row_bytes, promotion, address):
    pitch, rows = data.draw(st.integers(row_bytes, row_bytes + 300)), data.draw(st.integers(1, 60))
    found = rows_traffic(rows, row_bytes, pitch, promotion, address)
    assert counts(found) == by_bytes(rows, row_bytes, pitch, promotion, address)


@pytest.mark.parametrize("promotion", L2Promotion)
@pytest.mark.parametrize(
    ("row_bytes", "pitch"), [(16, 16), (16, 48), (32, 80), (1, 1), (48, 255), (256, 256), (200, 1008)]
)
def test_many_rows_are_counted_as_if_one_by_one(row_bytes, pitch, promotion):
    for rows in (255, 256, 257, 1000, 1511):
        assert counts(rows_traffic(rows, row_bytes, pitch, promotion, 16)) == by_bytes(
            rows, row_bytes, pitch, promotion, 16
        )


@given(st.integers(1, 500), st.integers(1, 20), st.integers(0, 20), st.integers(0, 500))
def test_a_wider_promotion_never_reads_less(rows, units, gap, address):
    read = [rows_traffic(rows, 16 * units, 16 * (units + gap), p, address).dram_bytes for p in L2Promotion]
    assert read == sorted(read)
    assert read[0] >= 16 * units * rows


def test_promotion_256b_brings_the_second_line_only_for_the_first_sector():
    alone = [rows_traffic(1, 32, 512, L2Promotion.L2_256B, offset).hinted_lines for offset in range(0, 512, 32)]
    assert alone == [1, 0, 0, 0, 0, 0, 0, 0] * 2


def test_a_row_off_its_block_costs_a_block_more():
    assert [rows_traffic(8, 64, 512, L2Promotion.NONE, a).dram_bytes // 8 for a in (0, 16, 64)] == [64, 128, 64]
    assert [rows_traffic(8, 32, 512, L2Promotion.NONE, a).requested_sectors // 8 for a in (0, 16, 32)] == [1, 2, 1]


@given(st.permutations(range(40)), st.integers(1, 20), st.sampled_from(list(L2Promotion)))
def test_the_order_in_which_rows_are_read_changes_nothing(order, units, promotion):
    starts = [80 * place for place in order]
    assert starts_traffic(starts, 16 * units, promotion) == starts_traffic(sorted(starts), 16 * units, promotion)


def test_rows_anywhere_are_counted_as_rows_at_a_pitch_where_they_have_one():
    starts = range(48, 48 + 30 * 112, 112)
    assert starts_traffic(starts, 64, L2Promotion.L2_256B) == rows_traffic(30, 64, 112, L2Promotion.L2_256B, 48)


def test_two_rows_in_one_atom_ask_twice_and_read_once():
    found = starts_traffic([0, 32, 0], 32)
    assert (found.requested_sectors, found.dram_bytes) == (3, 64)


@pytest.mark.parametrize(("starts", "row_bytes"), [([], 16), ([0], 0), ([-16], 16)])
def test_rows_without_bytes_or_below_address_0_are_refused(starts, row_bytes):
    with pytest.raises(ValueError, match="from 0 on"):
        starts_traffic(starts, row_bytes)


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
