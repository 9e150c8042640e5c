"""The arguments of an encode call as controls, one for each number, and back."""

from collections.abc import Iterator
from dataclasses import fields
from math import prod
from typing import Any

from course_lib.draw.replies.calls import arguments
from course_lib.model.call.sizes import ceil_div
from course_lib.model.call.tensor_map import CALLS, ENUMERATIONS, SHORTER_THAN_RANK, Call
from course_lib.model.facts.limits import (
    BOX_DIM_MAX,
    CHANNELS_MAX,
    ELEMENT_STRIDE_MAX,
    PIXELS_MAX,
    RANK_MAX,
    STRIDE_UNIT_BYTES,
)
from course_lib.widgets.skeleton.controls import Control

KINDS = [("tiled", "tiled"), ("im2col", "im2col"), ("im2col_wide", "im2col, wide")]
RANKS = (1, RANK_MAX)
ARRAYS = ("global_dim", *SHORTER_THAN_RANK)
SLIDERS = {  # arguments whose whole range fits on a slider
    "box_dim": (1, BOX_DIM_MAX),
    "element_strides": (1, ELEMENT_STRIDE_MAX),
    "channels_per_pixel": (1, CHANNELS_MAX),
    "pixels_per_column": (1, PIXELS_MAX),
}
UNITS = {"global_dim": "elements", "global_strides": "bytes", "box_dim": "elements", "element_strides": "elements"}
STEPS = {"global_strides": STRIDE_UNIT_BYTES}
GROUPS = {
    "The tensor": ("data_type", "global_address", "global_dim", "global_strides"),
    "The rest": ("interleave", "wide_mode", "swizzle", "l2_promotion", "oob_fill"),
}
BOX = "The box"


def names_of(call: Call | type[Call]) -> tuple[str, ...]:
    """The arguments of a call or of its class, in the driver's order."""
    return tuple(field.name for field in fields(call))


def values_of(m: Call) -> dict[str, Any]:
    """What the controls of a call show; entry i of an array is called name_i, the address is a text."""
    values: dict[str, Any] = {"kind": m.api, "rank": m.rank}
    for name, value in arguments(m):
        if name in ARRAYS:
            values |= {f"{name}_{i}": entry for i, entry in enumerate(value)}
        else:
            values[name] = hex(value) if name == "global_address" else int(value)
    return values


def call_of(values: dict[str, Any]) -> Any:
    """The call that the controls stand for. ValueError where the address is no number."""
    call, rank = CALLS[values["kind"]], values["rank"]
    given: dict[str, Any] = {}
    for name in names_of(call):
        if name in ARRAYS:
            length = max(rank - SHORTER_THAN_RANK.get(name, 0), 0)
            given[name] = [values[f"{name}_{i}"] for i in range(length)]
        else:
            given[name] = address_of(values[name]) if name == "global_address" else values[name]
    return call(**given)


def address_of(text: Any) -> int:
    """An address as a number: decimal, or hexadecimal behind 0x."""
    return int(text, 0) if isinstance(text, str) else int(text)


def controls_of(m: Call) -> Iterator[Control]:
    """A control for each argument, in the driver's order, framed by what it belongs to."""
    yield Control("kind", "select", "the call", options=KINDS, group="The tensor")
    yield Control("rank", "range", "rank", low=RANKS[0], high=RANKS[1], group="The tensor")
    for name, value in arguments(m):
        if name in ARRAYS:
            yield from (_control(f"{name}_{i}", f"{name}[{i}]", name) for i in range(len(value)))
        else:
            yield _control(name, name, name)


def resize_call(values: dict[str, Any], kind: str, rank: int) -> dict[str, Any]:
    """The same call with another rank or of another kind: what is new is one element, or dense."""
    call = CALLS[kind]
    wide = kind != "tiled"
    rank = min(max(rank, 3 if wide else 1), RANK_MAX)
    dims = [values.get(f"global_dim_{i}", 1) for i in range(rank)]
    row = values.get("global_strides_0", STRIDE_UNIT_BYTES * ceil_div(dims[0], 8))
    first = {f"global_dim_{i}": dim for i, dim in enumerate(dims)}
    first |= {f"global_strides_{i}": row * prod(dims[1 : i + 1]) for i in range(rank - 1)}
    first |= {f"box_dim_{i}": 1 for i in range(rank)} | {f"element_strides_{i}": 1 for i in range(rank)}
    first |= {name: 0 for name in names_of(call) if name in ENUMERATIONS or name not in ARRAYS}
    first |= {f"pixel_box_{side}_corner_{i}": 0 for side in ("lower", "upper") for i in range(rank - 2)}
    first |= {"channels_per_pixel": values.get("box_dim_0", 1), "pixels_per_column": values.get("box_dim_1", 1)}
    first |= {"box_dim_0": values.get("channels_per_pixel", 1), "box_dim_1": values.get("pixels_per_column", 1)}
    kept = first | {name: value for name, value in values.items() if name in first} | {"kind": kind, "rank": rank}
    return values_of(call_of(kept))


def _control(name: str, label: str, argument: str) -> Control:
    group = next((title for title, names in GROUPS.items() if argument in names), BOX)
    if argument in ENUMERATIONS:
        options = [(int(member), f"{member.name} ({int(member)})") for member in ENUMERATIONS[argument]]
        return Control(name, "select", label, options=options, group=group)
    if argument == "global_address":
        return Control(name, "text", label, unit="bytes", group=group)
    unit, step = UNITS.get(argument, ""), STEPS.get(argument, 1)
    if argument in SLIDERS:
        low, high = SLIDERS[argument]
        return Control(name, "range", label, unit, low, high, group=group)
    return Control(name, "number", label, unit, low=0 if argument in UNITS else None, step=step, group=group)
