"""One measurement in this process: ``python -m maintain.hardware.measure.one NAME FILE [quick]``. Rows reach the file as they come."""

import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from course_lib.gpu.compile import compiler
from course_lib.gpu.device import cuda_version, driver_module, driver_version
from course_lib.rows.row import Row
from maintain.hardware.measure.clocks import Clocks
from maintain.hardware.measure.table import MEASUREMENTS, Measurement


def run_row(name: str, gpu: Any) -> Row:
    """Who answers, and when."""
    row: Row = {"kind": "run", "measurement": name, "compiler": compiler()}
    return row | (device_row() | {"target": gpu.target} if gpu else {}) | {"date": date.today().isoformat()}


def device_row() -> Row:
    """Device, driver and CUDA version."""
    driver = driver_module()
    name = driver.cuDeviceGetName(64, driver.cuDeviceGet(0)[1])[1].split(b"\0")[0].decode()
    return {"device": name, "driver": driver_version(), "cuda": cuda_version(driver)}


def gpu_or_none(measurement: Measurement) -> Any:
    """The device, with its architecture's own features; None for the compiler alone."""
    if measurement.how == "compiler":
        return None
    from course_lib.gpu.context import Gpu

    gpu = Gpu()
    gpu.target += "a"
    return gpu


def rows_of_measurement(name: str, quick: bool) -> Iterator[Row]:
    """The run's row, the measurement's rows, the clocks meanwhile."""
    measurement = MEASUREMENTS[name]
    gpu = gpu_or_none(measurement)
    yield run_row(name, gpu)
    with Clocks() as clocks:
        yield from measurement.load()(gpu, quick)
    if measurement.how == "gpu":
        yield clocks.row()


def write_rows(rows: Iterator[Row], path: Path) -> int:
    """Each row a line, at once; how many there were."""
    count = 0
    with path.open("w", encoding="utf-8") as lines:
        for count, row in enumerate(rows, 1):  # noqa: B007
            lines.write(json.dumps(row, separators=(",", ":")) + "\n")
            lines.flush()
    return count


if __name__ == "__main__":
    write_rows(rows_of_measurement(sys.argv[1], sys.argv[3:] == ["quick"]), Path(sys.argv[2]))
