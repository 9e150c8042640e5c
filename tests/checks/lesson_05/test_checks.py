"""The checks of exercise 05, proved four ways: untouched, mistaken, solved, and solved in other words."""

import numpy as np
import pytest

from course_lib import DataType
from course_lib.checks.lesson_05 import checks as lesson_05
from course_lib.checks.lesson_05.elements import H200, recorded_roundings, roundings
from course_lib.checks.lesson_05.type_choices import SIZES, choice_picture, types_for
from tests.checks.four_ways import FourWays, pictures_of

# Task 1: rounding to TF32


def tf32_of(bits):
    return 0x7FFFE000 if bits & 0x7FFFFFFF > 0x7F800000 else bits + 0xFFF + (bits >> 13 & 1) & 0xFFFFE000


def tf32_by_halves(bits):
    kept, rest = divmod(int(bits), 0x2000)
    if (kept & 0x3FFFF, rest > 0) > (0x3FC00, False):
        return np.uint32(0x7FFFE000)
    up = rest > 0x1000 or (rest == 0x1000 and kept % 2 == 1)
    return np.int64(kept + up) * 0x2000


def cut_off(bits):
    return bits & 0xFFFFE000


def ties_away(bits):
    return 0x7FFFE000 if bits & 0x7FFFFFFF > 0x7F800000 else bits + 0x1000 & 0xFFFFE000


def nan_kept(bits):
    return bits if bits & 0x7FFFFFFF > 0x7F800000 else tf32_of(bits)


def subnormals_flushed(bits):
    return bits & 0x80000000 if bits & 0x7F800000 == 0 else tf32_of(bits)


def as_float(bits):
    return np.uint32(tf32_of(bits)).view(np.float32)


TF32_MISTAKES = [
    (lambda bits: bits, "The lowest 13 bits are 0 afterwards."),
    (cut_off, "0x3f801fff: you have 0x3f800000, the model has 0x3f802000. Yours is cut off; the nearest is taken."),
    (
        ties_away,
        "the H200 has 0x190e8000. It is a tie: the neighbour whose bit 13 is 0 is taken.",
        "First difference: bit 13; 1 bit in all.",
    ),
    (nan_kept, "Every NaN becomes 0x7fffe000."),
    (subnormals_flushed, "Subnormals and zeros are rounded like all others."),
    (as_float, "wanted are its bits, as an integer"),
    (lambda bits: "0x3f800000", "not bits as an integer"),
    (lambda bits: bits + 0x100000000, "does not fit into 32 bits"),
]

# Task 2: the type for an array


def type_for(dtype, use):
    right = types_for(dtype, use)
    return right[0] if right else "none"


def another_type_for(dtype, use):
    right = types_for(dtype, use)
    return np.int64(right[-1]) if right else "none"


def by_name_alone(dtype, use):
    return DataType.__members__.get(dtype.upper(), "none")


def through_tf32(dtype, use):
    return DataType.TFLOAT32 if dtype == "float32" else type_for(dtype, use)


def by_size_alone(dtype, use):
    return types_for(dtype, "load")[0] if types_for(dtype, "load") else "none"


def through_ftz(dtype, use):
    return DataType.FLOAT32_FTZ if (dtype, use) == ("float32", "add") else type_for(dtype, use)


def int64_by_name(dtype, use):
    return DataType.INT64 if (dtype, use) == ("int64", "add") else type_for(dtype, use)


def minimum_unsigned(dtype, use):
    return DataType.UINT32 if (dtype, use) == ("int32", "min") else type_for(dtype, use)


TYPE_MISTAKES = [
    (by_name_alone, "int8 for load: you chose none. UINT8 does it."),
    (
        through_tf32,
        "float32 for load: you chose TFLOAT32. A load through TFLOAT32 rounds.",
        "First difference: float32 for load.",
    ),
    (by_size_alone, "you chose"),
    (through_ftz, "add on FLOAT32_FTZ is another arithmetic than that of float32."),
    (int64_by_name, "The engine has no add on INT64: it traps with 715."),
    (minimum_unsigned, "min on UINT32 is another arithmetic than that of int32."),
    (lambda dtype, use: DataType.UINT8, "uint16 for load: you chose UINT8. An element of uint16 has 2 bytes"),
    (lambda dtype, use: dtype.upper(), 'neither a DataType nor "none"'),
]

# Task 3: an addition


def float_of(bits):
    return np.array([bits], np.uint32).view(np.float32)[0]


def added(memory, operand, ftz, nan=0x7FFFFFFF, before=True, after=True):
    def flushed(bits, really=True):
        return bits & 0x80000000 if ftz and really and bits & 0x7F800000 == 0 else bits

    with np.errstate(all="ignore"):
        total = float_of(flushed(memory, before)) + float_of(flushed(operand, before))
    if np.isnan(total) and nan is not None:
        return nan
    return flushed(int(np.array([total]).view(np.uint32)[0]), after)


def added_in_float64(memory, operand, ftz):
    with np.errstate(all="ignore"):
        values = np.array([memory, operand], np.uint32).view(np.float32).astype(np.float64)
        if ftz:
            values[np.abs(values) < 2.0**-126] *= 0.0
        total = np.float32(values[0] + values[1])
    if ftz and 0 < abs(total) < 2.0**-126:
        total *= np.float32(0)
    return np.uint32(0x7FFFFFFF) if np.isnan(total) else total.view(np.uint32)


