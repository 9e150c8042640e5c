"""fma.oob knows the fill as a factor, whatever its sign, and makes the whole result 0; nothing else knows it."""

import pytest

from course_lib.recordings import RecordingError
from course_lib.recordings.times.fmas import recorded_fma

FILL, ONE = 0x7FF7, {"f16x2": 0x3C00, "bf16x2": 0x3F80}


@pytest.mark.parametrize("form", ONE)
def test_the_result_is_zero_exactly_where_a_factor_is_the_fill_of_either_sign(form):
    plain, oob = recorded_fma(f"fma.rn.{form}"), recorded_fma(f"fma.rn.oob.{form}")
    assert len(plain) == len(oob) == 15**3
    for (a, b, c), result in oob.items():
        assert result == (0 if FILL in (a & 0x7FFF, b & 0x7FFF) else plain[a, b, c])


@pytest.mark.parametrize("form", ONE)
def test_as_an_addend_and_to_an_ordinary_fma_the_fill_is_a_nan(form):
    one = ONE[form]
    assert recorded_fma(f"fma.rn.oob.{form}")[one, one, FILL] == 0x7FFF
    assert recorded_fma(f"fma.rn.{form}")[FILL, one, one] == 0x7FFF


def test_to_a_float32_fma_both_halves_of_the_fill_are_a_nan():
    results = recorded_fma("fma.rn.f32")
    assert {result for operands, result in results.items() if 0x7FF77FF7 in operands} == {0x7FFFFFFF}


def test_an_unknown_instruction_is_refused_with_those_that_there_are():
    with pytest.raises(RecordingError, match=r"op='mad': there are fma.rn.f16x2, fma.rn.oob.f16x2"):
        recorded_fma("mad")
