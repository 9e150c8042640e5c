"""Reductions bit by bit: integers against Python's, floats against exact fractions and PTX's words."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from course_lib import DataType, ReduceOp
from course_lib.model.copy.arithmetic import combine_bits, is_legal
from course_lib.recordings import committed, read_rows

PAIRS = {
    (row["op"], row["data_type"]): row["fault"]
    for row in read_rows(committed("traps.jsonl.xz"))
    if row["kind"] == "reduce_pair" and row["op"] != "store"
}
INTEGERS = {
    DataType.UINT32: (32, False),
    DataType.INT32: (32, True),
    DataType.UINT64: (64, False),
    DataType.INT64: (64, True),
}


class Format:
    """A binary floating-point format of `width` bits with `kept` mantissa bits."""

    def __init__(self, width, kept, nan):
        self.width, self.kept, self.nan = width, kept, nan
        self.exponents = (1 << width - 1 - kept) - 1
        self.infinity = self.exponents << kept
        self.sign = 1 << width - 1

    def is_nan(self, bits):
        return bits & ~self.sign > self.infinity

    def value(self, bits):
        """The exact value; None for infinities and NaN."""
        exponent, mantissa = bits >> self.kept & self.exponents, bits & (1 << self.kept) - 1
        if exponent == self.exponents:
            return None
        whole = mantissa + (1 << self.kept if exponent else 0)
        power = max(exponent, 1) - self.exponents // 2 - self.kept
        return Fraction(whole) * Fraction(2) ** power * (-1 if bits & self.sign else 1)

    def nearest(self, value, sign):
        """The bits nearest to an exact value, ties to even; `sign` where it is 0."""
        sign = self.sign if value < 0 else sign if value == 0 else 0
        lowest, bias = 1 - self.exponents // 2 - self.kept, self.exponents // 2
        leading = value.numerator.bit_length() - value.denominator.bit_length()
        power = max(lowest, leading - self.kept)
        whole = round(abs(value) / Fraction(2) ** power)
        if whole >= 2 << self.kept:
            whole, power = whole // 2, power + 1
        exponent = power + self.kept + bias if whole >> self.kept else 0
        bits = exponent << self.kept | whole & (1 << self.kept) - 1
        return sign | min(bits, self.infinity)

    def added(self, a, b):
        """IEEE addition, rounded to nearest even, with this machine's one NaN."""
        values = self.value(a), self.value(b)
        if self.is_nan(a) or self.is_nan(b):
            return self.nan
        if None in values:
            infinite = {bits for bits, value in ((a, values[0]), (b, values[1])) if value is None}
            return infinite.pop() if len(infinite) == 1 else self.nan
        return self.nearest(sum(values), self.sign if a == b == self.sign else 0)

    def specials(self):
        """Zeros, subnormals, the ends of the normals, ones and neighbours, infinity and NaN, in both signs."""
        one = self.exponents // 2 << self.kept
        least, last = 1 << self.kept, self.infinity - 1
        quiet = 1 << self.kept - 1
        below = [
            0,
            1,
            2,
            3,
            least - 1,
            least,
            least + 1,
            one - 1,
            one,
            one + 1,
            one + 2,
            one - (self.kept + 1 << self.kept),
        ]
        above = [one + (self.kept << self.kept), one + (self.kept + 1 << self.kept), last - 1, last]
        nans = [self.infinity + 1, self.infinity | quiet, self.sign - 1]
        return [bits | sign for sign in (0, self.sign) for bits in (*below, *above, self.infinity, *nans)]


FORMATS = {
    DataType.FLOAT16: Format(16, 10, 0x7FFF),
    DataType.BFLOAT16: Format(16, 7, 0x7FFF),
    DataType.FLOAT32: Format(32, 23, 0x7FFFFFFF),
    DataType.TFLOAT32: Format(32, 23, 0x7FFFFFFF),
}
FLUSHING = (DataType.FLOAT32_FTZ, DataType.TFLOAT32_FTZ)
DOUBLE = Format(64, 52, 0)


def apply(op, data_type, pairs):
    """The model's result on pairs of bit patterns (memory, operand)."""
    carrier = f"<u{data_type.size_bytes}"
    memory, operand = (np.array(side, carrier).view(np.uint8) for side in zip(*pairs, strict=True))
    return combine_bits(op, data_type, memory, operand).view(carrier).tolist()


@pytest.mark.parametrize(("op", "data_type"), list(product(ReduceOp, DataType)), ids=lambda v: v.name)
def test_the_engine_takes_exactly_the_pairs_that_were_recorded_not_to_trap(op, data_type):
    assert is_legal(op, data_type) == (PAIRS.get((op.name.lower(), int(data_type)), 715) is None)


def test_every_pair_of_operation_and_hopper_type_was_recorded():
    assert len(PAIRS) == len(ReduceOp) * 13


def as_number(bits, width, signed):
    return bits - (1 << width) if signed and bits >> width - 1 else bits


BY_PYTHON = {
    ReduceOp.ADD: lambda a, b: a + b,
    ReduceOp.MIN: min,
    ReduceOp.MAX: max,
    ReduceOp.AND: lambda a, b: a & b,
    ReduceOp.OR: lambda a, b: a | b,
    ReduceOp.XOR: lambda a, b: a ^ b,
    ReduceOp.INC: lambda a, b: 0 if a >= b else a + 1,
    ReduceOp.DEC: lambda a, b: b if a == 0 or a > b else a - 1,
}


