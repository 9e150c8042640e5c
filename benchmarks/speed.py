"""python benchmarks/speed.py: how fast the model is, as medians in one run, and time against box size.

Prints one line a goal, then a table, and draws the table to benchmarks/box_size.svg.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from boxes import ROW_BYTES, make_box
from clock import Measurement, median_seconds, seconds_per_call
from plot import plot_times

from course_lib.recordings import committed, read_rows
from course_lib.recordings.replay.replay import replay
from course_lib.rows.calls import tensor_map_of

SVG = Path(__file__).with_name("box_size.svg")
IMPORT = "import numpy, time; t = time.perf_counter(); import course_lib; print(time.perf_counter() - t)"
SIZES = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]  # rows of 128 bytes
CALLS = 200


def time_encode_calls() -> Measurement:
    """Every recorded encode call: made, judged and, where it is legal, encoded."""
    rows = list(read_rows(committed("encode.jsonl.xz")))

    def work() -> None:
        for row in rows:
            tensor_map = tensor_map_of(row)
            if tensor_map.check().accepted:
                tensor_map.encode()

    return Measurement(f"verdict and encode of {len(rows):,} rows", median_seconds(work, 3), "s", 8)


def time_import() -> Measurement:
    """What `import course_lib` adds to NumPy's own import, in fresh processes."""
    command = [sys.executable, "-c", IMPORT]
    told = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(11)]
    return Measurement("import course_lib beyond NumPy's import", median(map(float, told)), "s", 0.15)


def time_replay() -> Measurement:
    """Every recorded load, read, copied and compared."""
    return Measurement("replay of 6,500 loads", median_seconds(lambda: replay(committed("load.jsonl.xz")), 3), "s", 3)


def compare_copies() -> Iterator[Measurement]:
    """A 16 KiB box with 128B swizzle against the readable twin, a plain NumPy copy, and its store."""
    one = make_box(16384 // ROW_BYTES)
    copies = {name: seconds_per_call(copy, CALLS) for name, copy in one.copies().items()}
    twin, load = median_seconds(one.plain, 5), copies["load"]
    yield Measurement("16 KiB load, 128B swizzle", load * 1e6, "µs", 60)
    yield Measurement("16 KiB load: times faster than the plain twin", twin / load, "times", 200, at_least=True)
    yield Measurement("16 KiB load: times a plain strided NumPy copy", load / copies["NumPy"], "times", 20)
    yield Measurement("16 KiB store: times the load", copies["store"] / load, "times", 3)


def time_boxes() -> dict[int, dict[str, float]]:
    """Microseconds of each copy, by bytes of the box."""
    boxes = [make_box(rows) for rows in SIZES]
    return {
        b.size_bytes: {name: 1e6 * seconds_per_call(copy, CALLS) for name, copy in b.copies().items()} for b in boxes
    }


def time_table(times: dict[int, dict[str, float]]) -> Iterator[str]:
    """The times as text."""
    names = list(next(iter(times.values())))
    yield f"{'box':>9} {''.join(f'{name:>12}' for name in names)}   (µs)"
    for size, row in times.items():
        yield f"{size:>9,} {''.join(f'{row[name]:>12.1f}' for name in names)}"


def main() -> int:
    """Print everything; 1 where a goal is missed."""
    measured = [time_encode_calls(), time_import(), time_replay(), *compare_copies()]
    print(*measured, sep="\n")
    times = time_boxes()
    print("", *time_table(times), sep="\n")
    SVG.write_text(plot_times(times), encoding="utf-8")
    return 0 if all(one.is_reached for one in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
