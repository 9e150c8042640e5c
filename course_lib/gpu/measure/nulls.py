"""Which pointers of an encode call may be null: each left out in turn of a call that is accepted with it."""

from collections.abc import Iterator
from ctypes import c_char
from typing import Any

from ...model.enums import DataType
from ...model.limits import DESCRIPTOR_BYTES
from ...model.tensor_map import Im2colTensorMap, TensorMap, TiledTensorMap
from ..child import Child, ChildFailed
from ..context import Gpu
from ..encode import TARGET, call
from ..rows import ARGUMENTS, Row, row_of, tensor_map_of


def calls() -> Iterator[TensorMap]:
    """Accepted calls: tiled of rank 1 and 2, im2col of rank 3."""
    shared: dict[str, Any] = {"data_type": DataType.FLOAT32, "global_address": 0x7F0000000000}
    yield TiledTensorMap(**shared, global_dim=(64,), global_strides=(), box_dim=(32,))
    yield TiledTensorMap(**shared, global_dim=(64, 8), global_strides=(256,), box_dim=(32, 4))
    yield Im2colTensorMap(
        **shared,
        global_dim=(64, 8, 2),
        global_strides=(256, 2048),
        pixel_box_lower_corner=(0,),
        pixel_box_upper_corner=(0,),
        channels_per_pixel=32,
        pixels_per_column=4,
    )


def pointers(api: str) -> list[str]:
    """The pointers among the arguments; the global address is none: it is kept as a number, and 0 is a legal one."""
    return [TARGET, *(name for name, kind in ARGUMENTS[api].items() if isinstance(kind, list))]


def encoded_without(gpu: Gpu, row: Row, keep: bool) -> Row:
    """The driver's answer to the row's call with the pointer ``null`` left out. The driver may end the process."""
    return {"driver_result": call(tensor_map_of(row), (c_char * (2 * DESCRIPTOR_BYTES))(), null=row["null"])}


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """A row for each call and pointer; ``driver_result`` is None where the driver ended the process."""
    with Child() as child:
        for whole in calls():
            for null in ("", *pointers(whole.api)):
                row = row_of(whole) | {"null": null}
                yield row | answer(child, row)


def answer(child: Child, row: Row) -> Row:
    """The driver's result, or None."""
    try:
        return child.ask("encode_without", row)
    except ChildFailed:
        return {"driver_result": None}
