"""By the documents: each rule at its threshold on the targets after Hopper. Nobody measured these here."""

from dataclasses import replace

import pytest

from tests.model.thresholds import B16, B32, SHAPES, TILED, WIDE


def ids(m, target="sm_90"):
    return [broken.id for broken in m.check(target).broken]


NEWER = [  # target sm_100, by the documents: rule, legal call there, change taken, change refused
    ("interleave-32b-takes-swizzle-32b", TILED, {"interleave": B32, "swizzle": 1}, {"interleave": B32, "swizzle": 2}),
    ("packed-dimension-is-whole-groups", TILED, {"data_type": 13}, {"data_type": 13, "global_dim": (1023, 4, 4)}),
    (
        "packed-dimension-is-whole-groups",
        TILED,
        {"data_type": 14, "box_dim": (128, 1, 1)},
        {"data_type": 14, "box_dim": (128, 1, 1), "global_dim": (1000, 4, 4)},
    ),
    (
        "packed-row-is-128-elements",
        TILED,
        {"data_type": 15, "box_dim": (128, 1, 1)},
        {"data_type": 15, "box_dim": (64, 1, 1)},
    ),
    (
        "packed-6-bit-takes-no-interleave",
        TILED,
        {"data_type": 14, "box_dim": (128, 1, 1), "interleave": B16},
        {"data_type": 15, "box_dim": (128, 1, 1), "interleave": B16},
    ),
    (
        "packed-swizzle-is-listed",
        TILED,
        {"data_type": 15, "box_dim": (128, 1, 1), "swizzle": 6},
        {"data_type": 14, "box_dim": (128, 1, 1), "swizzle": 6},
    ),
    ("dimensions-are-in-range", TILED, {"global_dim": (2**31, 4, 4)}, {"global_dim": (2**31 + 1, 4, 4)}),
    ("address-is-in-range", TILED, {"global_address": 2**64 - 16}, {"global_address": 2**64}),
    (
        "address-is-aligned",
        TILED,
        {"data_type": 14, "box_dim": (128, 1, 1)},
        {"data_type": 14, "box_dim": (128, 1, 1), "global_address": 4112},
    ),
    ("swizzle-on-target", WIDE, {"swizzle": 4}, {"swizzle": 5}),
    ("swizzle-on-target", WIDE, {"swizzle": 2}, {"swizzle": 1}),
    (
        "pixel-box-lower-corner-width-is-in-range",
        replace(WIDE, swizzle=3),
        {**SHAPES[5], "pixel_box_lower_corner_width": -(2**15)},
        {**SHAPES[5], "pixel_box_lower_corner_width": -(2**15) - 1},
    ),
    (  # sm_90 computes the box in 32 bits, and refuses both
        "pixel-box-is-not-empty",
        replace(WIDE, swizzle=3),
        {"global_dim": (64, 2**31, 4)},
        {"global_dim": (64, 4, 4), "pixel_box_lower_corner_width": 4},
    ),
]


@pytest.mark.parametrize(("rule", "call", "taken", "refused"), NEWER, ids=lambda v: v if isinstance(v, str) else "")
def test_by_the_documents_a_later_target_takes_the_one_and_refuses_the_other(rule, call, taken, refused):
    assert ids(replace(call, **taken), "sm_100") == []
    assert ids(replace(call, **refused), "sm_100") == [rule]


def test_the_pixel_box_of_two_to_the_31_is_empty_on_sm_90_alone():
    m = replace(WIDE, swizzle=3, global_dim=(64, 2**31, 4))
    (broken,) = m.check().broken
    assert broken.message.endswith("is (-2147483648,) (in 32 bits); each must be 1 or more")
    assert ids(m, "sm_100") == []


@pytest.mark.parametrize(
    ("data_type", "takes"),
    [(13, {0, 1, 2, 3, 4, 5, 6}), (14, {0, 3, 4}), (15, {0, 3, 4, 6})],
    ids=["U4", "U4 of 16", "U6"],
)
def test_by_the_documents_a_packed_type_takes_its_listed_swizzles(data_type, takes):
    packed = replace(TILED, data_type=data_type, box_dim=(128, 1, 1) if data_type > 13 else (32, 1, 1))
    assert {mode for mode in range(7) if ids(replace(packed, swizzle=mode), "sm_100") == []} == takes


@pytest.mark.parametrize("swizzle", range(7))
def test_by_the_documents_a_later_target_has_every_swizzle(swizzle):
    assert ids(replace(TILED, swizzle=swizzle), "sm_120") == []


def test_by_the_documents_a_later_target_knows_no_cap_of_the_box():
    assert ids(replace(TILED, box_dim=(256, 256, 256)), "sm_100") == []


def test_by_the_documents_a_later_target_takes_broken_rows_with_interleave():
    assert ids(replace(TILED, box_dim=(40, 1, 1), interleave=B16), "sm_100") == []


def test_by_the_documents_packed_rows_count_in_bits():
    assert ids(replace(TILED, data_type=13, box_dim=(32, 1, 1)), "sm_100") == []
    assert ids(replace(TILED, data_type=13, box_dim=(16, 1, 1)), "sm_100") == ["inner-row-is-whole-units"]
