"""The device behind every launch: its context, its loaded kernels, its buffers. A trap ends the process's context."""

from ctypes import addressof, c_uint64, c_void_p
from typing import Any

import numpy as np
from cuda.bindings import driver

from course_lib.gpu import compile
from course_lib.gpu.device import capability
from course_lib.model.facts.limits import SHARED_MEMORY_PER_BLOCK_BYTES
from course_lib.rows.memory import Bytes, source_bytes


class GpuError(RuntimeError):
    """A driver call failed; ``code`` is its CUresult."""

    def __init__(self, code: Any, doing: str):
        super().__init__(f"{doing}: {code.name} ({int(code)})")
        self.code = int(code)


class Trap(GpuError):
    """A launch ended in a fault. The context is lost: every later call in this process fails too.

    ``seen`` is what is known all the same.
    """

    def __init__(self, code: Any, doing: str):
        super().__init__(code, doing)
        self.seen: dict[str, Any] = {}


def driver_value(answer: tuple[Any, ...], doing: str, error: type[GpuError] = GpuError) -> Any:
    """The value of a driver call; GpuError where it failed."""
    if int(answer[0]):
        raise error(answer[0], doing)
    return answer[1] if len(answer) > 1 else None


class Gpu:
    """Device 0 and what was loaded onto it. Raises GpuError where a call fails; ask ``gpu_status`` first."""

    def __init__(self) -> None:
        driver_value(driver.cuInit(0), "cuInit")
        self.device = driver_value(driver.cuDeviceGet(0), "cuDeviceGet")
        driver_value(
            driver.cuCtxSetCurrent(driver_value(driver.cuDevicePrimaryCtxRetain(self.device), "context")), "context"
        )
        self.target = "sm_{}{}".format(*capability(driver, self.device))
        self._functions: dict[Any, Any] = {}
        self._buffers: dict[Any, int] = {}

    def function(self, kernel: str, entry: str = "run", macros: compile.Macros | None = None) -> Any:
        """A kernel, compiled and loaded once, allowed all the shared memory that a block can have."""
        macros = macros or {}
        key = (kernel, entry, *macros.items())
        if key not in self._functions:
            module = driver_value(
                driver.cuModuleLoadData(compile.cubin(kernel, self.target, **macros)), f"load {kernel}"
            )
            function = driver_value(driver.cuModuleGetFunction(module, entry.encode()), f"find {entry}")
            most = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            static = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
            used = driver_value(driver.cuFuncGetAttribute(static, function), "shared size")
            driver_value(
                driver.cuFuncSetAttribute(function, most, SHARED_MEMORY_PER_BLOCK_BYTES - used), "shared memory limit"
            )
            self._functions[key] = function
        return self._functions[key]

    def launch(
        self, function: Any, *arguments: Any, blocks: int = 1, threads: int = 256, shared_bytes: int = 0
    ) -> None:
        """Launch with ctypes values as arguments and wait for the end. Trap (with its CUresult) where it faults."""
        pointers = (c_void_p * len(arguments))(*(addressof(argument) for argument in arguments))
        sizes = (blocks, 1, 1, threads, 1, 1, shared_bytes, 0)
        driver_value(driver.cuLaunchKernel(function, *sizes, addressof(pointers), 0), "launch")
        driver_value(driver.cuCtxSynchronize(), "kernel", Trap)

    def buffer(self, name: str, size_bytes: int) -> int:
        """The address of a buffer that is made once for each name and size."""
        key = (name, size_bytes)
        if key not in self._buffers:
            self._buffers[key] = int(driver_value(driver.cuMemAlloc(size_bytes), f"allocate {size_bytes} bytes"))
        return self._buffers[key]

    def host_buffer(self, name: str, size_bytes: int) -> int:
        """The address of host memory that kernels write in place: it can be read even after a trap."""
        key = (name, size_bytes)
        if key not in self._buffers:
            flags = driver.CU_MEMHOSTALLOC_PORTABLE | driver.CU_MEMHOSTALLOC_DEVICEMAP
            self._buffers[key] = int(
                driver_value(driver.cuMemHostAlloc(size_bytes, flags), f"allocate {size_bytes} bytes")
            )
        return self._buffers[key]

    def unchanging(self, seed: int, size_bytes: int) -> int:
        """The address of memory with ``seed`` that no kernel writes: uploaded once."""
        name = f"seed {seed}"
        known = (name, size_bytes) in self._buffers
        address = self.buffer(name, size_bytes)
        if not known:
            self.write(address, source_bytes(seed, size_bytes))
        return address

    def write(self, address: int, data: Bytes) -> None:
        """Copy ``data`` to the device."""
        driver_value(driver.cuMemcpyHtoD(address, data.ctypes.data, data.nbytes), "copy to the device")

    def read(self, address: int, size_bytes: int) -> Bytes:
        """Copy bytes from the device."""
        data = np.empty(size_bytes, np.uint8)
        driver_value(driver.cuMemcpyDtoH(data.ctypes.data, address, size_bytes), "copy from the device")
        return data


def pointer(address: int) -> Any:
    """A device address as a kernel's argument."""
    return c_uint64(address)
