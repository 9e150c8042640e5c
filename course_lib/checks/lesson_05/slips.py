"""What went wrong with a rounding, a sum or a maximum, where that is plain: one sentence each."""

from course_lib.checks.lesson_05.elements import ElementQuestion
from course_lib.model.copy.one_element import SUBNORMAL, kind_of
from course_lib.model.facts.enums import DataType


def tf32_slip(bits: int, got: int) -> str:
    """What went wrong with a rounding, where that is plain."""
    if (bits & 0x7FFFFFFF) > 0x7F800000:
        return "Every NaN becomes 0x7fffe000."
    if bits & 0x7F800000 == 0:
        return "Subnormals and zeros are rounded like all others."
    if got & 0x1FFF:
        return "The lowest 13 bits are 0 afterwards."
    if bits & 0x1FFF == 0x1000:
        return "It is a tie: the neighbour whose bit 13 is 0 is taken."
    return "Yours is cut off; the nearest is taken." if got == bits & 0xFFFFE000 else ""


def add_slip(question: ElementQuestion, got: int, ftz: bool) -> str:
    """What went wrong with a sum, where that is plain."""
    kinds = {kind_of(DataType.FLOAT32, bits) for bits in (*question.given, got)}
    if question.right == 0x7FFFFFFF:
        return "Every sum that is a NaN is 0x7fffffff."
    if SUBNORMAL in kinds:
        return "A subnormal counts as a zero of its sign, before and after." if ftz else "Nothing is flushed here."
    return "The sum is rounded once, from float32 operands."


def max_slip(data_type: DataType, question: ElementQuestion) -> str:
    """What went wrong with a maximum, where that is plain."""
    nans = sum(kind_of(data_type, bits).endswith("NaN") for bits in question.given)
    if nans:
        return "A number wins over a NaN." if nans == 1 else "Two NaN give 0x7fff."
    if all(bits & 0x7FFF == 0 for bits in question.given):
        return "-0 lies below +0."
    return "Of two negative floats the one with the larger bits is the smaller."
