"""The driver's enumerations under the driver's integers.

Source: CUDA Driver API 13.5, group CUDA_TENSOR_MEMORY (cuda.h), and for ``ReduceOp`` and the
``replace_code`` column PTX ISA 9.0, tensormap.replace, table of element types.
"""

from enum import IntEnum
from typing import NamedTuple


class TypeFacts(NamedTuple):
    """What an element type fixes."""

    bits: int  # of one element in global memory
    carrier: str  # the NumPy dtype that carries one element's bits
    is_float: bool  # may the edge be filled with NaN?
    replace_code: int  # the number tensormap.replace and the 128 bytes use
    first_target: str  # the first architecture that takes it


class DataType(IntEnum):
    """CUtensorMapDataType."""

    UINT8 = 0
    UINT16 = 1
    UINT32 = 2
    INT32 = 3
    UINT64 = 4
    INT64 = 5
    FLOAT16 = 6
    FLOAT32 = 7
    FLOAT64 = 8
    BFLOAT16 = 9
    FLOAT32_FTZ = 10
    TFLOAT32 = 11
    TFLOAT32_FTZ = 12
    U4X16_ALIGN8B = 13
    U4X16_ALIGN16B = 14
    U6X16_ALIGN16B = 15

    @property
    def facts(self) -> TypeFacts:
        """Size, carrier, kind, code and first architecture of the type."""
        return TYPE_FACTS[self]

    @property
    def is_packed(self) -> bool:
        """Is one element smaller than a byte?"""
        return self.facts.bits < 8

    @property
    def size_bytes(self) -> int:
        """Bytes of one element; a packed type has none (ValueError)."""
        if self.is_packed:
            raise ValueError(f"{self.name}: one element is {self.facts.bits} bits, not whole bytes")
        return self.facts.bits // 8


TYPE_FACTS = {
    DataType.UINT8: TypeFacts(8, "uint8", False, 0, "sm_90"),
    DataType.UINT16: TypeFacts(16, "uint16", False, 1, "sm_90"),
    DataType.UINT32: TypeFacts(32, "uint32", False, 2, "sm_90"),
    DataType.INT32: TypeFacts(32, "int32", False, 3, "sm_90"),
    DataType.UINT64: TypeFacts(64, "uint64", False, 4, "sm_90"),
    DataType.INT64: TypeFacts(64, "int64", False, 5, "sm_90"),
    DataType.FLOAT16: TypeFacts(16, "float16", True, 6, "sm_90"),
    DataType.FLOAT32: TypeFacts(32, "float32", True, 7, "sm_90"),
    DataType.FLOAT64: TypeFacts(64, "float64", True, 9, "sm_90"),
    DataType.BFLOAT16: TypeFacts(16, "uint16", True, 10, "sm_90"),
    DataType.FLOAT32_FTZ: TypeFacts(32, "float32", True, 8, "sm_90"),
    DataType.TFLOAT32: TypeFacts(32, "float32", True, 11, "sm_90"),
    DataType.TFLOAT32_FTZ: TypeFacts(32, "float32", True, 12, "sm_90"),
    DataType.U4X16_ALIGN8B: TypeFacts(4, "uint8", False, 13, "sm_100"),
    DataType.U4X16_ALIGN16B: TypeFacts(4, "uint8", False, 14, "sm_100"),
    DataType.U6X16_ALIGN16B: TypeFacts(6, "uint8", False, 15, "sm_100"),
}


class Interleave(IntEnum):
    """CUtensorMapInterleave: the bytes of one channel packet."""

    NONE = 0
    B16 = 1
    B32 = 2


class Swizzle(IntEnum):
    """CUtensorMapSwizzle: the span in bytes, then the atom that stays whole where it is not 16."""

    NONE = 0
    B32 = 1
    B64 = 2
    B128 = 3
    B128_ATOM_32B = 4
    B128_ATOM_32B_FLIP_8B = 5
    B128_ATOM_64B = 6


class L2Promotion(IntEnum):
    """CUtensorMapL2promotion: bytes that L2 fetches for a request."""

    NONE = 0
    L2_64B = 1
    L2_128B = 2
    L2_256B = 3


class OobFill(IntEnum):
    """CUtensorMapFloatOOBfill: what a load writes for elements outside the tensor."""

    NONE = 0
    NAN_REQUEST_ZERO_FMA = 1


class Im2colWideMode(IntEnum):
    """CUtensorMapIm2ColWideMode."""

    W = 0
    W128 = 1


class ReduceOp(IntEnum):
    """The operations of cp.reduce.async.bulk.tensor, under our own integers."""

    ADD = 0
    MIN = 1
    MAX = 2
    INC = 3
    DEC = 4
    AND = 5
    OR = 6
    XOR = 7
