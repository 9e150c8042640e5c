"""Scripts for one mbarrier over three phases, and every count that a copy may hit on its way down."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from course_lib.rows.boxes import SETTLE_NS, box_row
from course_lib.rows.row import Row

SETTLE = ["settle", SETTLE_NS]
COPY: list[Any] = ["copy", 0]
BOXES = ((16, 1), (16, 4), (64, 1), (64, 4), (128, 8), (256, 1), (256, 64), (48, 5))
ROW_BYTES = (16, 32, 48, 64, 80, 96, 112, 128, 144, 192, 256, 512, 1024, 2048)
MOST = 2**20 - 1  # of arrivals and of bytes: PTX ISA 9.4, mbarrier
SPANS = {0: 0, 1: 32, 2: 64, 3: 128}


def script(name: str, box: tuple[int, int], steps: list[list[Any]], count: int = 1, swizzle: int = 0) -> Row:
    """A barrier row."""
    pitch = max(box[0], SPANS[swizzle])
    window = -(-pitch * box[1] // 1024) * 1024 + 1024
    return {"name": name, "map": box_row(*box, swizzle), "window_bytes": window, "count": count, "steps": steps}


def script_steps(text: str, **numbers: int) -> list[list[Any]]:
    """Steps from words: "arrive_expect {size}; copy; settle". Copy starts at 0, settle takes 10 microseconds."""
    implied = {"copy": COPY, "settle": SETTLE}
    words = [step.split() for step in text.format(**numbers).split("; ")]
    return [implied.get(name, [name, *map(int, number)]) for name, *number in words]


THREE_TIMES = {
    "right": "arrive_expect {size}; copy; settle",
    "copy before expect": "copy; settle; arrive_expect {size}; settle",
    "expect, copy, arrive": "expect {size}; copy; settle; arrive",
    "copy, expect, arrive": "copy; settle; expect {size}; arrive",
    "arrive without expect, then copy": "arrive; copy; settle",
    "two copies, one expect of both": "arrive_expect {twice}; copy; settle; copy; settle",
    "two copies, two expects": "expect {size}; arrive_expect {size}; copy; settle; copy; settle",
    "an arrival too many": "arrive_expect {size}; copy; settle; arrive",
}
SEVERAL = {  # count: name → one phase, and the phases after a drop
    2: {
        "one arrives each phase": "arrive_expect {size}; copy; settle",
        "all arrive": "arrive_expect {size}; copy; settle; arrive",
        "all arrive at once": "arrive_expect {size}; copy; settle; arrive_count 1",
    },
    3: {
        "one arrives each phase": "arrive_expect {size}; copy; settle",
        "all arrive": "arrive_expect {size}; copy; settle; arrive; arrive",
        "all arrive at once": "arrive_expect {size}; copy; settle; arrive_count 2",
    },
}
DROPPING = {
    2: ("arrive_expect {size}; copy; settle; arrive_drop", "arrive_expect {size}; copy; settle"),
    3: ("arrive_expect {size}; copy; settle; arrive; arrive_drop", "arrive_expect {size}; copy; settle; arrive"),
}
WITHOUT_COPY = {  # name: (count, script); {most} is 2**20 - 1
    "arrivals only, count 1": (1, "arrive; arrive; arrive; arrive; arrive; arrive"),
    "arrivals only, count 3": (3, "arrive; arrive; arrive; arrive; arrive; arrive; arrive; arrive; arrive; arrive"),
    "complete more than expected": (1, "arrive_expect 128; complete 256; arrive_expect 128"),
    "expect up to the largest count": (1, "expect {most}; complete {most}; arrive"),
    "expect past the largest count": (
        1,
        "expect {most}; expect 1; expect 1; complete 1; complete 1; complete {most}; arrive",
    ),
    "complete down to the smallest count": (1, "complete {most}; expect {most}; arrive"),
    "complete past the smallest count": (1, "complete {most}; complete 1; complete 1; expect 2; expect {most}; arrive"),
    "all drop": (2, "arrive_drop; arrive_drop; arrive; arrive"),
    "largest arrival count": (MOST, "arrive; arrive_count {almost}; arrive"),
    "more arrivals than pending": (2, "arrive_count 3; arrive; arrive"),
}
BY_HAND = {
    "expect and complete by hand": "arrive_expect 256; complete 128; complete 128",
    "complete before expect": "complete 128; arrive_expect 128",
}


def three_phases(box: tuple[int, int]) -> Iterator[Row]:
    """Orders of arriving, expecting and copying one box, over three phases."""
    size = box[0] * box[1]
    for name, text in THREE_TIMES.items():
        yield script(name, box, script_steps(text, size=size, twice=2 * size) * 3)
    yield script("no arrival", box, script_steps("expect {size}; copy; settle", size=size))
    for count, phases in SEVERAL.items():
        for name, text in phases.items():
            yield script(f"count {count}, {name}", box, script_steps(text, size=size) * 3, count)
    for count, (first, later) in DROPPING.items():
        steps = script_steps(first, size=size) + script_steps(later, size=size) * 2
        yield script(f"count {count}, one drops", box, steps, count)


def wrong_counts(box: tuple[int, int]) -> Iterator[Row]:
    """Too few and too many bytes expected, in every phase or only in the first."""
    size, phase = box[0] * box[1], "arrive_expect {size}; copy; settle"
    for expected in sorted({max(size - 16, 0), size // 2, size + 16, 2 * size, 0}):
        wrong, right = script_steps(phase, size=expected), script_steps(phase, size=size)
        yield script(f"every phase expects {expected}", box, wrong * 3)
        yield script(f"phase 0 expects {expected}, then right", box, wrong + right * 2)


def without_copy() -> Iterator[Row]:
    """The barrier alone: arrivals, and counts to the ends of their ranges."""
    for name, (count, text) in WITHOUT_COPY.items():
        yield script(name, BOXES[0], script_steps(text, most=MOST, almost=MOST - 1), count)
    for name, text in BY_HAND.items():
        yield script(name, BOXES[0], script_steps(text) * 3)


def barrier_rows() -> Iterator[Row]:
    """Scripts over three phases."""
    for box in BOXES:
        yield from three_phases(box)
    for box in BOXES[:4]:
        yield from wrong_counts(box)
    yield from without_copy()


def early_rows() -> Iterator[Row]:
    """Every expected count up to the box's bytes and one more: on the way down, which are hit and end the phase early?"""
    for row_bytes, rows, swizzle in product(ROW_BYTES, (1, 2, 3, 4, 8), range(4)):
        size = row_bytes * rows
        if (swizzle == 0 or row_bytes <= SPANS[swizzle]) and size <= 8192:
            for expected in range(0, size + 32, 16):
                steps = [["arrive_expect", expected], COPY, SETTLE]
                name = f"{rows} rows of {row_bytes} bytes, {expected} expected"
                yield script(name, (row_bytes, rows), steps, swizzle=swizzle) | {"expected": expected, "runs": 16}