@pytest.mark.parametrize(
    ("op", "data_type"), [(o, t) for o, t in product(ReduceOp, INTEGERS) if is_legal(o, t)], ids=lambda v: v.name
)
def test_integers_reduce_as_python_computes_them_and_wrap(op, data_type):
    width, signed = INTEGERS[data_type]
    numbers = [
        n % 2**width for n in (0, 1, 2, 5, -1, -2, 2 ** (width - 1), 2 ** (width - 1) - 1, 0x5A5A, 3 << width - 3)
    ]
    pairs = list(product(numbers, numbers))
    expected = [BY_PYTHON[op](as_number(a, width, signed), as_number(b, width, signed)) % 2**width for a, b in pairs]
    assert apply(op, data_type, pairs) == expected


@pytest.mark.parametrize("data_type", FORMATS, ids=lambda t: t.name)
def test_floats_add_exactly_rounded_to_nearest_even(data_type):
    kind = FORMATS[data_type]
    pairs = list(product(kind.specials(), kind.specials()))
    assert apply(ReduceOp.ADD, data_type, pairs) == [kind.added(a, b) for a, b in pairs]


@pytest.mark.parametrize("data_type", FORMATS, ids=lambda t: t.name)
def test_random_floats_add_exactly_rounded_to_nearest_even(data_type):
    kind = FORMATS[data_type]
    numbers = np.random.default_rng(7).integers(0, 2**kind.width, (1000, 2), np.uint64)
    near = numbers.copy()
    near[:, 1] = (near[:, 0] & ~np.uint64((4 << kind.kept) - 1)) | (near[:, 1] & np.uint64((4 << kind.kept) - 1))
    pairs = [(int(a), int(b)) for a, b in np.concatenate([numbers, near])]
    assert apply(ReduceOp.ADD, data_type, pairs) == [kind.added(a, b) for a, b in pairs]


@pytest.mark.parametrize("data_type", FLUSHING, ids=lambda t: t.name)
def test_ftz_types_flush_subnormal_operands_and_results_to_a_zero_of_their_sign(data_type):
    kind = FORMATS[DataType.FLOAT32]

    def flushed(bits):
        return bits & kind.sign if not bits & kind.infinity else bits

    pairs = list(product(kind.specials(), kind.specials()))
    expected = [flushed(kind.added(flushed(a), flushed(b))) for a, b in pairs]
    assert apply(ReduceOp.ADD, data_type, pairs) == expected
    least, next_up = 0x00800000, 0x00800001
    assert apply(ReduceOp.ADD, data_type, [(next_up, least | kind.sign)]) == [0]


def test_float64_adds_exactly_where_no_nan_is_near():
    numbers = [bits for bits in DOUBLE.specials() if not DOUBLE.is_nan(bits)]
    pairs = [p for p in product(numbers, numbers) if None not in map(DOUBLE.value, p)]
    assert apply(ReduceOp.ADD, DataType.FLOAT64, pairs) == [DOUBLE.added(a, b) for a, b in pairs]


def test_a_float64_nan_comes_through_unchanged_the_operands_before_the_memorys():
    quiet, signalling, one = 0x7FF8000000000123, 0xFFF0000000000001, 0x3FF0000000000000
    assert apply(ReduceOp.ADD, DataType.FLOAT64, [(quiet, one), (one, signalling), (quiet, signalling)]) == [
        quiet,
        signalling,
        signalling,
    ]


def test_infinity_minus_infinity_makes_the_negative_quiet_nan_in_float64():
    infinity = DOUBLE.infinity
    assert apply(ReduceOp.ADD, DataType.FLOAT64, [(infinity, infinity | DOUBLE.sign)]) == [0xFFF8000000000000]


@pytest.mark.parametrize("op", [ReduceOp.MIN, ReduceOp.MAX], ids=lambda o: o.name)
@pytest.mark.parametrize("data_type", [DataType.FLOAT16, DataType.BFLOAT16], ids=lambda t: t.name)
def test_min_and_max_order_minus_zero_below_zero_and_prefer_a_number_to_nan(op, data_type):
    kind = FORMATS[data_type]

    def key(bits):
        value = kind.value(bits)
        infinite = -1 if bits & kind.sign else 1
        return (infinite, 0, 0) if value is None else (0, value, 0 if bits & kind.sign else 1)

    def chosen(a, b):
        numbers = [bits for bits in (a, b) if not kind.is_nan(bits)]
        return BY_PYTHON[op](*numbers, key=key) if len(numbers) == 2 else (numbers or [0x7FFF])[0]

    pairs = list(product(kind.specials(), kind.specials()))
    assert apply(op, data_type, pairs) == [chosen(a, b) for a, b in pairs]


@pytest.mark.parametrize("data_type", [DataType.FLOAT16, DataType.BFLOAT16], ids=lambda t: t.name)
def test_min_and_max_of_a_16_bit_pattern_with_itself_is_itself_or_the_one_nan(data_type):
    kind, every = FORMATS[data_type], [(bits, bits) for bits in range(1 << 16)]
    expected = [0x7FFF if kind.is_nan(bits) else bits for bits, _ in every]
    assert apply(ReduceOp.MIN, data_type, every) == expected
    assert apply(ReduceOp.MAX, data_type, every) == expected


@pytest.mark.parametrize("data_type", [DataType.FLOAT16, DataType.BFLOAT16], ids=lambda t: t.name)
def test_adding_zero_leaves_every_16_bit_pattern_or_gives_the_one_nan(data_type):
    kind, every = FORMATS[data_type], [(bits, 0) for bits in range(1 << 16)]
    expected = [0x7FFF if kind.is_nan(bits) else 0 if bits == kind.sign else bits for bits, _ in every]
    assert apply(ReduceOp.ADD, data_type, every) == expected
