"""Where two descriptors part: the first bit field, how it is stored, and a learner's reading written back into bytes."""

import re
from typing import Any

from course_lib.checks.lesson_03.questions import DescriptorQuestion
from course_lib.checks.shared.base import Wrong
from course_lib.draw import Picture, compare_words
from course_lib.draw.pen.plural import first_to_last
from course_lib.model.call.encoding import TILED_FIELDS
from course_lib.model.facts.bits import Field
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import DESCRIPTOR_BYTES

FIELD_ADVICE = {
    "global_address": "The address is stored whole, in bytes.",
    "is_im2col": "It is 0 in a tiled map.",
    "rank": "The rank is stored less one.",
    "element_type": "The code is tensormap.replace's number; a TF32 type has the code of its float32 type.",
    "is_tf32": "The bit is 1 for TFLOAT32 and TFLOAT32_FTZ, else 0.",
    "stride": "A stride is stored in units of 16 bytes: its lower 32 bits in one field, the upper 4 from bit 224 on.",
    "dim": "A dimension is stored less one, and 0 where the rank has no such dimension.",
    "element_stride": "An element stride is stored less one, and 0 where the rank has no such dimension.",
    "box": "A box entry is stored less one, and 0 where the rank has no such dimension.",
    "box_bytes": "Divide each box entry by its element stride, round down, multiply all, then by the bytes of an element.",
    "swizzle_repeat": "It is 16, 256, 512 or 1024 for NONE, B32, B64 and B128.",
}
PLAIN_ADVICE = "It is the driver's number, as it is."


def field_advice(field: Field) -> str:
    """One sentence on how a field is stored."""
    return FIELD_ADVICE.get(re.sub(r"_\d.*|_minus_1", "", field.name), PLAIN_ADVICE)


def field_place(field: Field) -> str:
    """Where a field lies, in words."""
    last = field.lsb + field.width - 1
    return f"{first_to_last('bit', field.lsb, last, ' to ')} ({field.name})"


def first_difference(got: bytes, right: bytes) -> str:
    """The first bit field in which two descriptors part, and how it is stored."""
    if got == right[::-1]:
        return "All the bytes are right, and in the wrong order: the lowest byte comes first (little-endian)."
    ours, theirs = int.from_bytes(got, "little"), int.from_bytes(right, "little")
    lowest = ((ours ^ theirs) & -(ours ^ theirs)).bit_length() - 1
    field = next((f for f in TILED_FIELDS if f.mask >> lowest & 1), None)
    if field is None:
        return f"Bit {lowest} belongs to no field and is 0."
    return f"The first field that differs is {field_place(field)}: yours holds {field.read(ours)}, it should hold " + (
        f"{field.read(theirs)}. {field_advice(field)}"
    )


def write_fields(data: bytes, values: dict[str, int]) -> bytes:
    """``data`` with other values in the named fields: a learner's reading, written back."""
    number = int.from_bytes(data, "little")
    for field in TILED_FIELDS:
        if field.name in values:
            number = number & ~field.mask | field.place(values[field.name])
    return number.to_bytes(DESCRIPTOR_BYTES, "little")


def compare_with_right(yours: bytes, question: DescriptorQuestion) -> Picture | None:
    """Both descriptors word by word; none where they are equal, since then it would show nothing."""
    return compare_words(yours, question.data, ("yours", question.by)) if yours != question.data else None


def shape_values(dims: tuple[int, ...], strides: tuple[int, ...]) -> dict[str, int]:
    """The field values that hold these dimensions and strides."""
    low = {f"stride_{i}_low": stride // 16 for i, stride in enumerate(strides[:4])}
    high = {f"stride_{i}_high": stride // 16 >> 32 for i, stride in enumerate(strides[:4])}
    return low | high | {f"dim_{i}_minus_1": dim - 1 for i, dim in enumerate(dims[:5])}


def as_descriptor(got: Any) -> bytes:
    """What a learner returned as 128 bytes; Wrong where it is none."""
    if isinstance(got, int):
        raise Wrong('the function returned an integer: .to_bytes(128, "little") makes 128 bytes of it.')
    try:
        data = bytes(got)
    except (TypeError, ValueError):
        raise Wrong(f"the function returned something of type {type(got).__name__}, not 128 bytes.") from None
    if len(data) != DESCRIPTOR_BYTES:
        raise Wrong(f"the function returned {len(data)} bytes; a descriptor has {DESCRIPTOR_BYTES}.")
    return data


FLOAT32_OF_TF32 = {DataType.TFLOAT32: DataType.FLOAT32, DataType.TFLOAT32_FTZ: DataType.FLOAT32_FTZ}


def type_values(number: int) -> dict[str, int]:
    """The field values of an element type; none for an unknown number."""
    if number not in DataType._value2member_map_:
        return {}
    data_type = DataType(number)
    code = FLOAT32_OF_TF32.get(data_type, data_type).facts.replace_code
    return {"element_type": code, "is_tf32": int(data_type in FLOAT32_OF_TF32)}


def type_name(number: int) -> str:
    """FLOAT64 (8): the driver's name and number."""
    known = number in DataType._value2member_map_
    return f"{DataType(number).name} ({int(number)})" if known else f"the unknown type {number}"
