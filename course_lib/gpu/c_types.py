"""The C types of the three encode calls' arguments, in the driver's order; [type] is an array. Needs no CUDA.

Source: CUDA Driver API 13.5, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col, cuTensorMapEncodeIm2colWide.
"""

from ctypes import c_int, c_uint32, c_uint64
from typing import Any

U32, U64, INT = c_uint32, c_uint64, c_int
TAIL = {"interleave": U32, "swizzle": U32, "l2_promotion": U32, "oob_fill": U32}
HEAD = {"data_type": U32, "rank": U32, "global_address": U64, "global_dim": [U64], "global_strides": [U64]}
COLUMN = {"channels_per_pixel": U32, "pixels_per_column": U32, "element_strides": [U32]}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "tiled": HEAD | {"box_dim": [U32], "element_strides": [U32]} | TAIL,
    "im2col": HEAD | {"pixel_box_lower_corner": [INT], "pixel_box_upper_corner": [INT]} | COLUMN | TAIL,
    "im2col_wide": HEAD
    | {"pixel_box_lower_corner_width": INT, "pixel_box_upper_corner_width": INT}
    | COLUMN
    | {"interleave": U32, "wide_mode": U32, "swizzle": U32, "l2_promotion": U32, "oob_fill": U32},
}
