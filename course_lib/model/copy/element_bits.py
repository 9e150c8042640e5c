"""What a copy does to bits: the fill at the edge, and the rounding of TF32 loads. Nothing else changes a value."""

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.enums import DataType, OobFill
from course_lib.model.facts.limits import INNER_UNIT_BYTES

NAN_PATTERN = 0x7FF7
ROUNDED_ON_LOADS = (DataType.TFLOAT32, DataType.TFLOAT32_FTZ)


def fill_unit(m: Call) -> NDArray[np.complex128]:
    """The 16 bytes, as one unit, that a load writes where a unit lies outside the tensor.

    NaN fill repeats the 16-bit pattern 0x7FF7 for every float type. Source: load.jsonl (NVIDIA H200).
    """
    pattern = NAN_PATTERN if m.oob_fill == OobFill.NAN_REQUEST_ZERO_FMA else 0
    return np.full(INNER_UNIT_BYTES // 2, pattern, "<u2").view(np.complex128)


def tf32_rounded(bits: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """float32 bits rounded to 10 mantissa bits, ties to even; every NaN becomes 0x7FFFE000.

    Subnormals are rounded, not flushed; overflow goes to infinity. Source: load.jsonl (NVIDIA H200).
    """
    odd = (bits >> 13) & 1
    rounded = (bits + 0xFFF + odd) & 0xFFFFE000
    is_nan = (bits & 0x7FFFFFFF) > 0x7F800000
    return np.where(is_nan, 0x7FFFE000, rounded).astype("<u4")


def deliver_units(m: Call, units: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """The tensor's 16-byte units as a load delivers them: unchanged but for the two TF32 types."""
    return tf32_rounded(units.view("<u4")).view(np.complex128) if m.data_type in ROUNDED_ON_LOADS else units
