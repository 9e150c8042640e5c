"""Calls on both sides of each rule's threshold: the last values that the driver takes, and the first that it refuses."""

from course_lib import Im2colTensorMap, Im2colWideTensorMap, TiledTensorMap

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
