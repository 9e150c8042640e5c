"""One element as an unsigned integer: its parts, what it says, and what a load or a reduction makes of it."""

from typing import NamedTuple

import numpy as np

from course_lib.model.copy.arithmetic import UNSIGNED, combine_bits, is_legal, widen
from course_lib.model.copy.element_bits import ROUNDED_ON_LOADS, tf32_rounded
from course_lib.model.facts.enums import DataType, ReduceOp


class Parts(NamedTuple):
    """How many bits are sign, exponent and mantissa, the highest first; an integer has ``mantissa`` alone."""

    sign: int
    exponent: int
    mantissa: int


FLOAT32_PARTS = Parts(1, 8, 23)
PARTS = {
    DataType.FLOAT16: Parts(1, 5, 10),
    DataType.BFLOAT16: Parts(1, 8, 7),
    DataType.FLOAT32: FLOAT32_PARTS,
    DataType.FLOAT32_FTZ: FLOAT32_PARTS,
    DataType.TFLOAT32: FLOAT32_PARTS,
    DataType.TFLOAT32_FTZ: FLOAT32_PARTS,
    DataType.FLOAT64: Parts(1, 11, 52),
}
ZERO, SUBNORMAL, NORMAL = "zero", "subnormal", "normal"
INFINITY, QUIET_NAN, SIGNALLING_NAN = "infinity", "quiet NaN", "signalling NaN"


def parts_of(data_type: DataType) -> Parts:
    """The parts of a type that is not packed."""
    return PARTS.get(data_type, Parts(0, 0, data_type.facts.bits))


def kind_of(data_type: DataType, bits: int) -> str:
    """Which kind of float the bits are; empty for an integer type. The first mantissa bit makes a NaN quiet."""
    if not data_type.facts.is_float:
        return ""
    _, exponent, mantissa = parts_of(data_type)
    field, fraction = bits >> mantissa & (1 << exponent) - 1, bits & (1 << mantissa) - 1
    if field == 0:
        return SUBNORMAL if fraction else ZERO
    if field != (1 << exponent) - 1:
        return NORMAL
    return (QUIET_NAN if fraction >> mantissa - 1 else SIGNALLING_NAN) if fraction else INFINITY


def value_of(data_type: DataType, bits: int) -> float | int:
    """The number that the bits stand for: an int for an integer type, else a float (NaN and infinity included)."""
    element = np.array([bits], UNSIGNED[data_type.facts.bits])
    if not data_type.facts.is_float:
        signed = data_type in (DataType.INT32, DataType.INT64)
        return int(element.view(f"<i{element.itemsize}")[0]) if signed else bits
    if data_type is DataType.BFLOAT16:
        return float(widen(element)[0])
    return float(element.view(f"<f{element.itemsize}")[0])


def load_bits(data_type: DataType, bits: int) -> int:
    """What a load makes of one element: only the two TF32 types change it. Source: load.jsonl (NVIDIA H200)."""
    if data_type not in ROUNDED_ON_LOADS:
        return bits
    return int(tf32_rounded(np.array([bits], "<u4"))[0])


def reduce_bits(op: ReduceOp, data_type: DataType, memory: int, operand: int) -> int | None:
    """What memory holds after a reduction of one element; None where the pair traps with 715.

    Source: reduce_table.jsonl, traps.jsonl (NVIDIA H200).
    """
    if not is_legal(op, data_type):
        return None
    unsigned = UNSIGNED[data_type.facts.bits]
    sides = (np.array([bits], unsigned).view(np.uint8) for bits in (memory, operand))
    return int(combine_bits(op, data_type, *sides).view(unsigned)[0])
