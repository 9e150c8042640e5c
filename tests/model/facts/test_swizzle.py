"""Swizzle maps shared-memory addresses onto themselves. Small domains are exhausted: every address below 4096."""

import numpy as np
import pytest

from course_lib import NotMeasured, Swizzle
from course_lib.model.facts.limits import SWIZZLE_SPAN_BYTES
from course_lib.model.facts.swizzle import PATTERNS, pattern_of

MODES = [pytest.param(mode, id=mode.name) for mode in PATTERNS]
ADDRESSES = np.arange(4096)
ATOM_BYTES = {Swizzle.B128_ATOM_32B: 32, Swizzle.B128_ATOM_64B: 64}


def by_lines_and_units(mode, address):
    """An independent statement: in line n of 128 bytes, unit u of an atom's size moves to u XOR n, within the span."""
    span, atom = SWIZZLE_SPAN_BYTES[mode] or 16, ATOM_BYTES.get(mode, 16)
    base, within = address // span * span, address % span
    line = address // 128 % (span // atom)
    return base + (within // atom ^ line) * atom + within % atom


@pytest.mark.parametrize("mode", MODES)
def test_every_address_goes_where_line_and_unit_say(mode):
    assert pattern_of(mode)(ADDRESSES).tolist() == [by_lines_and_units(mode, int(a)) for a in ADDRESSES]


@pytest.mark.parametrize("mode", MODES)
def test_twice_is_nothing(mode):
    pattern = pattern_of(mode)
    assert np.array_equal(pattern(pattern(ADDRESSES)), ADDRESSES)


@pytest.mark.parametrize("mode", MODES)
def test_an_integer_goes_where_an_array_entry_goes(mode):
    pattern = pattern_of(mode)
    assert [pattern(int(a)) for a in ADDRESSES] == pattern(ADDRESSES).tolist()


@pytest.mark.parametrize("mode", MODES)
def test_every_unit_stays_whole_and_in_its_128_byte_line(mode):
    moved = pattern_of(mode)(ADDRESSES)
    assert np.array_equal(moved % 16, ADDRESSES % 16)
    assert np.array_equal(moved // 128, ADDRESSES // 128)


@pytest.mark.parametrize("mode", MODES)
def test_the_pattern_starts_anew_at_its_repeat_and_not_before(mode):
    pattern = pattern_of(mode)
    shape = pattern(ADDRESSES) - ADDRESSES
    repeat = pattern.repeat_bytes
    assert np.array_equal(shape[repeat:], shape[:-repeat])
    assert mode == Swizzle.NONE or not np.array_equal(shape[repeat // 2 :], shape[: -repeat // 2])


@pytest.mark.parametrize(
    ("mode", "repeat"), [(Swizzle.NONE, 16), (Swizzle.B32, 256), (Swizzle.B64, 512), (Swizzle.B128, 1024)]
)
def test_the_repeat_is_the_documents(mode, repeat):
    assert pattern_of(mode).repeat_bytes == repeat


def test_the_pattern_is_keyed_to_the_address_not_to_the_row_of_the_box():
    pattern = pattern_of(Swizzle.B128)
    row_0_at_0, row_0_at_128 = pattern(np.arange(0, 128, 16)), pattern(np.arange(128, 256, 16)) - 128
    assert row_0_at_0.tolist() == [0, 16, 32, 48, 64, 80, 96, 112]
    assert row_0_at_128.tolist() == [16, 0, 48, 32, 80, 64, 112, 96]


def test_none_leaves_every_address():
    assert np.array_equal(pattern_of(Swizzle.NONE)(ADDRESSES), ADDRESSES)


@pytest.mark.parametrize("mode", [Swizzle.B128_ATOM_32B_FLIP_8B, 99])
def test_a_mode_that_nobody_describes_is_not_guessed(mode):
    with pytest.raises(NotMeasured, match="8-byte halves"):
        pattern_of(mode)
