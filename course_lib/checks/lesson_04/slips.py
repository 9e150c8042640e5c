"""What went wrong with addresses, views and counts, where that is plain: one sentence each, empty where it is not."""

from math import prod
from typing import Any

from course_lib.model.call.sizes import ceil_div, descriptor_box_bytes, element_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType


def address_slip(got: tuple[int, int], right: tuple[int, int], m: TiledTensorMap) -> str:
    """What went wrong with the addresses, where that is plain."""
    if got[0] == right[0] - m.global_address:
        return "The tensor begins at global_address."
    if got[1] * element_bytes(m) == right[1] != got[1]:
        return "Yours counts elements in the box; wanted are bytes."
    return "In the box the rows lie close, without the tensor's row pitch." if got[0] == right[0] else ""


def dimension_slip(got: tuple[int, ...], right: TiledTensorMap) -> str:
    """What went wrong with the dimensions, where that is plain."""
    return "The innermost dimension comes first." if got == tuple(right.global_dim)[::-1] else ""


def stride_slip(got: tuple[int, ...], right: TiledTensorMap) -> str:
    """What went wrong with the strides, where that is plain."""
    wanted, size = tuple(right.global_strides), DataType(right.data_type).size_bytes
    if tuple(size * stride for stride in got) == wanted:
        return "Yours counts elements; wanted are bytes."
    return "The innermost stride comes first." if got == wanted[::-1] else "They are the view's own, not dense ones."


def map_slip(name: str, got: TiledTensorMap, right: TiledTensorMap) -> str:
    """What went wrong with an argument, where that is plain."""
    if name == "global_address":
        return "It is the distance of the view's first element from the start of the memory, in bytes."
    reversed_ = name in ("global_dim", "box_dim") and getattr(got, name) == getattr(right, name)[::-1]
    return "The innermost dimension comes first." if reversed_ else ""


def why_slip(array: Any, address: int, right: str) -> str:
    """Why the right word is right."""
    return {
        "": "Nothing stands in its way.",
        "last axis": f"Its last axis steps by {array.strides[-1:]} bytes; an element has {array.itemsize}.",
        "start": f"It starts {address % 16} bytes past a multiple of 16.",
        "stride": f"One of {array.strides[:-1]} is no multiple of 16, or negative.",
    }[right]


def count_slip(got: int, m: TiledTensorMap) -> str:
    """What went wrong with the count, where that is plain."""
    size, pairs = element_bytes(m), list(zip(m.box_dim, m.element_strides, strict=True))
    slips = {
        descriptor_box_bytes(m): "Yours is rounded down, as the descriptor's word is; the copy rounds up.",
        size * prod(ceil_div(box, step) for box, step in pairs): "The copy ignores element_strides[0].",
        size * prod(m.box_dim): "Each box entry but the first is divided by its element stride.",
        transaction_bytes(m) // size: "Yours counts elements; wanted are bytes.",
    }
    return slips.get(got, "")
