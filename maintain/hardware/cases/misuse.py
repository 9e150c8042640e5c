"""Scripts for one mbarrier without a copy: counts at the ends of their ranges, arrivals too many, drops, no set-up.

A script is written as its steps in words, "expect 64; complete 64; arrive"; {most} is 2**20 - 1, the largest count.
"""

from collections.abc import Iterator
from typing import Any

from course_lib.rows.row import Row
from maintain.hardware.cases.barriers import MOST

SCRIPTS: tuple[tuple[int, str], ...] = (  # the count of init, the steps
    (1, "settle 0"),
    (1, "expect 64; complete 32; complete 32; arrive"),
    (3, "arrive; arrive; arrive"),
    (2, "arrive_expect 64; complete 64; arrive; arrive_drop; arrive"),
    (5, "arrive_count 2; arrive_drop; arrive_count 2"),
    (1, "expect {most}"),
    (1, "expect {most}; expect 1"),
    (1, "expect {most}; expect 1; complete 1"),
    (1, "expect {most}; complete {most}"),
    (1, "expect 1048576"),
    (1, "expect 2097151"),
    (1, "expect 1048574; expect 1; expect 1"),
    (1, "complete {most}"),
    (1, "complete {most}; complete 1"),
    (1, "complete 1048576"),
    (1, "complete 64; expect 64; arrive"),
    (2, "arrive_drop; arrive_drop"),
    (2, "arrive_drop; arrive_drop; settle 0"),
    (2, "arrive_drop; arrive_drop; expect 16"),
    (2, "arrive_drop; arrive_drop; expect 16; complete 16"),
    (2, "arrive_drop; arrive_drop; arrive"),
    (2, "arrive_drop 2"),
    (3, "arrive_drop 2; arrive"),
    (3, "arrive_drop; arrive_drop; arrive; arrive; arrive"),
    (2, "arrive_count 3"),
    (2, "arrive_count 2"),
    (1, "arrive_expect 128; complete 256"),
    (1, "arrive_expect 128; complete 256; arrive"),
    (1, "arrive_expect 128; complete 256; expect 128"),
    (1, "arrive_expect 128; arrive"),
    (1, "arrive_expect 128; arrive_drop"),
    (1, "arrive_expect 0; arrive_expect 0"),
    (1, "expect 16; arrive; complete 16"),
    (1, "complete 16; arrive; expect 16"),
    (1, "complete 16; arrive"),
    (1, "complete 16; arrive; arrive"),
    (1, "expect 64; arrive; complete 32; complete 64"),
    (1, "arrive_expect 64; complete 32; expect 32; complete 64"),
    (0, "arrive"),
    (0, "complete 16"),
    (0, "expect 16"),
    (1, "inval; settle 0"),
    (1, "inval; arrive"),
    (1, "inval; expect 16"),
    (1, "arrive_expect 64; init 1; arrive"),
    (1, "arrive; init 3; arrive"),
    (MOST, "arrive; arrive_count 1048574"),
    (1, "expect 16; arrive_drop; complete 16"),
    (1, "arrive_drop"),
    (2, "arrive_drop 1; arrive"),
)
TILES = (  # row_bytes, rows, coordinates in a tensor of 256 x 256 bytes
    *((64, 1, (x, 0)) for x in (0, 16, -16, 208, 240, 256)),
    *((row_bytes, 1, (16, 0)) for row_bytes in (32, 48, 128)),
    (128, 1, (0, 0)),
    (32, 2, (0, -1)),
    (16, 4, (0, -2)),
    (16, 2, (16, 0)),
    (64, 4, (0, 0)),
    (256, 1, (0, 0)),
    (256, 1, (-128, 0)),
    (96, 2, (0, 0)),
)
LINES = ((16, 0), (32, 0), (64, 0), (64, 16), (128, 0), (256, 0), (256, 16), (1024, 0), (48, 0), (80, 48))
RUNS = 16


def misuse_steps(text: str) -> list[list[Any]]:
    """[name] or [name, number] for each step of the words."""
    words = (step.split() for step in text.format(most=MOST).split("; "))
    return [[name, *map(int, number)] for name, *number in words]


def misuse_rows() -> Iterator[Row]:
    """Every script."""
    return ({"count": count, "steps": misuse_steps(text)} for count, text in SCRIPTS)


def piece_rows() -> Iterator[Row]:
    """Boxes, and linear copies, of which every expected count is tried."""
    tiles = (("tile", *tile) for tile in TILES)
    lines = (("bulk", row_bytes, 1, (x, 0)) for row_bytes, x in LINES)
    for copy, row_bytes, rows, at in (*tiles, *lines):
        asked = {"copy": copy, "row_bytes": row_bytes, "rows": rows, "coordinates": list(at)}
        yield asked | {"tensor_bytes": [256, 256], "runs": RUNS}
