"""The fill at the edge, and TF32's rounding against exact fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from course_lib import DataType, OobFill, TiledTensorMap
from course_lib.model.copy.element_bits import deliver_units, fill_unit, tf32_rounded

INFINITY = 0x7F800000
ONE_NAN = 0x7FFFE000
SAMPLE = np.array(
    [
        sign << 31 | exponent << 23 | kept << 13 | dropped
        for sign, exponent, kept, dropped in product(
            (0, 1), range(256), (0, 1, 0x1FF, 0x200, 0x3FE, 0x3FF), (0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF)
        )
    ],
    np.uint32,
)


def made(data_type, oob_fill=OobFill.NONE):
    return TiledTensorMap(
        data_type=data_type, global_address=0, global_dim=(8,), global_strides=(), box_dim=(8,), oob_fill=oob_fill
    )


def magnitude(bits):
    """The exact absolute value of float32 bits that are a number."""
    exponent, mantissa = bits >> 23 & 0xFF, bits & 0x7FFFFF
    return Fraction(mantissa + (1 << 23 if exponent else 0)) * Fraction(2) ** (max(exponent, 1) - 150)


def nearest_tf32(bits):
    """Float32 bits rounded to 10 mantissa bits, stated with fractions: nearest, ties to even."""
    sign, exponent = bits & 1 << 31, bits >> 23 & 0xFF
    if exponent == 0xFF:
        return ONE_NAN if bits & 0x7FFFFF else bits
    quantum = Fraction(2) ** (max(exponent, 1) - 137)
    rounded = round(magnitude(bits) / quantum) * quantum
    return sign | (INFINITY if rounded >= Fraction(2) ** 128 else bits_of(rounded))


def bits_of(value):
    """The float32 bits of an exact value that float32 has."""
    return int(np.float32(value.numerator / value.denominator).view(np.uint32))


def test_tf32_rounds_to_nearest_even_at_every_exponent_subnormals_and_overflow_included():
    assert tf32_rounded(SAMPLE).tolist() == [nearest_tf32(int(bits)) for bits in SAMPLE]


def test_rounding_twice_changes_nothing():
    once = tf32_rounded(SAMPLE)
    assert np.array_equal(tf32_rounded(once), once)


def test_every_nan_becomes_one_nan_and_infinity_stays():
    nans = np.array([0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0xFF800001, 0xFFC00000, 0xFFFFFFFF], np.uint32)
    assert set(tf32_rounded(nans).tolist()) == {ONE_NAN}
    infinities = np.array([INFINITY, INFINITY | 1 << 31], np.uint32)
    assert np.array_equal(tf32_rounded(infinities), infinities)


@pytest.mark.parametrize(
    ("bits", "rounded"),
    [
        (0x3F800000, 0x3F800000),
        (0x3F801000, 0x3F800000),  # a tie, down to even
        (0x3F803000, 0x3F804000),  # a tie, up to even
        (0x3F801001, 0x3F802000),
        (0x00001001, 0x00002000),  # subnormal: rounded, not flushed
        (0x7F7FFFFF, 0x7F800000),  # overflow: infinity
        (0x80000001, 0x80000000),
    ],
)
def test_a_few_roundings_by_hand(bits, rounded):
    assert int(tf32_rounded(np.array([bits], np.uint32))[0]) == rounded


@pytest.mark.parametrize("data_type", [t for t in DataType if not t.is_packed], ids=lambda t: t.name)
def test_only_the_tf32_types_change_a_bit_on_a_load(data_type):
    units = SAMPLE.view(np.complex128)
    expected = tf32_rounded(SAMPLE) if data_type in (DataType.TFLOAT32, DataType.TFLOAT32_FTZ) else SAMPLE
    assert np.array_equal(deliver_units(made(data_type), units).view(np.uint32), expected)


@pytest.mark.parametrize("data_type", [t for t in DataType if t.facts.is_float], ids=lambda t: t.name)
def test_nan_fill_repeats_one_16_bit_pattern_for_every_float(data_type):
    unit = fill_unit(made(data_type, OobFill.NAN_REQUEST_ZERO_FMA))
    assert unit.view("<u2").tolist() == [0x7FF7] * 8


def test_zero_fill_is_16_zero_bytes():
    assert fill_unit(made(DataType.FLOAT32)).tobytes() == bytes(16)
