"""What went wrong with a reading of a descriptor, where that is plain: one sentence each, empty where it is not."""

from math import prod

from course_lib.checks.lesson_03.descriptors import FLOAT32_OF_TF32
from course_lib.model.call.sizes import ceil_div, descriptor_box_elements
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType


def dimension_slip(got: tuple[int, ...], right: tuple[int, ...]) -> str:
    """What went wrong with the dimensions, where that is plain."""
    if len(got) != len(right):
        return f"A map of rank {len(right)} has {len(right)} dimensions."
    if tuple(d + 1 for d in got) == right:
        return "A dimension is stored less one."
    return "The innermost dimension comes first." if got == right[::-1] else ""


def stride_slip(got: tuple[int, ...], right: tuple[int, ...]) -> str:
    """What went wrong with the strides, where that is plain."""
    if len(got) != len(right):
        rank = len(right) + 1
        return f"A map of rank {rank} has one stride fewer, {rank - 1}: that of dimension 0 is not given."
    if tuple(16 * s for s in got) == right:
        return "A stride is stored in units of 16 bytes; wanted are bytes."
    if got == tuple(s % 2**36 for s in right):
        return "A stride has 36 bits: its upper four lie from bit 224 on."
    return "The innermost stride comes first." if got == right[::-1] else ""


def type_slip(got: int, right: DataType) -> str:
    """What went wrong with the type, where that is plain."""
    stored = FLOAT32_OF_TF32.get(right, right)
    if stored != right and got in (stored, stored.facts.replace_code):
        return "A TF32 type has a bit of its own, bit 80."
    if got == stored.facts.replace_code:
        return f"{got} is the code in the bits; the driver's number is another."
    if {got, right} == set(FLOAT32_OF_TF32):
        return "Both TF32 types set bit 80; the code tells which, 7 as for FLOAT32 or 8 as for FLOAT32_FTZ."
    return ""


def box_slip(got: int, call: TiledTensorMap) -> str:
    """What went wrong with the bytes of the box, where that is plain."""
    size = DataType(call.data_type).size_bytes
    pairs = list(zip(call.box_dim, call.element_strides or (), strict=True))
    slips = {
        size * prod(ceil_div(box, stride) for box, stride in pairs): "Yours is rounded up; the driver rounds down.",
        size * prod(call.box_dim): "Each box entry is divided by its element stride first.",
        descriptor_box_elements(call): "Yours counts elements; wanted are bytes.",
    }
    return slips.get(got, "")
