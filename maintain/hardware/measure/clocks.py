"""The clocks, power and temperature while a measurement runs, read beside it and never set."""

import subprocess
from contextlib import suppress
from statistics import median
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO

from course_lib.rows.row import Row

FIELDS = {
    "sm_mhz": "clocks.sm",
    "memory_mhz": "clocks.mem",
    "power_w": "power.draw",
    "temperature_c": "temperature.gpu",
}
EVERY_MS = 100


class Clocks:
    """Samples them while the ``with`` block runs; ``row`` tells what was seen."""

    def __enter__(self) -> "Clocks":
        self._file: IO[str] = TemporaryFile("w+")
        self._process: subprocess.Popen[bytes] | None = None
        command = ["nvidia-smi", f"--query-gpu={','.join(FIELDS.values())}", "--format=csv,noheader,nounits"]
        with suppress(OSError):
            self._process = subprocess.Popen([*command, f"--loop-ms={EVERY_MS}"], stdout=self._file)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def row(self) -> Row:
        """Median and range of each field; ``samples`` is 0 where nothing could be read."""
        self._file.seek(0)
        return clocks_row(self._file.read())


def clocks_row(text: str) -> Row:
    """nvidia-smi's lines as one row."""
    lines = [line.split(",") for line in text.splitlines() if line.count(",") == len(FIELDS) - 1]
    row: Row = {"kind": "clocks", "samples": len(lines)}
    for name, column in zip(FIELDS, zip(*lines, strict=True), strict=False):
        values = [float(value) for value in column if value.strip().replace(".", "", 1).isdigit()]
        row[name] = [min(values), median(values), max(values)] if values else None
    return row
