"""The second half of ``make record``: every measurement once more. Results must be those recorded, times are told.

A measurement's rows hold facts (is the sum right? which bits came?) beside times and counters, which obey laws. Other
facts, and a law that holds no longer, are an error where the architecture is the recordings' own; of the rates, the
middle of *now / recorded* is printed. Another device's or driver's files lie beside ours. Profiled measurements need
ncu, a peer's memory a second GPU.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from course_lib.gpu.device import device_provenance, gpu_status
from course_lib.recordings.files import committed, names, read_rows
from course_lib.recordings.sessions import provenance as recorded_provenance
from course_lib.rows.row import Row
from maintain.hardware import laws
from maintain.hardware.measure.__main__ import path_of, run_measurement
from maintain.hardware.measure.table import MEASUREMENTS
from maintain.hardware.remake import place_of

FACTS = (
    *("sum_is_right", "result_is_right", "equal", "blake2b_96", "halves_agree", "results", "refused", "driver_result"),
    *("bytes_are_the_drivers", "never_came", "never_ended", "host_wrote_it_last", "cp_async_bulk_tensor", "value"),
)
RATES = ("gb_per_s", "tflop_per_s", "cycles_median", "dram_read_bytes")
SHOWN = 5  # differences printed for each measurement


class Remeasurement(NamedTuple):
    """One measurement beside its recording: the rows, (row, fact, recorded, now) of each fact that is another one, and
    the middle of now / recorded over all rates, None where the rows have none.
    """

    rows: int
    differences: list[tuple[int, str, Any, Any]]
    ratio: float | None

    def __str__(self) -> str:
        rates = f", rates now {self.ratio:.3f} of the recorded" if self.ratio else ""
        return f"{self.rows} rows, {len(self.differences)} facts differ{rates}"


def names_to_measure() -> list[str]:
    """The measurements that a GPU makes and that ship with the library, and those alone."""
    shipped = set(names())
    return [name for name, m in MEASUREMENTS.items() if m.how != "compiler" and f"measure_{name}.jsonl.xz" in shipped]


def compared_rows(path: Path) -> list[Row]:
    """The rows of a measurement without those that tell who measured, and at which clocks."""
    return [row for row in read_rows(path) if row.get("kind") not in ("run", "clocks", "sm_clock")]


def facts(row: Row) -> Row:
    """What of a row must come again."""
    return {name: row[name] for name in FACTS if name in row}


def rate(row: Row) -> float | None:
    """The first rate that a row has."""
    return next((float(row[name]) for name in RATES if row.get(name)), None)


def compare_measurements(recorded: Sequence[Row], now: Sequence[Row]) -> Remeasurement:
    """Row by row. A row too many or too few differs too: the same program asks the same."""
    differences: list[tuple[int, str, Any, Any]] = []
    if len(recorded) != len(now):
        differences.append((min(len(recorded), len(now)), "rows", len(recorded), len(now)))
    ratios = []
    for number, (then, again) in enumerate(zip(recorded, now, strict=False)):
        old, new = facts(then), facts(again)
        differences += [(number, k, old.get(k), new.get(k)) for k in old | new if old.get(k) != new.get(k)]
        before, after = rate(then), rate(again)
        ratios += [after / before] if before and after else []
    return Remeasurement(len(now), differences, median(ratios) if ratios else None)


def remeasure(name: str, folder: Path) -> Iterator[tuple[str, int]]:
    """Measure, compare; lines to print, each with the differences that it stands for.

    A measurement that fails, or doesn't end, is a difference; without the profiler its counters are only missing.
    """
    line = run_measurement(name, folder, False)
    done = ": done (" in line
    yield line, int(not done and MEASUREMENTS[name].how == "gpu")
    if not done:
        return
    now = compared_rows(path_of(folder, name))
    if missing := [row["said"] for row in now if row.get("kind") == "missing"]:
        yield f"    not compared: {missing[0]}", 0
        return
    made = compare_measurements(compared_rows(committed(f"measure_{name}.jsonl.xz")), now)
    yield f"    {made}", len(made.differences)
    for number, fact, before, after in made.differences[:SHOWN]:
        yield f"    row {number}, {fact}: recorded {str(before)[:60]}, now {str(after)[:60]}", 0
    for sentence in laws.broken_laws(name, now):
        yield f"    no longer so: {sentence}", 1


def main(words: list[str]) -> int:
    """Measure and compare; 1 where something differs on the recordings' architecture, or there is no GPU."""
    parser = argparse.ArgumentParser(prog="python -m maintain.hardware.remeasure", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="measurements; all where none is given")
    parser.add_argument("--folder", type=Path, help="where the files go; by device and driver where not given")
    asked, status, started = parser.parse_args(words), gpu_status(), time.monotonic()
    print(status.sentence, flush=True)
    if not status.usable:
        return 1
    who, differences = device_provenance(), 0
    folder = asked.folder or place_of(who) / "measured"
    folder.mkdir(parents=True, exist_ok=True)
    for name in asked.names or names_to_measure():
        for line, count in remeasure(name, folder):
            print(line, flush=True)
            differences += count
    print(f"{differences} differences, {time.monotonic() - started:.0f} s, written to {folder}")
    return int(differences > 0 and who["target"] == recorded_provenance().target)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
