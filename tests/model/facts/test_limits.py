"""The numbers of the machine by target."""

import pytest

from course_lib import DataType, Swizzle
from course_lib.model.facts import limits
from course_lib.model.facts.limits import HOPPER, TARGETS, target_named


def test_the_documented_numbers_are_the_documents():
    assert (limits.DESCRIPTOR_BYTES, limits.RANK_MAX, limits.STRIDE_UNIT_BYTES) == (128, 5, 16)
    assert (limits.BOX_DIM_MAX, limits.ELEMENT_STRIDE_MAX) == (256, 8)
    assert (limits.CHANNELS_MAX, limits.PIXELS_MAX) == (256, 1024)
    assert limits.TRANSACTION_COUNT_MAX == 2**20 - 1
    assert limits.SHARED_MEMORY_PER_BLOCK_BYTES == 232_448


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_goes_by_its_name(name):
    assert target_named(name).name == name
    assert target_named(name).label.startswith(name)


def test_hopper_lacks_the_packed_types_and_the_newer_swizzles():
    assert set(DataType) - HOPPER.data_types == {t for t in DataType if t.is_packed}
    assert set(Swizzle) - HOPPER.swizzles == {m for m in Swizzle if m > Swizzle.B128}


@pytest.mark.parametrize("limit", [HOPPER.dimension_max, HOPPER.address_limit, HOPPER.box_bytes_max])
def test_what_was_bisected_says_where(limit):
    assert limit.source == "measured: NVIDIA H200, driver 580.159.04"
