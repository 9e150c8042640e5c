"""What a reduction does to bits: ``memory = op(memory, operand)``, element by element.

Which pairs the engine takes is data; one function a kind of arithmetic. Source: store.jsonl, traps.jsonl,
reduce_table.jsonl (NVIDIA H200).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.facts.enums import DataType, ReduceOp

Bits = NDArray[np.unsignedinteger]
Operation = Callable[[Bits, Bits], Bits]

INTEGERS = (DataType.UINT32, DataType.INT32, DataType.UINT64)
LEGAL_TYPES = {
    ReduceOp.ADD: {
        *INTEGERS,
        DataType.FLOAT16,
        DataType.FLOAT32,
        DataType.FLOAT64,
        DataType.BFLOAT16,
        DataType.FLOAT32_FTZ,
        DataType.TFLOAT32,
        DataType.TFLOAT32_FTZ,
    },
    ReduceOp.MIN: {*INTEGERS, DataType.INT64, DataType.FLOAT16, DataType.BFLOAT16},
    ReduceOp.MAX: {*INTEGERS, DataType.INT64, DataType.FLOAT16, DataType.BFLOAT16},
    ReduceOp.INC: {DataType.UINT32},
    ReduceOp.DEC: {DataType.UINT32},
    ReduceOp.AND: {*INTEGERS},
    ReduceOp.OR: {*INTEGERS},
    ReduceOp.XOR: {*INTEGERS},
}
SIGNED: dict[DataType, Any] = {DataType.INT32: np.dtype("<i4"), DataType.INT64: np.dtype("<i8")}
UNSIGNED: dict[int, Any] = {8: np.dtype("u1"), 16: np.dtype("<u2"), 32: np.dtype("<u4"), 64: np.dtype("<u8")}
CANONICAL_NAN = {16: 0x7FFF, 32: 0x7FFFFFFF}
MADE_NAN_64 = np.uint64(0xFFF8000000000000)  # infinity minus infinity


def is_legal(op: int, data_type: int) -> bool:
    """Does the engine perform ``op`` on this type? Every other pair assembles and traps with 715."""
    return data_type in LEGAL_TYPES.get(ReduceOp(op), ())


def combine_bits(
    op: int, data_type: DataType, memory: NDArray[np.uint8], operand: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """The bytes of ``op(memory, operand)``; both are whole elements of a legal type."""
    unsigned = UNSIGNED[data_type.facts.bits]
    with np.errstate(all="ignore"):
        result = operation(ReduceOp(op), data_type)(memory.view(unsigned), operand.view(unsigned))
    return np.ascontiguousarray(result, unsigned).view(np.uint8)


def operation(op: ReduceOp, data_type: DataType) -> Operation:
    """The function of bits that performs ``op`` on a type."""
    if op is ReduceOp.ADD and data_type.facts.is_float:
        return ADD_FLOATS[data_type]
    if op in (ReduceOp.MIN, ReduceOp.MAX):
        return extremum(op, data_type)
    return ON_BITS[op]


ON_BITS: dict[ReduceOp, Operation] = {
    ReduceOp.ADD: lambda a, b: a + b,
    ReduceOp.INC: lambda a, b: np.where(a >= b, 0, a + 1),
    ReduceOp.DEC: lambda a, b: np.where((a == 0) | (a > b), b, a - 1),
    ReduceOp.AND: lambda a, b: a & b,
    ReduceOp.OR: lambda a, b: a | b,
    ReduceOp.XOR: lambda a, b: a ^ b,
}


def extremum(op: ReduceOp, data_type: DataType) -> Operation:
    """MIN or MAX of a type."""
    choose = np.minimum if op is ReduceOp.MIN else np.maximum
    if data_type.facts.is_float:
        return lambda a, b: float_extremum(choose, data_type, a, b)
    if signed := SIGNED.get(data_type):
        return lambda a, b: choose(a.view(signed), b.view(signed)).view(a.dtype)
    return choose


def float_extremum(choose: np.ufunc, data_type: DataType, a: Bits, b: Bits) -> Bits:
    """MIN or MAX of 16-bit floats: -0 lies below +0, a number beats a NaN, two NaNs give 0x7FFF."""
    infinity = 0x7C00 if data_type is DataType.FLOAT16 else 0x7F80
    nan_a, nan_b = (a & 0x7FFF) > infinity, (b & 0x7FFF) > infinity
    ordered = bits_in_order(choose(in_order(a), in_order(b)))
    one_nan = np.where(nan_a, b, a)
    return np.where(nan_a & nan_b, CANONICAL_NAN[16], np.where(nan_a | nan_b, one_nan, ordered)).astype(a.dtype)


def in_order(bits: Bits) -> NDArray[np.int32]:
    """16-bit float bits as integers that sort as the floats do."""
    signed = bits.astype(np.int32)
    return np.where(signed >> 15, 0x7FFF - signed, signed)


def bits_in_order(order: NDArray[np.int32]) -> Bits:
    """The inverse of ``in_order``."""
    return np.where(order < 0, 0x7FFF - order, order).astype("<u2")


def add_float16(a: Bits, b: Bits) -> Bits:
    """float16, rounded to nearest even; exact in float32 before it is rounded."""
    total = a.view("<f2").astype("<f4") + b.view("<f2").astype("<f4")
    return np.where(np.isnan(total), CANONICAL_NAN[16], total.astype("<f2").view("<u2"))


def add_bfloat16(a: Bits, b: Bits) -> Bits:
    """bfloat16, rounded to nearest even."""
    total = widen(a) + widen(b)
    bits = total.view("<u4")
    rounded = (bits.astype(np.uint64) + 0x7FFF + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint64(16)
    return np.where(np.isnan(total), CANONICAL_NAN[16], rounded)


def widen(bits: Bits) -> NDArray[np.float32]:
    """bfloat16 bits as float32."""
    return (bits.astype("<u4") << np.uint32(16)).view("<f4")


def add_float32(a: Bits, b: Bits) -> Bits:
    """float32 with subnormals kept; a NaN result is 0x7FFFFFFF."""
    total = a.view("<f4") + b.view("<f4")
    return np.where(np.isnan(total), CANONICAL_NAN[32], total.view("<u4"))


def add_float32_flushed(a: Bits, b: Bits) -> Bits:
    """float32 with subnormal operands and results flushed to a zero of their sign."""
    return flush(add_float32(flush(a), flush(b)))


def flush(bits: Bits) -> Bits:
    """float32 bits with subnormals as zeros of their sign."""
    return np.where((bits & 0x7F800000) == 0, bits & 0x80000000, bits).astype("<u4")


def add_float64(a: Bits, b: Bits) -> Bits:
    """float64; a NaN comes through unchanged, signalling or not, the operand's before the memory's."""
    total = a.view("<f8") + b.view("<f8")
    nan_a, nan_b = np.isnan(a.view("<f8")), np.isnan(b.view("<f8"))
    made = np.where(np.isnan(total), MADE_NAN_64, total.view("<u8"))
    return np.where(nan_b, b, np.where(nan_a, a, made))


ADD_FLOATS: dict[DataType, Operation] = {
    DataType.FLOAT16: add_float16,
    DataType.BFLOAT16: add_bfloat16,
    DataType.FLOAT32: add_float32,
    DataType.TFLOAT32: add_float32,
    DataType.FLOAT32_FTZ: add_float32_flushed,
    DataType.TFLOAT32_FTZ: add_float32_flushed,
    DataType.FLOAT64: add_float64,
}
