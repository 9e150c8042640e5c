"""Which pointers of an encode call may be null: each left out in turn of a call that is accepted with it."""

from collections.abc import Iterator
from typing import Any

from course_lib.gpu.c_types import ARGUMENTS
from course_lib.gpu.child import Child, ChildFailed
from course_lib.gpu.context import Gpu
from course_lib.gpu.encode import TARGET
from course_lib.model.call.tensor_map import Im2colTensorMap, TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.rows.calls import row_of
from course_lib.rows.row import Row
from maintain.hardware import actions


def calls() -> Iterator[TiledTensorMap | Im2colTensorMap]:
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


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """A row for each call and pointer; ``driver_result`` is None where the driver ended the process."""
    with actions.child_with_actions() as child:
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
