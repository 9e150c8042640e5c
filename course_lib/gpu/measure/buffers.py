"""Memory full of random words, made on the device by the recordings' own formula."""

from ctypes import c_uint32, c_uint64
from typing import Any

import numpy as np
from cuda.bindings import driver

from course_lib.gpu.context import Gpu, driver_value, pointer
from course_lib.gpu.encode import as_argument, encode
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType

MIB, GIB = 1 << 20, 1 << 30
DWORD_BYTES = 4


def filled_buffer(gpu: Gpu, name: str, size_bytes: int, seed: int = 1) -> int:
    """The address of a buffer with the words of ``seed``."""
    address = gpu.buffer(name, size_bytes)
    fill(gpu, address, size_bytes, seed)
    return address


def fill(gpu: Gpu, address: int, size_bytes: int, seed: int) -> None:
    """Write the words of ``seed`` to any memory that a kernel reaches."""
    arguments = (pointer(address), c_uint64(size_bytes // 8), c_uint32(seed))
    Launch(gpu.function("measure_fill", "fill"), arguments, (multiprocessors(gpu) * 8, 1), 256)()
    finish()


def multiprocessors(gpu: Gpu) -> int:
    """How many there are."""
    kind = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
    return int(driver_value(driver.cuDeviceGetAttribute(kind, gpu.device), "multiprocessors"))


def read_words(gpu: Gpu, address: int, count: int) -> Any:
    """32-bit words from the device."""
    return gpu.read(address, count * DWORD_BYTES).view(np.uint32)


def zero(address: int, size_bytes: int) -> None:
    """Clear memory."""
    driver_value(driver.cuMemsetD8(address, 0, size_bytes), "clear")


def map_argument(
    address: int,
    row_bytes: int,
    rows: int,
    pitch_bytes: int,
    box_row_bytes: int,
    box_rows: int,
    swizzle: int = 0,
    l2_promotion: int = 0,
    data_type: DataType = DataType.FLOAT32,
) -> Any:
    """The descriptor of a matrix of rows as a kernel's argument. ValueError where the driver refuses the call."""
    size = data_type.size_bytes
    tensor_map = TiledTensorMap(
        data_type=data_type,
        global_address=address,
        global_dim=(row_bytes // size, rows),
        global_strides=(pitch_bytes,),
        box_dim=(box_row_bytes // size, box_rows),
        swizzle=swizzle,
        l2_promotion=l2_promotion,
    )
    result, data = encode(tensor_map)
    if data is None:
        raise ValueError(f"the driver refuses this map with {result}: {tensor_map}")
    return as_argument(data)
