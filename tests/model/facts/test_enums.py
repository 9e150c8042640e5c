"""The enumerations have the integers of cuda.h, and the facts of each type fit together."""

import numpy as np
import pytest

from course_lib import DataType, Im2colWideMode, Interleave, L2Promotion, OobFill, ReduceOp, Swizzle

DOCUMENTED = {  # CUDA Driver API 13.5, group CUDA_TENSOR_MEMORY
    DataType: "UINT8 UINT16 UINT32 INT32 UINT64 INT64 FLOAT16 FLOAT32 FLOAT64 BFLOAT16 FLOAT32_FTZ TFLOAT32 TFLOAT32_FTZ "
    "U4X16_ALIGN8B U4X16_ALIGN16B U6X16_ALIGN16B",
    Interleave: "NONE B16 B32",
    Swizzle: "NONE B32 B64 B128 B128_ATOM_32B B128_ATOM_32B_FLIP_8B B128_ATOM_64B",
    L2Promotion: "NONE L2_64B L2_128B L2_256B",
    OobFill: "NONE NAN_REQUEST_ZERO_FMA",
    Im2colWideMode: "W W128",
    ReduceOp: "ADD MIN MAX INC DEC AND OR XOR",
}
BITS = {
    **{"UINT8": 8, "UINT16": 16, "UINT32": 32, "INT32": 32, "UINT64": 64, "INT64": 64, "FLOAT16": 16, "FLOAT32": 32},
    **{"FLOAT64": 64, "BFLOAT16": 16, "FLOAT32_FTZ": 32, "TFLOAT32": 32, "TFLOAT32_FTZ": 32},
    **{"U4X16_ALIGN8B": 4, "U4X16_ALIGN16B": 4, "U6X16_ALIGN16B": 6},
}
REPLACE_CODES = {  # PTX ISA 9.0, tensormap.replace, where they are not the driver's numbers
    **{"FLOAT64": 9, "BFLOAT16": 10, "FLOAT32_FTZ": 8},
}


@pytest.mark.parametrize("enumeration", DOCUMENTED, ids=lambda e: e.__name__)
def test_each_member_has_the_drivers_number(enumeration):
    assert {member.name: int(member) for member in enumeration} == {
        name: number for number, name in enumerate(DOCUMENTED[enumeration].split())
    }


@pytest.mark.parametrize("data_type", DataType, ids=lambda t: t.name)
def test_the_facts_of_a_type_fit_together(data_type):
    facts = data_type.facts
    assert facts.bits == BITS[data_type.name]
    assert facts.replace_code == REPLACE_CODES.get(data_type.name, int(data_type))
    assert facts.is_float == ("FLOAT" in data_type.name)
    assert data_type.is_packed == data_type.name.startswith("U4" if facts.bits == 4 else "U6")
    assert facts.first_target == ("sm_100" if data_type.is_packed else "sm_90")
    assert data_type.is_packed or np.dtype(facts.carrier).itemsize == data_type.size_bytes == facts.bits // 8


@pytest.mark.parametrize("data_type", [t for t in DataType if t.is_packed], ids=lambda t: t.name)
def test_a_packed_element_has_no_whole_bytes(data_type):
    with pytest.raises(ValueError, match="bits, not whole bytes"):
        _ = data_type.size_bytes
