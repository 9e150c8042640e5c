"""python benchmarks/speed.py: how fast the model is, as medians in one run, and time against box size.

Prints one line a goal, then a table, and draws the table to benchmarks/box_size.svg.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from boxes import ROW_BYTES, box
from clock import Measured, each, seconds
from plot import plotted

from course_lib.recordings import committed, read_rows
from course_lib.recordings.replay.replay import replay
from course_lib.rows.calls import tensor_map_of

SVG = Path(__file__).with_name("box_size.svg")
IMPORT = "import numpy, time; t = time.perf_counter(); import course_lib; print(time.perf_counter() - t)"
SIZES = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]  # rows of 128 bytes
CALLS = 200


def verdicts_and_bytes() -> Measured:
    """Every recorded encode call: made, judged and, where it is legal, encoded."""
    rows = list(read_rows(committed("encode.jsonl.xz")))

    def work() -> None:
        for row in rows:
            tensor_map = tensor_map_of(row)
            if tensor_map.check().accepted:
                tensor_map.encode()

    return Measured(f"verdict and encode of {len(rows):,} rows", seconds(work, 3), "s", 8)


def import_time() -> Measured:
    """What `import course_lib` adds to NumPy's own import, in fresh processes."""
    command = [sys.executable, "-c", IMPORT]
    told = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(11)]
    return Measured("import course_lib beyond NumPy's import", median(map(float, told)), "s", 0.15)


def replay_time() -> Measured:
    """Every recorded load, read, copied and compared."""
    return Measured("replay of 6,500 loads", seconds(lambda: replay(committed("load.jsonl.xz")), 3), "s", 3)


def ratios() -> Iterator[Measured]:
    """A 16 KiB box with 128B swizzle against the readable twin, a plain NumPy copy, and its store."""
    one = box(16384 // ROW_BYTES)
    copies = {name: each(copy, CALLS) for name, copy in one.copies().items()}
    twin, load = seconds(one.plain, 5), copies["load"]
    yield Measured("16 KiB load, 128B swizzle", load * 1e6, "µs", 60)
    yield Measured("16 KiB load: times faster than the plain twin", twin / load, "times", 200, at_least=True)
    yield Measured("16 KiB load: times a plain strided NumPy copy", load / copies["NumPy"], "times", 20)
    yield Measured("16 KiB store: times the load", copies["store"] / load, "times", 3)


def by_box_size() -> dict[int, dict[str, float]]:
    """Microseconds of each copy, by bytes of the box."""
    boxes = [box(rows) for rows in SIZES]
    return {b.size_bytes: {name: 1e6 * each(copy, CALLS) for name, copy in b.copies().items()} for b in boxes}


def table(times: dict[int, dict[str, float]]) -> Iterator[str]:
    """The times as text."""
    names = list(next(iter(times.values())))
    yield f"{'box':>9} {''.join(f'{name:>12}' for name in names)}   (µs)"
    for size, row in times.items():
        yield f"{size:>9,} {''.join(f'{row[name]:>12.1f}' for name in names)}"


def main() -> int:
    """Print everything; 1 where a goal is missed."""
    measured = [verdicts_and_bytes(), import_time(), replay_time(), *ratios()]
    print(*measured, sep="\n")
    times = by_box_size()
    print("", *table(times), sep="\n")
    SVG.write_text(plotted(times), encoding="utf-8")
    return 0 if all(one.reached for one in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
