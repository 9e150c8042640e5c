"""A row ⇄ the tensor map that it asked for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from course_lib.model.call.tensor_map import CALLS, SHORTER_THAN_RANK, Call, TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave, L2Promotion, OobFill, Swizzle
from course_lib.rows.row import RecordingError, Row


def argument_names(api: str) -> tuple[str, ...]:
    """The arguments of a call, in the driver's order."""
    return tuple(field.name for field in fields(CALLS[api]))


def tensor_map_of(row: Row) -> Call:
    """The tensor map of a row, its arrays cut to the rank. RecordingError where the row lacks an argument."""
    api, rank = row.get("api"), row.get("rank")
    if api not in CALLS or not isinstance(rank, int):
        raise RecordingError(f"a row needs api (one of {', '.join(CALLS)}) and rank; this one has {api!r} and {rank!r}")
    try:
        arguments = {name: cut(name, row[name], rank) for name in argument_names(api)}
    except KeyError as missing:
        raise RecordingError(f"a row of {api} needs {missing}") from None
    return CALLS[api](**arguments)


def tiled_map_of(row: Row) -> TiledTensorMap:
    """The tensor map of a tiled row. RecordingError where the row asks another call."""
    tensor_map = tensor_map_of(row)
    if not isinstance(tensor_map, TiledTensorMap):
        raise RecordingError(f"a tiled row is needed, not one of {row['api']}")
    return tensor_map


def cut(name: str, value: Any, rank: int) -> Any:
    """The entries that the call reads: as many as the rank, or the one or two fewer that the argument has."""
    if name != "global_dim" and name not in SHORTER_THAN_RANK:
        return value
    entries: Sequence[int] = value
    return entries[: max(rank - SHORTER_THAN_RANK.get(name, 0), 0)]


def row_of(tensor_map: Call) -> Row:
    """The row that asks for this tensor map: every argument as plain integers, in the driver's order."""
    row: Row = {"api": tensor_map.api}
    for name in argument_names(tensor_map.api):
        value = getattr(tensor_map, name)
        row[name] = list(value) if isinstance(value, tuple) else int(value)
        if name == "data_type":
            row["rank"] = tensor_map.rank
    return row


PROMOTIONS = dict(zip(("NONE", "64B", "128B", "256B"), L2Promotion, strict=True))
REPORT_NAMES: dict[str, Mapping[str, int]] = {
    "interleave": dict(zip(("NONE", "16B", "32B"), Interleave, strict=True)),
    "swizzle": {"NONE": Swizzle.NONE, "32B": Swizzle.B32, "64B": Swizzle.B64, "128B": Swizzle.B128},
    "l2_promotion": PROMOTIONS,
    "oob_fill": {"NONE": OobFill.NONE, "NAN": OobFill.NAN_REQUEST_ZERO_FMA},
}
REPORT_IM2COL = {
    "lower": "pixel_box_lower_corner",
    "upper": "pixel_box_upper_corner",
    "channels_per_pixel": "channels_per_pixel",
    "pixels_per_column": "pixels_per_column",
}


def tensor_map_of_report(row: Row) -> Call:
    """The call behind a public trouble report, which names enumerations as the driver's header does."""
    own = {REPORT_IM2COL[name]: value for name, value in row["im2col"].items()} if "im2col" in row else {}
    modes: Row = {name: numbers[row[name]] for name, numbers in REPORT_NAMES.items()}
    tensor_map: Call = CALLS[row["api"]](
        data_type=DataType[re.sub(r"^16U(\d)", r"U\1X16", row["dtype"])],
        global_address=int(row["address"], 16),
        **{name: row[name] for name in ("global_dim", "global_strides", "element_strides")},
        **modes,
        **(own or {"box_dim": row["box_dim"]}),
    )
    return tensor_map
