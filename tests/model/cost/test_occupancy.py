"""Blocks on an SM: the least of four divisions, and every answer that an H200's driver gave."""

import pytest

from course_lib.model.cost.occupancy import occupancy, warps_by_registers
from course_lib.recordings.times.listings import resident_launches


def test_the_driver_named_as_many_blocks_for_every_recorded_launch():
    launches = resident_launches()
    assert len(launches) == 191
    assert [launch for launch in launches if launch.modelled.blocks != launch.blocks] == []


@pytest.mark.parametrize("resource", ["blocks", "warps", "registers", "shared memory"])
def test_each_resource_alone_limits_some_recorded_launch(resource):
    assert any(launch.modelled.limited_by == (resource,) for launch in resident_launches())


def test_registers_are_given_by_quarters_of_the_sm():
    assert warps_by_registers(42) == 4 * 10
    assert occupancy(64, 42).blocks == 20
    assert occupancy(1024, 64).blocks == 1
    assert warps_by_registers(64) == 32


@pytest.mark.parametrize(
    ("registers", "warps"), [(32, 64), (33, 48), (40, 48), (128, 16), (129, 12), (168, 12), (255, 8)]
)
def test_a_warp_gets_its_registers_in_units_of_256(registers, warps):
    assert warps_by_registers(registers) == warps


def test_a_kib_is_kept_for_every_block():
    assert occupancy(32, 32, 227 * 1024).blocks == 1
    assert occupancy(32, 32, 113 * 1024).blocks == 2
    assert occupancy(32, 32, 114 * 1024).blocks == 1


def test_a_part_of_a_warp_is_a_warp():
    assert occupancy(200, 32).warps_a_block == 7
    assert occupancy(33, 32).warps == 2 * occupancy(33, 32).blocks


def test_no_block_is_held_where_its_registers_are_too_many():
    found = occupancy(1024, 128)
    assert (found.blocks, found.share, found.limited_by) == (0, 0.0, ("registers",))


def test_more_of_anything_never_holds_more_blocks():
    for registers in range(1, 255):
        assert occupancy(96, registers + 1).blocks <= occupancy(96, registers).blocks
    for threads in range(1, 1024):
        assert occupancy(threads + 1, 40).blocks <= occupancy(threads, 40).blocks


@pytest.mark.parametrize(
    "numbers", [(0, 32, 0), (1025, 32, 0), (32, 0, 0), (32, 256, 0), (32, 32, -1), (32, 32, 232449)]
)
def test_a_number_out_of_range_is_refused(numbers):
    with pytest.raises(ValueError, match=r"(threads|registers|shared_bytes) = "):
        occupancy(*numbers)
