"""Power, clock and what limits it, read many times a second beside a measurement by NVML, the driver's own library.

nvidia-smi needs about a second for each reading. Source of the names and units: NVML API Reference, Device Queries.
"""

import time
from collections.abc import Callable
from ctypes import CDLL, byref, c_char_p, c_uint, c_ulonglong, c_void_p
from statistics import median
from threading import Event, Thread
from typing import Any, NamedTuple

from cuda.bindings import driver

from course_lib.gpu.context import Gpu, driver_value
from course_lib.rows.row import Row

EVERY_S = 0.02
SM_CLOCK = 1  # NVML_CLOCK_SM
POWER_CAP, SLOWDOWNS = 0x4, 0xE8  # SwPowerCap; HwSlowdown, SwThermal, HwThermal, HwPowerBrake


class Sample(NamedTuple):
    """One reading: seconds of any clock, millijoules since the driver's start, milliwatts, MHz, the reasons' bits."""

    seconds: float
    energy_mj: int
    power_mw: int
    sm_mhz: int
    reasons: int


def reader(gpu: Gpu) -> Callable[[], Sample]:
    """What reads the device. OSError or AttributeError where NVML or one of its calls is missing."""
    nvml, handle = CDLL("libnvidia-ml.so.1"), c_void_p()
    place = driver_value(driver.cuDeviceGetPCIBusId(32, gpu.device), "PCI place").split(b"\0")[0]
    if nvml.nvmlInit_v2() or nvml.nvmlDeviceGetHandleByPciBusId_v2(c_char_p(place), byref(handle)):
        raise OSError("NVML does not know this device")
    energy, power = nvml.nvmlDeviceGetTotalEnergyConsumption, nvml.nvmlDeviceGetPowerUsage
    clock, newer = nvml.nvmlDeviceGetClockInfo, "nvmlDeviceGetCurrentClocksEventReasons"
    reasons = getattr(nvml, newer, None) or nvml.nvmlDeviceGetCurrentClocksThrottleReasons

    def value(call: Any, kind: Any, *more: Any) -> int:
        into = kind()
        refused: int = call(handle, *more, byref(into))
        return 0 if refused else int(into.value)

    return lambda: Sample(
        time.monotonic(),
        value(energy, c_ulonglong),
        value(power, c_uint),
        value(clock, c_uint, c_uint(SM_CLOCK)),
        value(reasons, c_ulonglong),
    )


class Meter:
    """Reads while the ``with`` block runs; ``row`` tells what was seen. Without NVML nothing is."""

    def __init__(self, gpu: Gpu):
        self.samples: list[Sample] = []
        self._read: Callable[[], Sample] | None = None
        try:
            self._read = reader(gpu)
        except (OSError, AttributeError):
            return

    def __enter__(self) -> "Meter":
        self._over, self._thread = Event(), Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while self._read and not self._over.wait(EVERY_S):
            self.samples.append(self._read())

    def row(self) -> Row:
        """See ``summary``."""
        return summary(self.samples)


def summary(samples: list[Sample]) -> Row:
    """``samples``; ``watts`` from the energy between the first and the last; ``smoothed_watts`` and ``sm_mhz`` as min,
    median, max; the share of samples in which a limit held the clock back: ``power_capped`` and ``slowed``.
    """
    if len(samples) < 2:
        return {"samples": len(samples)}
    first, *_, last = samples
    row: Row = {"samples": len(samples)}
    row["watts"] = round((last.energy_mj - first.energy_mj) / (last.seconds - first.seconds) / 1e3, 1)
    for name, values in (
        ("smoothed_watts", [sample.power_mw / 1e3 for sample in samples]),
        ("sm_mhz", [float(sample.sm_mhz) for sample in samples]),
    ):
        row[name] = [round(number, 1) for number in (min(values), median(values), max(values))]
    for name, bits in (("power_capped", POWER_CAP), ("slowed", SLOWDOWNS)):
        row[name] = round(sum(bool(sample.reasons & bits) for sample in samples) / len(samples), 3)
    return row
