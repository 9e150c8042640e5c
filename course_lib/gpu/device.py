"""Is there a GPU here that a lesson can use? One sentence either way, the same in notebooks, tests and reports.

cuda.core is never touched: without a driver its third compilation in one process never returns.
"""

import subprocess
from datetime import date
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

NO_DEVICE = 100  # CUDA_ERROR_NO_DEVICE
CAPABILITY_NEEDED = (9, 0)  # CUDA Driver API 13.5, cuTensorMapEncodeTiled: compute capability 9.0


class GpuStatus(NamedTuple):
    """``usable``, and the sentence that says what there is, or what lacks."""

    usable: bool
    sentence: str


class Unusable(Exception):
    """What lacks."""


def gpu_status() -> GpuStatus:
    """Is there a usable GPU, and if not, why not? Never raises, never launches anything."""
    try:
        return GpuStatus(True, f"GPU: {description(driver_module())}.")
    except Unusable as lack:
        return GpuStatus(False, f"No GPU: {lack}.")


def driver_module() -> Any:
    """cuda.bindings.driver, initialised; Unusable where the package, the driver or the device lacks."""
    try:
        driver = import_module("cuda.bindings.driver")
    except ImportError:
        raise Unusable("the package cuda-python is not installed") from None
    try:
        (code,) = driver.cuInit(0)
    except RuntimeError:
        raise Unusable("no NVIDIA driver is installed") from None
    if int(code):
        lack = "finds no device" if int(code) == NO_DEVICE else "does not start"
        raise Unusable(f"the driver {lack} (cuInit: {code.name})")
    return driver


def description(driver: Any) -> str:
    """Name, architecture and driver of device 0; Unusable where it is too old or gives no context."""
    device = value_or_lack(driver.cuDeviceGet(0), "no device 0")
    major, minor = capability(driver, device)
    name = value_or_lack(driver.cuDeviceGetName(64, device), "device 0 has no name").split(b"\0")[0].decode()
    if (major, minor) < CAPABILITY_NEEDED:
        raise Unusable(f"{name} has compute capability {major}.{minor}; tensor maps need 9.0 (Hopper)")
    value_or_lack(driver.cuDevicePrimaryCtxRetain(device), f"{name} gives no context")
    driver.cuDevicePrimaryCtxRelease(device)
    return f"{name} (sm_{major}{minor}), driver {driver_version()}, CUDA {cuda_version(driver)}"


def device_provenance(driver: Any = None) -> dict[str, str]:
    """Who answers, and when: device, target, driver, cuda, date. Unusable where nobody does."""
    driver = driver or driver_module()
    device = value_or_lack(driver.cuDeviceGet(0), "no device 0")
    name = value_or_lack(driver.cuDeviceGetName(64, device), "device 0 has no name").split(b"\0")[0].decode()
    target = "sm_{}{}".format(*capability(driver, device))
    told = {"device": name, "target": target, "driver": driver_version(), "cuda": cuda_version(driver)}
    return told | {"date": date.today().isoformat()}


def value_or_lack(answer: tuple[Any, ...], lack: str) -> Any:
    """The value of a driver call, or Unusable with ``lack`` and the CUresult's name."""
    if int(answer[0]):
        raise Unusable(f"{lack} ({answer[0].name})")
    return answer[1]


def capability(driver: Any, device: Any) -> tuple[int, int]:
    """Compute capability of ``device``: (9, 0) is Hopper."""
    kinds = driver.CUdevice_attribute
    major = kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    minor = kinds.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR
    read = partial(driver.cuDeviceGetAttribute, dev=device)
    return int(value_or_lack(read(major), "no capability")), int(value_or_lack(read(minor), "no capability"))


def cuda_version(driver: Any) -> str:
    """The CUDA version that the driver offers, for example "13.0"."""
    number = int(value_or_lack(driver.cuDriverGetVersion(), "no driver version"))
    return f"{number // 1000}.{number % 1000 // 10}"


def driver_version() -> str:
    """The driver's own version, for example "580.159.04"; "unknown" where nvidia-smi cannot be asked."""
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return told.split("\n")[0].strip()
