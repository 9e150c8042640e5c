"""Each rule at its threshold: the last value that the driver takes, and the first that it refuses for that rule alone."""

from dataclasses import replace

import pytest

from course_lib import Im2colTensorMap, Im2colWideTensorMap, TiledTensorMap
from course_lib.model.judge import RULES

B16, B32 = 1, 2
TILED = TiledTensorMap(
    data_type=0, global_address=4096, global_dim=(1024,) * 3, global_strides=(1024, 2**20), box_dim=(32, 4, 4)
)
IM2COL = Im2colTensorMap(
    data_type=0,
    global_address=4096,
    global_dim=(64, 100, 100, 4),
    global_strides=(64, 6400, 640_000),
    pixel_box_lower_corner=(0, 0),
    pixel_box_upper_corner=(0, 0),
    channels_per_pixel=32,
    pixels_per_column=8,
)
WIDE = Im2colWideTensorMap(
    data_type=0,
    global_address=4096,
    global_dim=(64, 100, 4),
    global_strides=(64, 6400),
    pixel_box_lower_corner_width=0,
    pixel_box_upper_corner_width=0,
    channels_per_pixel=32,
    pixels_per_column=8,
)
SHAPES = {  # of another rank, each array as long as it must be
    rank: {"global_dim": (1024,) * rank, "global_strides": (1024,) * (rank - 1), "element_strides": (1,) * rank}
    for rank in range(1, 7)
}


def tiled(rank, **changed):
    return {"box_dim": (32,) + (2,) * (rank - 1), **SHAPES[rank], **changed}


def pixels(rank, lower=0, upper=0, **changed):
    corners = {"pixel_box_lower_corner": (lower,) * (rank - 2), "pixel_box_upper_corner": (upper,) * (rank - 2)}
    return {**SHAPES[rank], **corners, **changed}


