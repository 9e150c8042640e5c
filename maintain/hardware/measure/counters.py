"""Hardware counters by Nsight Compute, one line for each launch of a kernel named ``run``, clocks left as they are."""

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from course_lib.rows.row import Row

METRICS = {
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
    "l2_write_sectors": "lts__t_sectors_op_write.sum",
    "l2_read_sectors": "lts__t_sectors_op_read.sum",
    "l2_sectors_from_sms": "lts__t_sectors_srcunit_tex.sum",
    "l2_sectors_from_fabric": "lts__t_sectors_srcunit_ltcfabric.sum",
    "sm_received_bytes": "l1tex__m_xbar2l1tex_read_bytes.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "profiled_ns": "gpu__time_duration.sum",
}


def command(log: Path) -> list[str]:
    """What stands before the command to profile; the caches are emptied before each launch."""
    metrics = ",".join(METRICS.values())
    options = ["--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics", metrics]
    named = ["--kernel-name-base", "function", "-k", "regex:^run$", "--log-file", str(log)]
    return ["ncu", *options, *named, "--cache-control", "all"]


def counter_rows(text: str) -> Iterator[Row]:
    """The counters of each launch. Lines of the log that are no table are passed over; an unknown metric is None."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    for number, launch in enumerate(csv.DictReader(lines)):
        if number:  # the first line holds the units
            yield {name: counter_value(launch.get(metric)) for name, metric in METRICS.items()}


def counter_value(text: str | None) -> float | None:
    """A number as the profiler prints it."""
    try:
        return round(float((text or "").replace(",", "")), 1)
    except ValueError:
        return None


def rows_with_counters(rows: Iterable[Row], counted: Iterable[Row]) -> Iterator[Row]:
    """Each launch's row with its counters, in order. ValueError where the profiler saw another number of launches."""
    for row, counters in zip(rows, counted, strict=True):
        yield row | counters


def rows_in(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
