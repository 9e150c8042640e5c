"""What is drawn to be recorded is legal, stays within its memories, and is the same every time."""

import pytest

from course_lib.model.copy.layout import stride_bytes
from course_lib.rows.calls import row_of, tensor_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, GLOBAL_BYTES_OF_STORES, SHARED_BYTES_OF_STORES
from maintain.hardware.cases import banks as cases_banks
from maintain.hardware.cases import barriers as cases_barriers
from maintain.hardware.cases import drawn as cases
from maintain.hardware.cases import encode as cases_encode
from maintain.hardware.cases import far as cases_far
from maintain.hardware.cases import faults as cases_faults
from maintain.hardware.cases import stores as cases_stores

DRAWS = (cases.tiled_map, cases.im2col_map, cases.wide_map)


def some_loads():
    return [row for draw in DRAWS for pair in cases.PAIRS for row in cases.loads(5, draw, pair, 4)]


@pytest.fixture(scope="module")
def stores():
    return list(cases_stores.stores(6, 4))


def test_every_drawn_load_is_legal_and_inside_its_memory():
    for row in some_loads():
        m = tensor_map_of(row)
        assert m.check().accepted
        assert m.global_address + cases.reach_bytes(m) <= GLOBAL_BYTES_OF_LOADS


def test_every_drawn_load_fits_its_window():
    for row in some_loads():
        assert row["shared_address"] + cases.footprint_bytes(tensor_map_of(row)) < row["window_bytes"] <= 227 * 1024


def test_every_drawn_store_is_legal_and_inside_its_memories(stores):
    for row in stores:
        m = tensor_map_of(row)
        assert m.check().accepted
        assert m.global_address + cases.reach_bytes(m) <= GLOBAL_BYTES_OF_STORES
        assert row["shared_address"] + cases.footprint_bytes(m) <= SHARED_BYTES_OF_STORES


def test_no_drawn_copy_traps_on_its_innermost_coordinate(stores):
    for row in [*some_loads(), *stores, *cases_far.far_loads()]:
        assert row["interleave"] or row["coordinates"][0] * stride_bytes(tensor_map_of(row))[0] % 16 == 0


def test_no_drawn_store_starts_before_the_tensor(stores):
    assert all(at >= 0 for row in stores for at in row["coordinates"])


def test_stores_never_write_one_byte_twice(stores):
    for row in stores:
        m = tensor_map_of(row)
        extent = m.global_dim[0] * stride_bytes(m)[0]
        for dim, stride in zip(m.global_dim[1:], m.global_strides, strict=True):
            assert stride >= extent
            extent = max(extent, stride * dim)


def test_a_seed_fixes_the_draw():
    assert some_loads() == some_loads()


def test_every_pair_and_every_type_occurs(stores):
    assert {(row["interleave"], row["swizzle"]) for row in some_loads()} == set(cases.PAIRS)
    assert {row["data_type"] for row in stores} == set(cases.TYPES)


def test_every_base_call_of_the_probes_is_legal():
    assert all(tensor_map_of(row).check().accepted for row in cases_encode.bases())


def test_the_probes_lie_on_both_sides_of_each_rule():
    broken = {b.id for row in cases_encode.encode_questions() for b in tensor_map_of(row).check().broken}
    assert {"address-is-in-range", "dimensions-are-in-range", "box-fits-the-engine", "pixel-box-is-not-empty"} <= broken


def test_every_map_of_a_fault_is_legal_so_that_the_copy_is_what_traps():
    families = (
        *(cases_faults.fault_jobs, cases_faults.outside_jobs, cases_faults.past_the_window),
        *(cases_faults.prefetch_jobs, cases_faults.prefetch_im2col_jobs),
    )
    assert all(tensor_map_of(row).check().accepted and row["why"] for family in families for _, row in family())


def test_a_row_says_the_call_back():
    for row in [*some_loads(), *cases_encode.bases()]:
        assert row_of(tensor_map_of(row)).items() <= row.items()


def test_arrays_longer_than_the_rank_are_cut():
    row = cases_encode.tiled_base(3) | {"rank": 2}
    assert tensor_map_of(row).global_dim == (64, 64)


def test_a_script_of_a_barrier_fits_the_kernel():
    assert all(len(row["steps"]) <= 64 for row in cases_barriers.barrier_rows())


def test_three_phases_are_three_times_the_steps():
    right = next(cases_barriers.barrier_rows())
    assert right["steps"] == [["arrive_expect", 16], ["copy", 0], ["settle", 10_000]] * 3


def test_every_access_pattern_is_32_aligned_addresses():
    for row in cases_banks.bank_rows():
        assert len(row["addresses"]) == 32
        assert all(address % (row["access_bytes"] or 16) == 0 for address in row["addresses"])


def test_operands_pair_every_special_value_with_every_other():
    row = next(row for row in cases_stores.operand_rows(1) if row["data_type"] == 6)
    memory, shared = (bytes.fromhex(row[name]) for name in ("memory", "shared"))
    pairs = {(memory[i : i + 2], shared[i : i + 2]) for i in range(0, 2 * cases_stores.SPECIALS**2, 2)}
    assert len(pairs) == cases_stores.SPECIALS**2