THRESHOLDS = [  # rule, legal call, last change taken, first change refused
    ("data-type-is-known", TILED, {"data_type": 12}, {"data_type": 16}),
    ("data-type-is-known", TILED, {"data_type": 0}, {"data_type": -1}),
    ("data-type-on-target", TILED, {"data_type": 12}, {"data_type": 13}),
    ("data-type-on-target", IM2COL, {"data_type": 9}, {"data_type": 15, "channels_per_pixel": 128}),
    ("rank-is-in-range", TILED, tiled(5), tiled(6)),
    ("rank-is-in-range", TILED, tiled(3, interleave=B16), tiled(2, interleave=B16)),
    ("rank-is-in-range", IM2COL, pixels(5), pixels(6)),
    ("rank-is-in-range", IM2COL, pixels(3), pixels(2)),
    ("rank-is-in-range", WIDE, SHAPES[5], SHAPES[6]),
    ("rank-is-in-range", WIDE, SHAPES[3], SHAPES[2]),
    ("address-is-in-range", TILED, {"global_address": 2**57 - 16}, {"global_address": 2**57}),
    ("address-is-in-range", TILED, {"global_address": 0}, {"global_address": -16}),
    ("address-is-aligned", TILED, {"global_address": 4112}, {"global_address": 4104}),
    ("address-is-aligned", TILED, {"global_address": 4112, "interleave": B16}, {"global_address": 4097}),
    (
        "address-is-aligned",
        TILED,
        {"global_address": 4128, "interleave": B32},
        {"global_address": 4112, "interleave": B32},
    ),
    ("dimensions-are-in-range", TILED, {"global_dim": (2**32, 4, 4)}, {"global_dim": (2**32 + 1, 4, 4)}),
    ("dimensions-are-in-range", TILED, {"global_dim": (4, 4, 1)}, {"global_dim": (4, 4, 0)}),
    ("strides-are-in-range", TILED, {"global_strides": (1024, 2**40 - 16)}, {"global_strides": (1024, 2**40)}),
    ("strides-are-in-range", TILED, {"global_strides": (0, 0)}, {"global_strides": (-16, 0)}),
    ("strides-are-aligned", TILED, {"global_strides": (1040, 16)}, {"global_strides": (1032, 16)}),
    (
        "strides-are-aligned",
        TILED,
        {"global_strides": (32, 64), "interleave": B32},
        {"global_strides": (32, 48), "interleave": B32},
    ),
    ("box-dim-is-in-range", TILED, {"box_dim": (256, 1, 256)}, {"box_dim": (256, 1, 257)}),
    ("box-dim-is-in-range", TILED, {"box_dim": (32, 1, 1)}, {"box_dim": (32, 0, 1)}),
    ("inner-row-is-whole-units", TILED, {"box_dim": (48, 1, 1)}, {"box_dim": (40, 1, 1)}),
    (
        "inner-row-is-whole-units",
        TILED,
        {"box_dim": (48, 1, 1), "interleave": B16},
        {"box_dim": (40, 1, 1), "interleave": B16},
    ),
    ("inner-row-is-whole-units", TILED, {"data_type": 4, "box_dim": (2, 1, 1)}, {"data_type": 4, "box_dim": (1, 1, 1)}),
    ("inner-row-is-whole-units", IM2COL, {"channels_per_pixel": 16}, {"channels_per_pixel": 24}),
    (
        "inner-row-is-whole-units",
        WIDE,
        {"data_type": 6, "channels_per_pixel": 8},
        {"data_type": 6, "channels_per_pixel": 4},
    ),
    ("inner-row-fits-swizzle", TILED, {"swizzle": 1}, {"swizzle": 1, "box_dim": (48, 1, 1)}),
    ("inner-row-fits-swizzle", TILED, {"swizzle": 2, "box_dim": (64, 1, 1)}, {"swizzle": 2, "box_dim": (80, 1, 1)}),
    ("inner-row-fits-swizzle", TILED, {"swizzle": 3, "box_dim": (128, 1, 1)}, {"swizzle": 3, "box_dim": (144, 1, 1)}),
    (
        "inner-row-fits-swizzle",
        TILED,
        {"swizzle": 1, "box_dim": (48, 1, 1), "interleave": B16},
        {"swizzle": 1, "box_dim": (48, 1, 1)},
    ),
    ("inner-row-fits-swizzle", IM2COL, {"swizzle": 1}, {"swizzle": 1, "channels_per_pixel": 48}),
    (
        "inner-row-fits-swizzle",
        WIDE,
        {"swizzle": 2, "channels_per_pixel": 64},
        {"swizzle": 2, "channels_per_pixel": 80},
    ),
    ("box-fits-the-engine", TILED, {"box_dim": (256, 16, 57)}, {"box_dim": (240, 7, 139)}),
    (
        "box-fits-the-engine",
        TILED,
        {"box_dim": (256, 33, 57), "element_strides": (1, 2, 1)},
        {"box_dim": (256, 34, 57), "element_strides": (1, 2, 1)},
    ),
    (
        "box-fits-the-engine",
        TILED,
        {"box_dim": (256, 32, 57), "element_strides": (2, 1, 1)},
        {"box_dim": (256, 33, 57), "element_strides": (2, 1, 1)},
    ),
    ("element-strides-are-in-range", TILED, {"element_strides": (8, 8, 8)}, {"element_strides": (9, 8, 8)}),
    ("element-strides-are-in-range", TILED, {"element_strides": (1, 1, 1)}, {"element_strides": (1, 1, 0)}),
    ("element-strides-are-in-range", IM2COL, {"element_strides": (8, 1, 1, 1)}, {"element_strides": (1, 1, 9, 1)}),
    ("interleave-is-known", TILED, {"interleave": 2}, {"interleave": 3}),
    ("swizzle-is-known", TILED, {"swizzle": 3}, {"swizzle": 7}),
    ("swizzle-on-target", TILED, {"swizzle": 3}, {"swizzle": 4}),
    ("swizzle-on-target", TILED, {"swizzle": 2}, {"swizzle": 6}),
    ("swizzle-on-target", IM2COL, {"swizzle": 1}, {"swizzle": 5}),
    ("swizzle-on-target", WIDE, {"swizzle": 0}, {"swizzle": 4}),
    ("l2-promotion-is-known", TILED, {"l2_promotion": 3}, {"l2_promotion": 4}),
    ("oob-fill-is-known", TILED, {"oob_fill": 0}, {"oob_fill": 2}),
    ("nan-fill-needs-a-float", TILED, {"oob_fill": 1, "data_type": 6}, {"oob_fill": 1, "data_type": 5}),
    ("nan-fill-needs-a-float", IM2COL, {"oob_fill": 1, "data_type": 12}, {"oob_fill": 1}),
    ("pixel-box-lower-corner-is-in-range", IM2COL, pixels(3, -(2**15)), pixels(3, -(2**15) - 1)),
    ("pixel-box-lower-corner-is-in-range", IM2COL, pixels(4, 127), pixels(4, 128)),
    ("pixel-box-lower-corner-is-in-range", IM2COL, pixels(5, -16), pixels(5, -17)),
    ("pixel-box-upper-corner-is-in-range", IM2COL, pixels(3, 0, 2**15 - 1), pixels(3, 0, 2**15)),
    ("pixel-box-upper-corner-is-in-range", IM2COL, pixels(4, 0, -128), pixels(4, 0, -129)),
    ("pixel-box-upper-corner-is-in-range", IM2COL, pixels(5, 0, 15), pixels(5, 0, 16)),
    (
        "pixel-box-lower-corner-width-is-in-range",
        WIDE,
        {"pixel_box_lower_corner_width": -(2**15)},
        {"pixel_box_lower_corner_width": -(2**15) - 1},
    ),
    (
        "pixel-box-upper-corner-width-is-in-range",
        WIDE,
        {**SHAPES[5], "pixel_box_upper_corner_width": 15},
        {**SHAPES[5], "pixel_box_upper_corner_width": 16},
    ),
    ("pixel-box-is-not-empty", IM2COL, {"pixel_box_upper_corner": (-99, 0)}, {"pixel_box_upper_corner": (-100, 0)}),
    ("pixel-box-is-not-empty", IM2COL, {"pixel_box_lower_corner": (0, 99)}, {"pixel_box_lower_corner": (0, 100)}),
    ("pixel-box-is-not-empty", IM2COL, {"global_dim": (64, 2**31 - 1, 9, 4)}, {"global_dim": (64, 2**31, 9, 4)}),
    ("pixel-box-is-not-empty", IM2COL, {"global_dim": (64, 100, 9, 2**31)}, {"global_dim": (64, 9, 2**32, 4)}),
    (
        "pixel-box-is-not-empty",
        IM2COL,
        {"interleave": B16, "global_dim": (9, 9, 2**32, 4)},
        {"interleave": B16, "global_dim": (2**32, 9, 9, 4)},
    ),
    ("pixel-box-is-not-empty", WIDE, {"pixel_box_upper_corner_width": -99}, {"pixel_box_upper_corner_width": -100}),
    ("channels-are-in-range", IM2COL, {"channels_per_pixel": 256}, {"channels_per_pixel": 272}),
    ("channels-are-in-range", WIDE, {"channels_per_pixel": 16}, {"channels_per_pixel": 0}),
    ("pixels-are-in-range", IM2COL, {"pixels_per_column": 1024}, {"pixels_per_column": 1025}),
    ("pixels-are-in-range", WIDE, {"pixels_per_column": 1}, {"pixels_per_column": 0}),
    (
        "column-fits-the-engine",
        IM2COL,
        {"channels_per_pixel": 256, "pixels_per_column": 912},
        {"channels_per_pixel": 256, "pixels_per_column": 913},
    ),
    ("wide-mode-is-known", WIDE, {"wide_mode": 1}, {"wide_mode": 2}),
]
OTHER_TARGETS_ONLY = {
    "packed-dimension-is-whole-groups",
    "packed-row-is-128-elements",
    "packed-6-bit-takes-no-interleave",
    "packed-swizzle-is-listed",
    "interleave-32b-takes-swizzle-32b",
}


