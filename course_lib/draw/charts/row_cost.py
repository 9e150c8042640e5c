"""What rows cost: their bytes, the 32-byte sectors that L2 is asked for, and what DRAM reads, over blocks of 256 bytes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.cost.traffic import BLOCK_BYTES, READ_AROUND_BYTES, Traffic, starts_traffic
from course_lib.model.facts.enums import L2Promotion
from course_lib.model.facts.limits import L2_LINE_BYTES, SECTOR_BYTES

LEFT, TOP, SECTOR, STRIP, BLOCK = 92.0, 66.0, 72.0, 18.0, 74.0
BLOCKS_SHOWN = 4
NAMES = ("rows", "L2 is asked", "DRAM reads")


class ByteSpan(NamedTuple):
    """Bytes ``begin`` to before ``end`` of memory, with what is written there."""

    begin: int
    end: int
    words: str = ""


class Strips(NamedTuple):
    """The three strips of a picture, and the lines that are asked for only as a hint."""

    rows: list[ByteSpan]
    sectors: list[ByteSpan]
    demanded: list[ByteSpan]
    hinted: list[ByteSpan]


def row_cost_picture(
    starts: Sequence[int], row_bytes: int, l2_promotion: int = 0, title: str = "What rows cost"
) -> Picture:
    """Rows of ``row_bytes`` at the addresses ``starts``; the first blocks of memory that they touch."""
    shown = strips(starts, row_bytes, l2_promotion)
    touched = sorted({s.begin // BLOCK_BYTES for strip in shown for s in strip})
    blocks, said = touched[:BLOCKS_SHOWN], sentence(starts_traffic(starts, row_bytes, l2_promotion))
    drawing = Drawing(LEFT + 8 * SECTOR + 10, TOP + len(blocks) * BLOCK + 4, title, said)
    _heads(drawing)
    for place, block in enumerate(blocks):
        _block(drawing, TOP + place * BLOCK, block, shown)
    lines = [block_words(block, shown) for block in blocks]
    rest = [f"and {len(touched) - len(blocks)} blocks more"] if len(touched) > len(blocks) else []
    return drawing.picture("\n".join([title, said, *lines, *rest]))


def strips(starts: Sequence[int], row_bytes: int, l2_promotion: int) -> Strips:
    """What lies in each strip, by address."""
    rows = [ByteSpan(int(start), int(start) + row_bytes) for start in starts]
    asked = [s for row in rows for s in range(row.begin // SECTOR_BYTES, (row.end - 1) // SECTOR_BYTES + 1)]
    numbers, times = np.unique(asked, return_counts=True)
    sectors = [
        ByteSpan(n * SECTOR_BYTES, (n + 1) * SECTOR_BYTES, f"{t} times" if t > 1 else "")
        for n, t in zip(numbers.tolist(), times.tolist(), strict=True)
    ]
    around = READ_AROUND_BYTES[L2Promotion(l2_promotion)]
    units = {s.begin // around * around for s in sectors}
    demanded = [ByteSpan(unit, unit + around, f"{around} bytes") for unit in sorted(units)]
    first = [
        s.begin + L2_LINE_BYTES for s in sectors if s.begin % BLOCK_BYTES == 0 and l2_promotion == L2Promotion.L2_256B
    ]
    hinted = [ByteSpan(line, line + L2_LINE_BYTES, "a hint: mostly read") for line in first if line not in units]
    return Strips(rows, sectors, demanded, hinted)


def sentence(found: Traffic) -> str:
    """What the rows cost together."""
    sectors = plural(found.requested_sectors, "sector", f"{found.requested_sectors:,}")
    rows = f"{plural(found.rows, 'row')}, {found.useful_bytes:,} bytes"
    return (
        f"{rows}: L2 is asked for {sectors}, "
        f"DRAM reads {'about ' * bool(found.hinted_lines)}{found.dram_bytes:,} bytes."
    )


def block_words(block: int, shown: Strips) -> str:
    """A block in words."""
    parts = [f"{name} {places_words(block, strip)}" for name, strip in zip(NAMES, shown, strict=False)]
    hint = places_words(block, shown.hinted)
    return "; ".join([f"block at byte {block * BLOCK_BYTES}: {parts[0]}", *parts[1:]]) + f"; as a hint {hint}" * (
        hint != "nothing"
    )


def places_words(block: int, strip: Sequence[ByteSpan]) -> str:
    """Where in a block the spans of a strip lie, neighbours put together."""
    runs: list[list[int]] = []
    for begin, end in ((s.begin, s.end) for s in within(block, strip)):
        if runs and runs[-1][1] == begin:
            runs[-1][1] = end
        else:
            runs.append([begin, end])
    at = block * BLOCK_BYTES
    return ", ".join(f"{begin - at}–{end - at - 1}" for begin, end in runs) or "nothing"


def within(block: int, strip: Sequence[ByteSpan]) -> Iterator[ByteSpan]:
    """The spans of a strip, cut to a block."""
    low, high = block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES
    for span in strip:
        if span.begin < high and span.end > low:
            yield ByteSpan(max(span.begin, low), min(span.end, high), span.words)


def _heads(drawing: Drawing) -> None:
    drawing.text(8, 16, f"{drawing.title}: {drawing.description}", bold=True)
    for line in range(2):
        middle = LEFT + (4 * line + 2) * SECTOR
        drawing.text(middle, 38, f"line {line} of the block: 128 bytes", anchor="middle", faint=True, size=11)
    for number in range(8):
        drawing.text(LEFT + (number + 0.5) * SECTOR, 56, f"sector {number}", anchor="middle", faint=True, size=10)


def _block(drawing: Drawing, top: float, block: int, shown: Strips) -> None:
    base = block * BLOCK_BYTES
    for row, name in enumerate(NAMES):
        drawing.text(LEFT - 8, top + row * STRIP + 13, name, anchor="end", size=11)
    drawing.text(LEFT - 8, top + 3 * STRIP + 11, f"byte {base:,}", anchor="end", faint=True, size=10)
    for number in range(9):
        x, width = LEFT + number * SECTOR, 1.5 if number % 4 == 0 else 0.5
        drawing.line(x, top - 2, x, top + 3 * STRIP + 4, width=width)
    for row, (state, strip) in enumerate((("byte", shown.rows), ("element", shown.sectors), ("moved", shown.demanded))):
        _spans(drawing, top + row * STRIP, base, state, within(block, strip))
    _spans(drawing, top + 2 * STRIP, base, "waiting", within(block, shown.hinted))


def _spans(drawing: Drawing, top: float, base: int, state: str, spans: Iterator[ByteSpan]) -> None:
    for span in spans:
        x, width = LEFT + (span.begin - base) * SECTOR / SECTOR_BYTES, (span.end - span.begin) * SECTOR / SECTOR_BYTES
        drawing.box(x + 1, top + 1, width - 2, STRIP - 2, state, span.words, size=10, hatched=state != "byte")
