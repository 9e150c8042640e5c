"""What the driver lets through and the copy then gets wrong: each caution speaks on one side of its threshold only."""

from dataclasses import replace

import pytest

from course_lib import DeviceFault, Im2colTensorMap, TiledTensorMap, load
from course_lib.model.rules.cautions import CAUTIONS
from course_lib.recordings import committed, read_rows
from course_lib.recordings.replay.kinds import kind_of
from tests.model import thresholds
from tests.model.memories import zeros

TILED = TiledTensorMap(
    data_type=0, global_address=4096, global_dim=(64,) * 3, global_strides=(64, 4096), box_dim=(32, 4, 4)
)
WIDE = replace(thresholds.WIDE, swizzle=2)
PIXELS = Im2colTensorMap(
    data_type=0,
    global_address=4096,
    global_dim=(64, 100, 4),
    global_strides=(64, 6400),
    pixel_box_lower_corner=(0,),
    pixel_box_upper_corner=(0,),
    channels_per_pixel=256,
    pixels_per_column=8,
)
PACKETS = {"interleave": 2, "box_dim": (32, 1, 4), "swizzle": 1}
LARGE = {  # steps of 8 that the descriptor counts down and the copy up: 2 x 2 x 4 x 256 rows
    "global_dim": (64,) * 5,
    "global_strides": (64,) * 4,
    "element_strides": (1, 8, 8, 8, 1),
}
THRESHOLDS = [  # caution, call, change that is silent, change that is warned of, and the limit that it names
    ("null-address", TILED, {"global_address": 16}, {"global_address": 0}, "memory that is there"),
    (
        "swizzled-address-off-128",
        TILED,
        {"global_address": 4096 + 16},
        {"global_address": 4096 + 16, "swizzle": 1},
        128,
    ),
    (
        "swizzled-address-off-128",
        PIXELS,
        {"swizzle": 3, "channels_per_pixel": 64},
        {"global_address": 4096 + 64, "swizzle": 3, "channels_per_pixel": 64},
        128,
    ),
    ("dimension-beyond-coordinates", TILED, {"global_dim": (64, 2**31, 4)}, {"global_dim": (64, 2**31 + 1, 4)}, 2**31),
    ("store-spills-past-the-row", TILED, {"global_dim": (48, 4, 4)}, {"global_dim": (47, 4, 4)}, 16),
    (
        "store-spills-past-the-row",
        TILED,
        {**PACKETS, "global_dim": (47, 4, 4)},
        {"data_type": 6, "global_dim": (1, 4, 4)},
        16,
    ),
    ("slice-box-is-ignored", replace(TILED, interleave=1), {"box_dim": (32, 1, 4)}, {"box_dim": (32, 2, 4)}, 1),
    (
        "barrier-cannot-count-the-copy",
        TILED,
        LARGE | {"box_dim": (240, 9, 9, 25, 256)},
        LARGE | {"box_dim": (256, 9, 9, 25, 256)},
        2**20 - 1,
    ),
    ("box-exceeds-shared-memory", TILED, {"box_dim": (256, 227, 4)}, {"box_dim": (256, 57, 16)}, 232_448),
    ("box-exceeds-shared-memory", PIXELS, {"pixels_per_column": 908}, {"pixels_per_column": 909}, 232_448),
    ("inner-element-stride-is-ignored", TILED, {"element_strides": (1, 2, 2)}, {"element_strides": (2, 1, 1)}, 1),
    ("interleave-32b-without-swizzle-32b", replace(TILED, **PACKETS), {"swizzle": 1}, {"swizzle": 0}, 1),
    ("wide-swizzle-is-not-documented", WIDE, {"swizzle": 3}, {"swizzle": 1}, (2, 3, 4)),
]
EXPECTED_BESIDE = {"wide-call-before-sm-100"}  # every wide call on sm_90


def warned(m, target="sm_90"):
    return {caution.id for caution in m.check(target).warnings} - EXPECTED_BESIDE


@pytest.mark.parametrize(("caution", "call", "silent", "spoken", "limit"), THRESHOLDS)
def test_a_caution_is_silent_up_to_its_threshold_and_speaks_past_it(caution, call, silent, spoken, limit):
    assert caution not in warned(replace(call, **silent))
    assert replace(call, **spoken).check().accepted, "a caution speaks of calls that the driver takes"
    assert warned(replace(call, **spoken)) == {caution}


@pytest.mark.parametrize(("caution", "call", "silent", "spoken", "limit"), THRESHOLDS)
def test_a_caution_tells_field_value_and_limit(caution, call, silent, spoken, limit):
    m = replace(call, **spoken)
    (told,) = [c for c in m.check().warnings if c.id == caution]
    value = getattr(m, told.field)
    assert told.limit == limit
    assert told.value == (value if told.index is None else value[told.index])
    place = "" if told.index is None else f"[{told.index}]"
    assert told.message.startswith(f"{told.field}{place} = ")


@pytest.mark.parametrize("target", ["sm_90", "sm_100"])
def test_the_size_of_a_column_is_told_by_its_pixels(target):
    m = replace(PIXELS, data_type=8, oob_fill=0, pixels_per_column=112 if target == "sm_90" else 1024)
    told = [(c.id, c.field) for c in m.check(target).warnings]
    expected = {"sm_90": [], "sm_100": [("barrier-cannot-count-the-copy", "pixels_per_column")]}
    assert m.check(target).accepted
    assert told == expected[target]


def test_every_caution_is_tried():
    assert {rule.id for rule in CAUTIONS} == {row[0] for row in THRESHOLDS} | EXPECTED_BESIDE


@pytest.mark.parametrize(
    ("target", "spoken"), [("sm_90", True), ("sm_90a", True), ("sm_100", False), ("sm_120", False)]
)
def test_the_wide_call_is_warned_of_on_hopper_alone(target, spoken):
    assert ("wide-call-before-sm-100" in {c.id for c in WIDE.check(target).warnings}) == spoken


def test_recorded_copies_under_a_swizzle_are_right_at_addresses_off_128():
    through = [r for r in read_rows(committed("load.jsonl.xz")) if r["swizzle"] and r["global_address"] % 128]
    assert len(through) > 1000
    assert {kind_of(row).compare(row).differing == [] for row in through[:100]} == {True}


def test_a_plain_map_has_no_warnings():
    assert TILED.check().warnings == ()


def test_a_tensor_that_is_not_there_is_encoded_and_faults_when_it_is_read():
    m = replace(TILED, global_address=2**40)
    assert m.check().accepted
    with pytest.raises(DeviceFault) as fault:
        load(m, (0, 0, 0), zeros(4096), zeros(4096))
    assert fault.value.code == 700