def ids(m, target="sm_90"):
    return [broken.id for broken in m.check(target).broken]


@pytest.mark.parametrize("call", [TILED, IM2COL, WIDE], ids=lambda m: m.api)
def test_the_call_that_is_changed_is_legal(call):
    assert ids(call) == []


@pytest.mark.parametrize(
    ("rule", "call", "taken", "refused"), THRESHOLDS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_rule_takes_the_last_legal_value_and_refuses_the_next(rule, call, taken, refused):
    assert ids(replace(call, **taken)) == []
    assert ids(replace(call, **refused)) == [rule]


def test_every_rule_has_a_threshold_here():
    known = {rule.id for rules in RULES.values() for rule in rules}
    assert known == {row[0] for row in THRESHOLDS} | OTHER_TARGETS_ONLY


@pytest.mark.parametrize(
    ("rule", "call", "taken", "refused"), THRESHOLDS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_broken_rule_tells_field_value_limit_source_and_a_sentence(rule, call, taken, refused):
    m = replace(call, **refused)
    (broken,) = m.check().broken
    value = getattr(m, broken.field)
    assert broken.value == (value if broken.index is None else value[broken.index])
    assert broken.message.startswith(f"{broken.field}{'' if broken.index is None else f'[{broken.index}]'} = ")
    assert broken.source.startswith(("documented: ", "measured: "))
    assert broken.limit is not None


LIMITS = {  # what each rule says it allows, where that is the same for all calls
    "data-type-is-known": tuple(range(16)),
    "data-type-on-target": "sm_100",
    "address-is-in-range": 2**57,
    "dimensions-are-in-range": (1, 2**32),
    "strides-are-in-range": 2**40,
    "box-dim-is-in-range": (1, 256),
    "inner-row-is-whole-units": 16,
    "box-fits-the-engine": 233_472,
    "column-fits-the-engine": 233_472,
    "element-strides-are-in-range": (1, 8),
    "interleave-is-known": (0, 1, 2),
    "swizzle-is-known": tuple(range(7)),
    "swizzle-on-target": (0, 1, 2, 3),
    "l2-promotion-is-known": (0, 1, 2, 3),
    "oob-fill-is-known": (0, 1),
    "nan-fill-needs-a-float": 0,
    "pixel-box-is-not-empty": 1,
    "channels-are-in-range": (1, 256),
    "pixels-are-in-range": (1, 1024),
    "wide-mode-is-known": (0, 1),
}
LIMITS_OF_CALLS = {"rank-is-in-range", "address-is-aligned", "strides-are-aligned", "inner-row-fits-swizzle"}


@pytest.mark.parametrize(
    ("rule", "call", "taken", "refused"), THRESHOLDS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_broken_rule_tells_what_it_allows(rule, call, taken, refused):
    m = replace(call, **refused)
    (broken,) = m.check().broken
    corners = {f"pixel-box-{side}-corner{w}-is-in-range" for side in ("lower", "upper") for w in ("", "-width")}
    if rule in corners:
        assert broken.limit == {3: (-(2**15), 2**15 - 1), 4: (-128, 127), 5: (-16, 15)}[m.rank]
    elif rule in LIMITS_OF_CALLS:
        least = 1 if m.api == "tiled" and not m.interleave else 3
        step, span = 32 if m.interleave == B32 else 16, {1: 32, 2: 64, 3: 128}.get(m.swizzle)
        assert broken.limit == {"rank": (least, 5), "address": step, "strides": step, "inner": span}[rule.split("-")[0]]
    else:
        assert broken.limit == LIMITS[rule]


def test_every_offending_entry_is_named():
    (broken,) = replace(TILED, box_dim=(32, 0, 257)).check().broken
    assert broken.message == "box_dim[1] = 0, box_dim[2] = 257: a box dimension must be 1 to 256 elements"
    assert (broken.index, broken.value, broken.limit) == (1, 0, (1, 256))


def test_every_broken_rule_is_named_in_the_order_of_the_arguments():
    m = replace(TILED, data_type=99, global_address=1, global_dim=(0, 1, 1), box_dim=(0, 1, 1), swizzle=9, oob_fill=5)
    assert ids(m) == [
        "data-type-is-known",
        "address-is-aligned",
        "dimensions-are-in-range",
        "box-dim-is-in-range",
        "swizzle-is-known",
        "oob-fill-is-known",
    ]


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
]


@pytest.mark.parametrize(("rule", "call", "taken", "refused"), NEWER, ids=lambda v: v if isinstance(v, str) else "")
def test_by_the_documents_a_later_target_takes_the_one_and_refuses_the_other(rule, call, taken, refused):
    assert ids(replace(call, **taken), "sm_100") == []
    assert ids(replace(call, **refused), "sm_100") == [rule]


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
