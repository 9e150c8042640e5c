"""A view of memory as a tensor map: what an array's shape and strides say, in the driver's order and units.

An array names its axes from the outermost in, a tensor map from the innermost out. A tensor map has no stride for its
innermost dimension, so the last axis of the array must be the one whose neighbours lie side by side.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.arguments import Memory
from course_lib.model.call.sizes import ceil_div
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES

Array = NDArray[Any]
SAME_BITS = {"int8": DataType.UINT8, "int16": DataType.UINT16}  # a copy changes no bits, so the sign does not matter


def tensor_map_of_array(
    array: Array, box: Sequence[int], memory: Memory | None = None, *, data_type: int | None = None, **rest: Any
) -> TiledTensorMap:
    """The tensor map of ``array``: a view of the flat uint8 ``memory``, whose index 0 is address 0, or at its own pointer.

    ``box`` has the extents of a copy in the array's axis order, elements. ``data_type`` is that of the array's dtype,
    unless given (BFLOAT16 in an array of uint16). ``rest`` goes to TiledTensorMap as it is, in the driver's order. The
    strides of axes of size 1, which no copy uses, are replaced by dense ones. ValueError where the array does not lie
    in ``memory``, where its last axis is not contiguous, and where no type carries it; the driver's own rules
    (``.check()``) are not asked here. Source: CUDA Driver API 13.5, cuTensorMapEncodeTiled; load_views.jsonl.
    """
    must_be_contiguous_inside(array)
    return TiledTensorMap(
        data_type=data_type_of(array.dtype) if data_type is None else must_be_sized_alike(data_type, array.dtype),
        global_address=array.ctypes.data if memory is None else address_in(memory, array),
        global_dim=array.shape[::-1],
        global_strides=outer_strides(array),
        box_dim=tuple(box)[::-1],
        **rest,
    )


def must_be_contiguous_inside(array: Array) -> None:
    """ValueError where the elements of the last axis do not lie side by side; it names an axis whose elements do."""
    if not array.ndim or array.shape[-1] == 1 or array.strides[-1] == array.itemsize:
        return
    sentence = (
        f"the last axis has a stride of {array.strides[-1]} bytes; a tensor map has none but {array.itemsize} there"
    )
    if array.itemsize in array.strides:
        sentence += f". Axis {array.strides.index(array.itemsize)} has it: move that axis to the end"
    raise ValueError(sentence)


def data_type_of(dtype: Any) -> DataType:
    """The type that carries a NumPy dtype; ValueError where none does."""
    name = np.dtype(dtype).name
    carriers = {t.facts.carrier: t for t in reversed(DataType) if t.name.lower() == t.facts.carrier}
    found = (carriers | SAME_BITS).get(name)
    if found is None:
        raise ValueError(f"no element type carries {name}; there are {', '.join(sorted(carriers | SAME_BITS))}")
    return found


def must_be_sized_alike(data_type: int, dtype: Any) -> DataType:
    """``data_type`` if its elements have the size of the array's; ValueError otherwise."""
    asked, size = DataType(data_type), np.dtype(dtype).itemsize
    if asked.size_bytes != size:
        raise ValueError(f"{asked.name} has {asked.size_bytes} bytes an element, the array {size}")
    return asked


def address_in(memory: Memory, array: Array) -> int:
    """Where the array's element 0 lies in ``memory``, in bytes; ValueError where it does not."""
    starts = [a.__array_interface__["data"][0] for a in (array, memory)]
    offset = int(starts[0] - starts[1])
    if not 0 <= offset < memory.nbytes:
        raise ValueError("the array is no view of this memory")
    return offset


def outer_strides(array: Array) -> tuple[int, ...]:
    """The strides of all axes but the last, innermost first, bytes; an axis of size 1 gets a dense one, in 16 bytes."""
    strides: list[int] = []
    dense = array.itemsize * (array.shape[-1] if array.ndim else 1)
    for size, stride in zip(array.shape[-2::-1], array.strides[-2::-1], strict=True):
        strides.append(stride if size != 1 else ceil_div(dense, INNER_UNIT_BYTES) * INNER_UNIT_BYTES)
        dense = strides[-1] * size
    return tuple(strides)
