"""The driver's own three encode calls: the CUresult, and the 128 bytes where it is 0.

The entry points are called by address, with bare integers: so any enumeration number can be asked, and the 128 bytes
lie at a multiple of 128 (documents demand 64; the object that cuda.bindings would pass is not aligned).
"""

from ctypes import CFUNCTYPE, addressof, c_char, c_int, c_void_p
from functools import cache
from typing import Any

from cuda.bindings import driver

from course_lib.gpu.c_types import ARGUMENTS
from course_lib.gpu.context import driver_value
from course_lib.model.call.tensor_map import CALLS, TensorMap
from course_lib.model.facts.limits import DESCRIPTOR_BYTES

CUDA_VERSION_ASKED = 12080  # the first that has all three calls
INT, POINTER = c_int, c_void_p
TARGET = "tensor_map"  # the first argument: where the 128 bytes go


def encode(tensor_map: TensorMap, base: int = 0) -> tuple[int, bytes | None]:
    """What the driver answers: (CUresult, 128 bytes or None). ``base`` is added to the map's global address.

    Needs a driver, but no kernel and no memory at the address. Entries are cut to the C type's bits, as C would.
    """
    room = (c_char * (2 * DESCRIPTOR_BYTES))()
    start = -addressof(room) % DESCRIPTOR_BYTES
    result = call(tensor_map, room, base)
    return result, None if result else room.raw[start : start + DESCRIPTOR_BYTES]


def call(tensor_map: TensorMap, room: Any, base: int = 0, null: str = "") -> int:
    """The CUresult of the call; the 128 bytes go to the first multiple of 128 in ``room``.

    The argument that is named ``null`` is a null pointer, "tensor_map" the first: the driver may end the process.
    """
    target = None if null == TARGET else addressof(room) + -addressof(room) % DESCRIPTOR_BYTES
    values = {name: getattr(tensor_map, name) for name in ARGUMENTS[tensor_map.api]}
    values["global_address"] += base
    arguments = [
        None if name == null else carrier(kind, values[name]) for name, kind in ARGUMENTS[tensor_map.api].items()
    ]
    have_context()
    return int(entry_point(tensor_map.api)(target, *arguments))


def as_argument(data: bytes | None = None) -> Any:
    """The 128 bytes as a kernel's argument; zeros where the kernel looks at none."""
    return (c_char * DESCRIPTOR_BYTES).from_buffer_copy(data or bytes(DESCRIPTOR_BYTES))


def carrier(kind: Any, value: Any) -> Any:
    """``value`` in the C type's bits; [type] is an array, of one entry at least, so that its address is never null."""
    if isinstance(kind, list):
        return (kind[0] * max(len(value), 1))(*value)
    return kind(value)


def have_context() -> None:
    """Make the context of device 0 current in this thread, if none is: the driver would answer 201 to every call.

    Source: measured, NVIDIA H200, driver 580.159.04 (descriptor.jsonl, encode_without_context).
    """
    driver_value(driver.cuInit(0), "cuInit")
    if not int(driver_value(driver.cuCtxGetCurrent(), "context")):
        device = driver_value(driver.cuDeviceGet(0), "device 0")
        driver_value(
            driver.cuCtxSetCurrent(driver_value(driver.cuDevicePrimaryCtxRetain(device), "context")), "context"
        )


@cache
def entry_point(api: str) -> Any:
    """The driver's function, by address."""
    flags = int(driver.CUdriverProcAddress_flags.CU_GET_PROC_ADDRESS_DEFAULT)
    name = CALLS[api].entry_point.encode()
    driver_value(driver.cuInit(0), "cuInit")
    address = driver.cuGetProcAddress(name, CUDA_VERSION_ASKED, flags)
    if int(address[0]):
        driver_value(address, f"find {CALLS[api].entry_point}")
    kinds = [POINTER if isinstance(kind, list) else kind for kind in ARGUMENTS[api].values()]
    return CFUNCTYPE(INT, POINTER, *kinds)(int(address[1]))
