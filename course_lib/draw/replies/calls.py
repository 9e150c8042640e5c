"""The call behind a tensor map, in Python and in C, as it can be copied into a program."""

from dataclasses import fields
from typing import Any

from course_lib.model.call.tensor_map import ENUMERATIONS, Call

DEFAULTS = {"element_strides", "interleave", "swizzle", "l2_promotion", "oob_fill"}
C_PREFIX = {  # of the enumerator, of the type
    "data_type": ("CU_TENSOR_MAP_DATA_TYPE_", "CUtensorMapDataType"),
    "interleave": ("CU_TENSOR_MAP_INTERLEAVE_", "CUtensorMapInterleave"),
    "swizzle": ("CU_TENSOR_MAP_SWIZZLE_", "CUtensorMapSwizzle"),
    "l2_promotion": ("CU_TENSOR_MAP_L2_PROMOTION_", "CUtensorMapL2promotion"),
    "oob_fill": ("CU_TENSOR_MAP_FLOAT_OOB_FILL_", "CUtensorMapFloatOOBfill"),
    "wide_mode": ("CU_TENSOR_MAP_IM2COL_WIDE_MODE_", "CUtensorMapIm2ColWideMode"),
}
C_ARRAYS = {  # our name → (the driver's type, the driver's name)
    "global_dim": ("cuuint64_t", "globalDim"),
    "global_strides": ("cuuint64_t", "globalStrides"),
    "box_dim": ("cuuint32_t", "boxDim"),
    "element_strides": ("cuuint32_t", "elementStrides"),
    "pixel_box_lower_corner": ("int", "pixelBoxLowerCorner"),
    "pixel_box_upper_corner": ("int", "pixelBoxUpperCorner"),
}


def python_call(m: Call) -> str:
    """The call as Python; arguments that have their default are left out."""
    named = [(name, value) for name, value in arguments(m) if not (name in DEFAULTS and is_default(name, value))]
    lines = [f"    {name}={python_value(name, value)},\n" for name, value in named]
    return f"{type(m).__name__}(\n{''.join(lines)})"


def c_call(m: Call) -> str:
    """The driver call in C; `tensorMap` is a CUtensorMap."""
    arrays, words = [], []
    for name, value in arguments(m):
        if name in C_ARRAYS:
            kind, own = C_ARRAYS[name]
            arrays.append(f"{kind} {own}[] = {{{', '.join(map(str, value)) or '0'}}};\n")
            words.append(own)
        else:
            words.append(c_value(name, value))
    words.insert(1, str(m.rank))
    inside = ",\n    ".join(["&tensorMap", *words])
    return f"{''.join(arrays)}CUresult result = {m.entry_point}(\n    {inside});"


def arguments(m: Call) -> list[tuple[str, Any]]:
    """Name and value of each argument, in the driver's order."""
    return [(field.name, getattr(m, field.name)) for field in fields(m)]


def is_default(name: str, value: Any) -> bool:
    """Is it what the call takes when it is left out?"""
    return set(value) <= {1} if name == "element_strides" else int(value) == 0


def python_value(name: str, value: Any) -> str:
    """A value as Python source."""
    if name in ENUMERATIONS:
        return f"{type(value).__name__}.{value.name}" if hasattr(value, "name") else str(value)
    return hex(value) if name == "global_address" else repr(value)


def c_value(name: str, value: Any) -> str:
    """A value that is no array as C source."""
    if name in C_PREFIX:
        prefix, kind = C_PREFIX[name]
        return prefix + c_name(value.name) if hasattr(value, "name") else f"({kind}){value}"
    return f"(void *)0x{value:x}" if name == "global_address" else str(value)


def c_name(name: str) -> str:
    """An enumerator's name as the driver spells it: ours begin with a letter where the driver's begin with a digit."""
    if name[0] == "B" and name[1].isdigit():
        span, _, rest = name[1:].partition("_")
        return f"{span}B{'_' + rest if rest else ''}"
    return f"16{name[0]}{name[1]}{name[5:]}" if name[2:5] == "X16" else name
