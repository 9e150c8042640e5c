"""A recorded row and the encode call that it describes, either way. Needs no CUDA."""

from ctypes import c_int, c_uint32, c_uint64
from typing import Any

from ..model.tensor_map import CALLS, SHORTER_THAN_RANK, TensorMap

Row = dict[str, Any]
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


def tensor_map_of(row: dict[str, Any]) -> TensorMap:
    """The call that a recorded row describes; arrays longer than the rank are cut to it."""
    rank, values = row["rank"], {}
    for name in ARGUMENTS[row["api"]]:
        if name != "rank":
            wanted = max(rank - SHORTER_THAN_RANK.get(name, 0), 0)
            values[name] = row[name][:wanted] if isinstance(row[name], list) else row[name]
    tensor_map: TensorMap = CALLS[row["api"]](**values)
    return tensor_map


def row_of(tensor_map: TensorMap) -> dict[str, Any]:
    """The call as a recorded row spells it."""
    row: dict[str, Any] = {"api": tensor_map.api}
    for name, kind in ARGUMENTS[tensor_map.api].items():
        value = getattr(tensor_map, name)
        row[name] = list(value) if isinstance(kind, list) else int(value)
    return row
