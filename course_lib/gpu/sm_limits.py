"""What one SM of this machine's GPU holds, and its L2, as its driver says: for live cells beside model/limits.py."""

from course_lib.gpu.device import driver_module, value_or_lack

ATTRIBUTES = {
    "SMs": "MULTIPROCESSOR_COUNT",
    "threads": "MAX_THREADS_PER_MULTIPROCESSOR",
    "blocks": "MAX_BLOCKS_PER_MULTIPROCESSOR",
    "registers": "MAX_REGISTERS_PER_MULTIPROCESSOR",
    "shared bytes": "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR",
    "shared bytes of a block": "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
    "reserved shared bytes of a block": "RESERVED_SHARED_MEMORY_PER_BLOCK",
    "L2 bytes": "L2_CACHE_SIZE",
    "L2 bytes that may persist": "MAX_PERSISTING_L2_CACHE_SIZE",
}


def sm_limits() -> dict[str, int]:
    """Each limit by name, from cuDeviceGetAttribute of device 0. Unusable without a driver or a device."""
    driver = driver_module()
    device = value_or_lack(driver.cuDeviceGet(0), "no device 0")
    kinds = driver.CUdevice_attribute
    asked = {name: getattr(kinds, f"CU_DEVICE_ATTRIBUTE_{end}") for name, end in ATTRIBUTES.items()}
    return {name: int(value_or_lack(driver.cuDeviceGetAttribute(kind, device), name)) for name, kind in asked.items()}
