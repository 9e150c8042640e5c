"""Calls that the driver accepts, of each kind and rank."""

from course_lib import DataType, Im2colTensorMap, Im2colWideTensorMap, L2Promotion, Swizzle, TiledTensorMap

TILED = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000100,
    global_dim=(1024, 256),
    global_strides=(2048,),
    box_dim=(64, 8),
    swizzle=Swizzle.B128,
    l2_promotion=L2Promotion.L2_256B,
)
LINE = TiledTensorMap(
    data_type=DataType.FLOAT64,
    global_address=16,
    global_dim=(9,),
    global_strides=(),
    box_dim=(2,),
    element_strides=(1,),
)
CUBE = TiledTensorMap(
    data_type=DataType.TFLOAT32,
    global_address=0x7F0000000000,
    global_dim=(64, 32, 16, 8, 4),
    global_strides=(256, 8192, 2**36 + 16, 2**37),
    box_dim=(8, 4, 2, 2, 1),
    element_strides=(1, 2, 1, 1, 1),
)
IMAGE = {"data_type": DataType.FLOAT16, "global_address": 0x7F0000000100, "channels_per_pixel": 64}
IM2COL = Im2colTensorMap(
    **IMAGE,
    global_dim=(64, 32, 32, 8),
    global_strides=(128, 4096, 131072),
    pixel_box_lower_corner=(-1, -1),
    pixel_box_upper_corner=(1, 1),
    pixels_per_column=128,
)
IM2COL_3 = Im2colTensorMap(
    **IMAGE,
    global_dim=(64, 32, 8),
    global_strides=(128, 4096),
    pixel_box_lower_corner=(-9,),
    pixel_box_upper_corner=(9,),
    pixels_per_column=16,
)
WIDE_5 = Im2colWideTensorMap(
    **IMAGE,
    global_dim=(64, 32, 32, 8, 2),
    global_strides=(128, 4096, 131072, 1048576),
    pixel_box_lower_corner_width=-1,
    pixel_box_upper_corner_width=1,
    pixels_per_column=32,
)
CALLS = [TILED, LINE, CUBE, IM2COL, IM2COL_3, WIDE_5]
