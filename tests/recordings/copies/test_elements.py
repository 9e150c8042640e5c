"""What single recorded elements show: loads of every type, ties of TF32, and the tables of reductions."""

import numpy as np
import pytest

from course_lib import DataType, ReduceOp
from course_lib.model.copy.element_bits import tf32_rounded
from course_lib.model.copy.one_element import kind_of, load_bits, reduce_bits
from course_lib.recordings import RecordingError, committed, read_rows
from course_lib.recordings.copies.elements import _move_integers, _source, loaded_elements, reduce_table, tied_loads
from course_lib.recordings.replay.kinds import kind_of as kind_of_row
from course_lib.rows.calls import tensor_map_of

ADD, D = ReduceOp.ADD, DataType
TF32 = (D.TFLOAT32, D.TFLOAT32_FTZ)


def test_each_of_the_thirteen_live_types_went_through_the_engine():
    loads = loaded_elements()
    assert list(loads) == [t for t in D if not t.is_packed]
    assert min(load.loads for load in loads.values()) > 20


@pytest.mark.parametrize("data_type", [t for t in D if not t.is_packed])
def test_every_recorded_element_arrived_as_the_model_says(data_type):
    load = loaded_elements()[data_type]
    assert [load_bits(data_type, bits) for bits in load.before.tolist()] == load.after.tolist()
    assert (data_type in TF32) == bool((load.before != load.after).any())


def test_subnormals_arrive_through_ftz_and_round_through_both_tf32_types():
    for data_type in (D.FLOAT32_FTZ, *TF32):
        load = loaded_elements()[data_type]
        small = [kind_of(data_type, bits) == "subnormal" for bits in load.before.tolist()]
        assert sum(small) >= 3
        assert (load.after[small] & 0x7FFFFFFF).all()
    loads = [loaded_elements()[t] for t in TF32]
    both = [dict(zip(load.before.tolist(), load.after.tolist(), strict=True)) for load in loads]
    shared = both[0].keys() & both[1].keys()
    assert len(shared) > 100
    assert all(both[0][bits] == both[1][bits] for bits in shared)


def test_three_loads_tell_that_ties_go_to_even_and_nan_to_one_pattern():
    def with_nan(rule):
        return lambda b: np.where((b & 0x7FFFFFFF) > 0x7F800000, 0x7FFFE000, rule(b))

    for load in tied_loads():
        assert load.ties.size == 1
        assert load.agrees(tf32_rounded)
        assert not load.agrees(with_nan(lambda b: b + 0x1000 & 0xFFFFE000))
        assert not load.agrees(with_nan(lambda b: b & 0xFFFFE000))
    assert not tied_loads()[1].agrees(lambda b: b + 0xFFF + (b >> 13 & 1) & 0xFFFFE000)


def test_float64_subnormals_and_nan_were_in_loads_whose_digest_is_that_of_unchanged_bits():
    found = {"subnormal": 0, "quiet NaN": 0, "signalling NaN": 0}
    for row in read_rows(committed("load.jsonl.xz")):
        if row["data_type"] == D.FLOAT64 and row["api"] == "tiled" and row["result"] == 0 and "fault" not in row:
            kinds = [
                kind_of(D.FLOAT64, bits)
                for bits in _move_integers(tensor_map_of(row), row, _source(row)).view("<u8").tolist()
            ]
            if any(kind in found for kind in kinds):
                found = {kind: count + kinds.count(kind) for kind, count in found.items()}
                assert kind_of_row(row).compare(row).differing == []
    assert found["subnormal"] == found["quiet NaN"] + found["signalling NaN"] == 7


def test_a_name_with_ftz_flushes_in_an_add_and_a_name_with_tf32_does_nothing_there():
    plain, ftz, tf32, both = (reduce_table(ADD, t) for t in (D.FLOAT32, D.FLOAT32_FTZ, *TF32))
    assert (plain.result == tf32.result).all()
    assert (ftz.result == both.result).all()
    assert (plain.of(0x400000, 0x400000), ftz.of(0x400000, 0x400000)) == (0x800000, 0)
    assert ftz.of(0x400000, 0) == 0
    assert ftz.of(0x80400000, 0x80000000) == 0x80000000


def test_nan_sums_are_one_pattern_in_16_and_32_bits_and_the_operands_own_in_float64():
    assert reduce_table(ADD, D.FLOAT32).of(0x7F800001, 0x3F800000) == 0x7FFFFFFF
    assert reduce_table(ADD, D.BFLOAT16).of(0x7F81, 0x3F80) == 0x7FFF
    assert reduce_table(ADD, D.FLOAT64).of(0x7FF8000000000005, 0x7FF0000000000001) == 0x7FF0000000000001


@pytest.mark.parametrize("data_type", [D.FLOAT16, D.BFLOAT16])
def test_minus_zero_lies_below_zero(data_type):
    for pair in ((0, 0x8000), (0x8000, 0)):
        assert reduce_table(ReduceOp.MIN, data_type).of(*pair) == 0x8000
        assert reduce_table(ReduceOp.MAX, data_type).of(*pair) == 0


def test_a_table_is_what_the_model_makes_of_each_pair():
    table = reduce_table(ReduceOp.MAX, D.BFLOAT16)
    right = [[reduce_bits(ReduceOp.MAX, D.BFLOAT16, int(a), int(b)) for b in table.operands] for a in table.operands]
    assert table.result.tolist() == right


def test_a_pair_that_traps_has_no_table():
    with pytest.raises(RecordingError, match="MIN on FLOAT32: no table"):
        reduce_table(ReduceOp.MIN, D.FLOAT32)
