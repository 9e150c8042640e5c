"""Reductions of chosen operands, bit by bit: two vectors in, one out."""

from ctypes import c_int
from typing import Any

import numpy as np

from course_lib.gpu.asked.copies import StoreRequest
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.encode import as_argument, encode
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.rows.row import Row

BOX_ELEMENTS = 256


def reduce_operands(gpu: Gpu, row: Row, keep: bool = False) -> Row:
    """``result``, the bytes (hex) of ``op`` of ``memory`` (what was in global memory) and ``shared``, by ``data_type``.

    Both hold the same whole number of 256 elements, 64 KiB at most. Trap where the pair is illegal.
    """
    memory, shared = (np.frombuffer(bytes.fromhex(row[name]), np.uint8) for name in ("memory", "shared"))
    target, source = gpu.buffer("operands", 65536), gpu.buffer("other operands", 65536)
    gpu.write(target, memory)
    gpu.write(source, shared)
    result, data = encode(table_map(row["data_type"], len(memory)), target)
    if not data:
        return {"result_code": result}
    request = StoreRequest(2, (c_int * 5)(), 0, len(shared))
    arguments: tuple[Any, ...] = (as_argument(data), request, pointer(source), pointer(gpu.buffer("answer", 64)))
    gpu.launch(gpu.function("reduce", macros={"OP": f'"{row["op"]}"'}), *arguments, shared_bytes=len(shared))
    return {"result": gpu.read(target, len(memory)).tobytes().hex()}


def table_map(data_type: int, size_bytes: int) -> TiledTensorMap:
    """A map whose one box is the whole vector, 256 elements a row."""
    row_bytes = BOX_ELEMENTS * DataType(data_type).size_bytes
    shape = (BOX_ELEMENTS, size_bytes // row_bytes)
    return TiledTensorMap(
        data_type=data_type, global_address=0, global_dim=shape, global_strides=(row_bytes,), box_dim=shape
    )
