"""The recorded copies at an edge: which rule the hardware keeps, and that another rule would show."""

import numpy as np

from course_lib import DataType, OobFill
from course_lib.recordings.copies.edges import (
    at_missing_memory,
    cut_units,
    digests_by_rule,
    edge_loads,
    edge_stores,
    patterns,
    spilled_addresses,
)


def is_one_byte(row):
    return row["op"] == "store" and row["data_type"] == DataType.UINT8 and row["global_dim"] == [1]


FILLS = {OobFill.NONE: bytes(16), OobFill.NAN_REQUEST_ZERO_FMA: bytes.fromhex("f77f" * 8)}


def test_every_recorded_load_across_an_edge_completed_its_barrier():
    assert len(edge_loads()) == 226
    assert all(copy.row["status"] for copy in edge_loads())
    assert sum(copy.is_wholly_outside for copy in edge_loads()) == 50


def test_a_load_decides_element_by_element_in_every_recorded_unit_that_an_edge_cuts():
    units = list(cut_units())
    assert len(units) == 385
    assert all(unit.recorded[unit.inside :] == FILLS[unit.oob_fill][unit.inside :] for unit in units)
    assert {unit.data_type for unit in units} == {t for t in DataType if not t.is_packed}
    assert not any(unit.recorded == FILLS[unit.oob_fill] for unit in units if unit.inside >= 8)


def test_the_nan_is_one_pattern_for_all_floats_and_nobody_else_has_it():
    for data_type in DataType:
        if not data_type.is_packed:
            nan = {int("7ff7" * (data_type.size_bytes // 2), 16)} if data_type.facts.is_float else set()
            assert patterns(data_type, OobFill.NAN_REQUEST_ZERO_FMA) == nan
            assert patterns(data_type, OobFill.NONE) == {0}


def agreeing(copies):
    """How many of the copies have the digest of the rule by element, and of that by 16 bytes."""
    rules = [digests_by_rule(copy) for copy in copies]
    return tuple(
        sum(by_rule[place] == copy.row["blake2b_96"] for copy, by_rule in zip(copies, rules, strict=True))
        for place in (0, 1)
    )


def test_no_recorded_store_clips_at_the_element_and_every_one_at_16_bytes():
    stores = [copy for copy in edge_stores() if copy.row["op"] == "store"]
    assert (len(stores), agreeing(stores)) == (298, (0, 298))


def test_reductions_spill_like_stores():
    reductions = [copy for copy in edge_stores() if copy.row["op"] != "store"]
    assert (len(reductions), agreeing(reductions)) == (434, (38, 434))


def test_a_spill_lies_behind_the_end_of_a_row_and_is_shorter_than_a_unit():
    one_byte = next(copy for copy in edge_stores() if is_one_byte(copy.row))
    begin = one_byte.tensor_map.global_address
    assert np.array_equal(spilled_addresses(one_byte), np.arange(begin + 1, begin + 16))


def test_beside_missing_memory_a_load_faults_outside_and_a_store_does_not():
    outside = [row for row in at_missing_memory() if row["outside"]]
    found = {(row["copy"], row["memory"]): row["fault"] for row in outside}
    assert found == {
        ("load", "nothing"): 700,
        ("store", "nothing"): None,
        ("load", "the address and row 0"): None,
        ("store", "the address and row 0"): None,
    }
    assert all(row["fault"] == 700 for row in at_missing_memory() if row["memory"] == "nothing" and not row["outside"])
    assert sum(row["starts"].count("(") for row in at_missing_memory()) == 22
