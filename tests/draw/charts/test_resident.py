"""The picture of the blocks on an SM: as many boxes as blocks, and the least marked."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw import resident_picture
from course_lib.model.cost.occupancy import occupancy

BLOCKS = [(128, 168, 48 * 1024), (32, 16, 0), (1024, 128, 0), (256, 32, 16 * 1024), (64, 255, 100 * 1024)]


def boxes(picture, resource):
    group = picture.svg.split(f'data-resource="{resource}"')[1].split("</g>")[0]
    return group.count("<rect"), group.count("#0b4f8a")


@pytest.mark.parametrize("block", BLOCKS)
def test_each_resource_has_a_box_for_each_block_that_it_allows(block):
    found = occupancy(*block)
    picture = resident_picture(found)
    assert len(picture.svg) < 60_000
    ElementTree.fromstring(picture.standalone)
    for resource, allowed in found.allowed.items():
        drawn, marked = boxes(picture, resource)
        assert drawn == min(allowed, 32)
        assert bool(marked) == (resource in found.limited_by and allowed > 0)


def test_the_words_name_the_limit_and_the_share():
    lines = resident_picture(occupancy(128, 168, 48 * 1024)).text.splitlines()
    assert lines[1] == "3 blocks of 4 warps: 12 of 64 warps, 19%. The limit: registers."
    assert lines[2:] == ["blocks: 32 blocks", "warps: 16 blocks", "registers: 3 blocks", "shared memory: 4 blocks"]


def test_one_block_is_one_block():
    assert "shared memory: 1 block\n" in resident_picture(occupancy(32, 32, 200 * 1024)).text + "\n"