ADD_MISTAKES = [
    (lambda a, b, ftz: added(a, b, False), "FLOAT32_FTZ, memory"),
    (lambda a, b, ftz: added(a, b, True), "Nothing is flushed here."),
    (
        lambda a, b, ftz: added(a, b, ftz, nan=0x7FC00000),
        "Every sum that is a NaN is 0x7fffffff.",
        "First difference: bit 21; 22 bits in all.",
    ),
    (lambda a, b, ftz: added(a, b, ftz, before=False), "A subnormal counts as a zero of its sign, before and after."),
    (lambda a, b, ftz: added(a, b, ftz, after=False), "A subnormal counts as a zero of its sign, before and after."),
    (lambda a, b, ftz: a + b & 0xFFFFFFFF, "you have 0x7f000000, the H200 has 0x40000000"),
]

# Task 4: a maximum


def is_nan(bits, exponent):
    return bits & 0x7FFF > (1 << exponent) - 1 << 15 - exponent


def key(bits):
    return bits if bits < 0x8000 else 0x7FFF - bits


def maximum(memory, operand, exponent):
    numbers = [bits for bits in (memory, operand) if not is_nan(bits, exponent)]
    return max(numbers, key=key) if numbers else 0x7FFF


def maximum_by_cases(memory, operand, exponent):
    if is_nan(memory, exponent):
        return 0x7FFF if is_nan(operand, exponent) else np.int32(operand)
    if is_nan(operand, exponent):
        return memory
    if memory >> 15 != operand >> 15:
        return memory if operand >> 15 else operand
    return min(memory, operand) if memory >> 15 else max(memory, operand)


def maximum_with_nan(memory, operand, exponent):
    return 0x7FFF if is_nan(memory, exponent) or is_nan(operand, exponent) else max(memory, operand, key=key)


def first_of_two_nans(memory, operand, exponent):
    return memory if is_nan(memory, exponent) and is_nan(operand, exponent) else maximum(memory, operand, exponent)


def zeros_alike(memory, operand, exponent):
    return memory if {memory, operand} == {0, 0x8000} else maximum(memory, operand, exponent)


MAX_MISTAKES = [
    (lambda a, b, exponent: max(a, b), "the H200 has"),
    (maximum_with_nan, "A number wins over a NaN."),
    (first_of_two_nans, "Two NaN give 0x7fff."),
    (zeros_alike, "-0 lies below +0.", "First difference: bit 15; 1 bit in all."),
    (lambda a, b, exponent: maximum(a, b, 5), "BFLOAT16, memory"),
]

# Task 5: which type was it?

INTEGERS, KEPT, FLUSHED = (
    [DataType.UINT32, DataType.INT32],
    [DataType.FLOAT32, DataType.TFLOAT32],
    [DataType.FLOAT32_FTZ, DataType.TFLOAT32_FTZ],
)


def suspects(memory, operand, after):
    pairs = list(zip(memory, operand, strict=True))
    found = INTEGERS if [a + b & 0xFFFFFFFF for a, b in pairs] == after else []
    found = found + (KEPT if [added(a, b, False) for a, b in pairs] == after else [])
    return found + (FLUSHED if [added(a, b, True) for a, b in pairs] == after else [])


def suspects_by_removal(memory, operand, after):
    left = {int(t) for t in INTEGERS + KEPT + FLUSHED}
    for a, b, c in zip(memory, operand, after, strict=True):
        left -= set(map(int, INTEGERS)) if (a + b) % 2**32 != c else set()
        for types, ftz in ((KEPT, False), (FLUSHED, True)):
            left -= set(map(int, types)) if added_in_float64(a, b, ftz) != c else set()
    return left


def by_the_first_element(memory, operand, after):
    return suspects(memory[:1], operand[:1], after[:1])


def without_wrapping(memory, operand, after):
    return [t for t in suspects(memory, operand, after) if t not in INTEGERS or memory[0] + operand[0] == after[0]]


SUSPECT_MISTAKES = [
    (
        lambda *dump: suspects(*dump)[:1],
        "You say FLOAT32; right is FLOAT32, FLOAT32_FTZ, TFLOAT32, TFLOAT32_FTZ.",
        "First difference: FLOAT32_FTZ.",
    ),
    (lambda *dump: [t for t in suspects(*dump) if t not in INTEGERS], "right is UINT32, INT32, FLOAT32, TFLOAT32."),
    (lambda *dump: suspects(*dump) or INTEGERS, "You say UINT32, INT32; right is none."),
    (by_the_first_element, "You say"),
    (without_wrapping, "memory, what came, afterwards: [0xffffffff], [0x00000002], [0x00000001]. You say none"),
    (lambda *dump: DataType.FLOAT32, "not a collection of DataType"),
    (lambda *dump: [DataType.UINT8], "UINT8 is no type of 4 bytes."),
    (lambda *dump: np.array(7), "not a collection of DataType"),
]

TASKS = [
    (lesson_05.check_tf32_of, [tf32_of, tf32_by_halves], TF32_MISTAKES),
    (lesson_05.check_type_for, [type_for, another_type_for], TYPE_MISTAKES),
    (lesson_05.check_added, [added, added_in_float64], ADD_MISTAKES),
    (lesson_05.check_maximum, [maximum, maximum_by_cases], MAX_MISTAKES),
    (lesson_05.check_suspects, [suspects, suspects_by_removal], SUSPECT_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


@pytest.mark.parametrize(("check", "mistake", "line"), pictures_of(TASKS))
def test_the_first_difference_stands_last_below_the_picture(check, mistake, line):
    assert str(check(mistake)).endswith(line)


def test_most_roundings_that_are_asked_are_a_real_loads():
    asked = list(roundings(3))
    assert sum(question.by == H200 for question in asked) > 200
    assert len(recorded_roundings()) > 1000


def test_every_array_can_be_loaded_but_one_of_16_bytes():
    assert [dtype for dtype in SIZES if not types_for(dtype, "load")] == ["complex128"]
    assert "none" in str(choice_picture("complex128", "load", "FLOAT64"))
