"""Measure: ``python -m maintain.hardware.measure OUTDIR --only bandwidth latency … [--quick]``, one file a measurement.

Each runs in a process of its own and is ended when its time is over; the others go on.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from course_lib.gpu.device import gpu_status
from maintain.hardware.measure import counters
from maintain.hardware.measure.one import write_rows
from maintain.hardware.measure.table import MEASUREMENTS


def path_of(folder: Path, name: str) -> Path:
    """The file of a measurement."""
    return folder / f"measure_{name}.jsonl"


def command_of(name: str, target: Path, quick: bool) -> list[str]:
    """What makes the rows, under the profiler where launches are to be counted."""
    asked = [sys.executable, "-m", f"{__package__}.one", name, str(target), *(["quick"] if quick else [])]
    profiled = MEASUREMENTS[name].how == "counters"
    return [*counters.command(target.with_suffix(".csv")), *asked] if profiled else asked


def run_measurement(name: str, folder: Path, quick: bool, command: Sequence[str] | None = None) -> str:
    """Run one measurement; one line that says how it went."""
    target, began = path_of(folder, name), time.monotonic()
    try:
        limit = MEASUREMENTS[name].seconds
        done = subprocess.run(command or command_of(name, target, quick), timeout=limit, capture_output=True, text=True)
        outcome = "done" if done.returncode == 0 else f"failed: {(done.stderr or done.stdout)[-1500:]}"
        if MEASUREMENTS[name].how == "counters":
            outcome += join_counters(target)
    except subprocess.TimeoutExpired:
        outcome = "ran out of time"
    except OSError as error:
        outcome = f"could not start: {error}"
    return f"{name}: {outcome} ({time.monotonic() - began:.1f} s)"


def join_counters(target: Path) -> str:
    """Put the profiler's counters beside the rows; what went wrong, or nothing."""
    log = target.with_suffix(".csv")
    try:
        run, *rows = counters.rows_in(target)
        write_rows(
            iter([run, *counters.rows_with_counters(rows, counters.counter_rows(log.read_text(encoding="utf-8")))]),
            target,
        )
    except (OSError, ValueError) as error:
        return f", but without counters: {error}"
    return ""


def command_line(words: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m maintain.hardware.measure", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--only", nargs="*", choices=list(MEASUREMENTS), default=list(MEASUREMENTS))
    parser.add_argument("--quick", action="store_true", help="a few small launches of each: does all work?")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Measure; 1 where something failed or a GPU is needed and there is none."""
    asked, status = command_line(words), gpu_status()
    print(status.sentence, flush=True)
    asked.folder.mkdir(parents=True, exist_ok=True)
    possible = [name for name in asked.only if status.usable or MEASUREMENTS[name].how == "compiler"]
    lines = []
    for name in possible:
        lines.append(run_measurement(name, asked.folder, asked.quick))
        print(lines[-1], flush=True)
    return 0 if possible == asked.only and all(": done (" in line for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
