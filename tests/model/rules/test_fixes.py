"""A fix is the legal value nearest to the one asked for, of the argument that the rule is about where that can mend it."""

from dataclasses import replace

import pytest

from course_lib import DataType, Interleave, Swizzle
from tests.model.thresholds import IM2COL, TILED

PLANE = {"global_dim": (64, 8), "global_strides": (64,), "element_strides": (1, 1)}
CUBE = {"global_dim": (1024,) * 4, "global_strides": (1024, 2**20, 2**30), "element_strides": (1,) * 4}
NEAREST = [  # call, what is asked, the fixes in order
    (TILED, {"global_address": 4105}, {"global_address": 4112}),
    (TILED, {"global_address": 4111, "interleave": 2}, {"global_address": 4128}),
    (TILED, {"global_address": 2**57 + 5}, {"global_address": 2**57 - 16}),
    (TILED, {"global_address": 2**57 - 5}, {"global_address": 2**57 - 16}),
    (TILED, {"global_address": -5}, {"global_address": 0}),
    (TILED, {"global_dim": (0, 2**33, 5)}, {"global_dim": (1, 2**32, 5)}),
    (TILED, {"global_strides": (1001, 40)}, {"global_strides": (1008, 48)}),
    (TILED, {"global_strides": (1001, 40), "interleave": 2}, {"global_strides": (1024, 64)}),
    (TILED, {"global_strides": (-5, 2**41)}, {"global_strides": (0, 2**40 - 16)}),
    (TILED, {"box_dim": (17, 4, 4)}, {"box_dim": (32, 4, 4)}),
    (TILED, {"box_dim": (300, 0, 4)}, {"box_dim": (256, 1, 4)}),
    (TILED, {"box_dim": (250, 1, 4)}, {"box_dim": (256, 1, 4)}),
    (TILED, {"box_dim": (0, 1, 4)}, {"box_dim": (16, 1, 4)}),
    (TILED, {"box_dim": (5, 4, 4), "data_type": DataType.FLOAT64}, {"box_dim": (6, 4, 4)}),
    (TILED, {"box_dim": (200, 1, 4), "swizzle": Swizzle.B64}, {"box_dim": (64, 1, 4)}),
    (TILED, {"box_dim": (120, 1, 4), "swizzle": Swizzle.B64}, {"box_dim": (64, 1, 4)}),
    (TILED, {"box_dim": (40, 1, 4), "swizzle": Swizzle.B64, "interleave": 1}, {"box_dim": (48, 1, 4)}),
    (TILED, {"box_dim": (256, 256, 4)}, {"box_dim": (256, 228, 4)}),
    (TILED, {"box_dim": (256, 4, 256)}, {"box_dim": (256, 4, 228)}),
    (TILED, {"box_dim": (256, 256, 256)}, {"box_dim": (256, 3, 256)}),
    (TILED, {"box_dim": (256, 256, 32), "element_strides": (1, 1, 4)}, {"box_dim": (256, 114, 32)}),
    (TILED, {"box_dim": (256, 32, 250), "element_strides": (1, 1, 4)}, {"box_dim": (256, 32, 112)}),
    (TILED, {**CUBE, "box_dim": (256, 256, 256, 256)}, {"box_dim": (256, 1, 3, 256)}),
    (TILED, {"box_dim": (256, 229, 32), "element_strides": (1, 1, 20)}, {"element_strides": (8, 8, 8)}),
    (TILED, {"element_strides": (0, 20, 3)}, {"element_strides": (1, 8, 3)}),
    (TILED, {"interleave": 9}, {"interleave": Interleave.NONE}),
    (TILED, {**PLANE, "box_dim": (32, 4), "interleave": 1}, {"interleave": Interleave.NONE}),
    (TILED, {"swizzle": 6}, {"swizzle": Swizzle.B128}),
    (TILED, {"swizzle": 6, "box_dim": (128, 1, 1)}, {"swizzle": Swizzle.B128}),
    (TILED, {"swizzle": 6, "box_dim": (256, 1, 1)}, {"box_dim": (128, 1, 1), "swizzle": Swizzle.B128}),
    (TILED, {"swizzle": 99, "box_dim": (256, 1, 1)}, {"swizzle": Swizzle.NONE}),
    (TILED, {"data_type": 99}, {"data_type": DataType.UINT8}),
    (TILED, {"data_type": 99, "box_dim": (8, 1, 1)}, {"data_type": DataType.UINT16}),
    (TILED, {"data_type": 99, "box_dim": (4, 1, 1)}, {"data_type": DataType.UINT32}),
    (TILED, {"data_type": 99, "box_dim": (2, 1, 1)}, {"data_type": DataType.UINT64}),
    (TILED, {"data_type": 99, "oob_fill": 1, "box_dim": (8, 1, 1)}, {"data_type": DataType.FLOAT16}),
    (TILED, {"oob_fill": 1}, {"oob_fill": 0}),
    (TILED, {"l2_promotion": 7, "oob_fill": 3}, {"l2_promotion": 0, "oob_fill": 0}),
    (TILED, {"data_type": 13, "box_dim": (0, 256, 128), "swizzle": 2}, {"data_type": 0, "box_dim": (32, 57, 128)}),
    (IM2COL, {"channels_per_pixel": 300}, {"channels_per_pixel": 256}),
    (IM2COL, {"channels_per_pixel": 0}, {"channels_per_pixel": 16}),
    (IM2COL, {"channels_per_pixel": 17, "data_type": 6}, {"channels_per_pixel": 24}),
    (IM2COL, {"channels_per_pixel": 250, "pixels_per_column": 933}, {"channels_per_pixel": 240}),
    (IM2COL, {"channels_per_pixel": 70, "swizzle": 2}, {"channels_per_pixel": 64}),
    (IM2COL, {"pixels_per_column": 2000}, {"pixels_per_column": 1024}),
    (IM2COL, {"pixels_per_column": 2000, "channels_per_pixel": 256}, {"pixels_per_column": 912}),
    (IM2COL, {"pixels_per_column": -3}, {"pixels_per_column": 1}),
    (IM2COL, {"pixel_box_lower_corner": (-300, 5)}, {"pixel_box_lower_corner": (-128, 5)}),
    (IM2COL, {"pixel_box_upper_corner": (3, 500)}, {"pixel_box_upper_corner": (3, 127)}),
    (IM2COL, {"global_dim": (64, 2**31, 9, 4)}, {"global_dim": (64, 2**30, 9, 4)}),
    (IM2COL, {"pixel_box_lower_corner": (100, 0)}, {"pixel_box_upper_corner": (100, 0)}),
    (IM2COL, {"pixel_box_upper_corner": (-100, 0)}, {"pixel_box_upper_corner": (0, 0)}),
]


