"""One element: its kind and number, and what a load or a reduction makes of it."""

import pytest

from course_lib import DataType, ReduceOp
from course_lib.model.copy.one_element import kind_of, load_bits, parts_of, reduce_bits, value_of

FLOATS = [t for t in DataType if t.facts.is_float]


@pytest.mark.parametrize("data_type", FLOATS)
def test_the_kinds_follow_each_other_from_zero_up(data_type):
    sign, exponent, mantissa = parts_of(data_type)
    infinity, quiet = ((1 << exponent) - 1) << mantissa, 1 << mantissa - 1
    ends = [0, 1, (1 << mantissa) - 1, 1 << mantissa, infinity - 1, infinity, infinity + 1, infinity + quiet]
    kinds = ["zero", "subnormal", "subnormal", "normal", "normal", "infinity", "signalling NaN", "quiet NaN"]
    for top in (0, 1 << data_type.facts.bits - 1):
        assert [kind_of(data_type, top | bits) for bits in ends] == kinds
    assert sign + exponent + mantissa == data_type.facts.bits


@pytest.mark.parametrize("data_type", FLOATS)
def test_one_is_one_in_every_float_and_its_least_normal_has_exponent_one(data_type):
    _, exponent, mantissa = parts_of(data_type)
    bias = (1 << exponent - 1) - 1
    assert value_of(data_type, bias << mantissa) == 1.0
    assert value_of(data_type, 1 << mantissa) == 2.0 ** (1 - bias)


def test_integers_have_no_kind_and_the_signed_two_have_a_sign():
    assert kind_of(DataType.INT32, 5) == ""
    assert [value_of(t, 0xFFFFFFFF) for t in (DataType.INT32, DataType.UINT32)] == [-1, 2**32 - 1]
    assert value_of(DataType.INT64, 1 << 63) == -(2**63)


def test_a_load_changes_tf32_alone():
    changed = {t.name for t in DataType if not t.is_packed and load_bits(t, 0x8D) != 0x8D}
    assert changed == {"TFLOAT32", "TFLOAT32_FTZ"}


def test_a_pair_that_traps_has_no_result():
    assert reduce_bits(ReduceOp.MIN, DataType.FLOAT32, 1, 2) is None
    assert reduce_bits(ReduceOp.ADD, DataType.UINT32, 2**32 - 1, 2) == 1