@pytest.mark.parametrize(("call", "asked", "fixes"), NEAREST)
def test_the_fixes_are_the_nearest_legal_values(call, asked, fixes):
    verdict = replace(call, **asked).check()
    assert dict(filter(None, (broken.fix for broken in verdict.broken))) == fixes
    assert verdict.mended == replace(call, **asked | fixes)


@pytest.mark.parametrize(
    ("asked", "fixes"),
    [
        ({"interleave": 2, "swizzle": 3}, {"swizzle": Swizzle.B32}),
        ({"data_type": 13, "global_dim": (1023, 4, 4)}, {"global_dim": (1024, 4, 4)}),
        ({"data_type": 14, "global_dim": (100, 4, 4), "box_dim": (128, 1, 1)}, {"global_dim": (128, 4, 4)}),
        ({"data_type": 14, "box_dim": (32, 1, 1)}, {"box_dim": (128, 1, 1)}),
        ({"data_type": 15, "box_dim": (128, 1, 1), "swizzle": 2}, {"swizzle": Swizzle.B128}),
        ({"data_type": 14, "box_dim": (128, 1, 1), "global_address": 4112}, {"global_address": 4128}),
        ({"data_type": 14, "box_dim": (128, 1, 1), "global_strides": (1040, 64)}, {"global_strides": (1056, 64)}),
        ({"box_dim": (300, 256, 256)}, {"box_dim": (256, 256, 256)}),
        ({"global_dim": (2**32, 4, 4)}, {"global_dim": (2**31, 4, 4)}),
    ],
)
def test_by_the_documents_a_later_target_has_its_own_nearest_values(asked, fixes):
    verdict = replace(TILED, **asked).check("sm_100")
    assert dict(filter(None, (broken.fix for broken in verdict.broken))) == fixes
    assert verdict.mended == replace(TILED, **asked | fixes)
