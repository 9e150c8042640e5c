"""Shared memory as lines of 128 bytes, eight 16-byte units each: which unit of a tile lies where; and an XOR of address bits."""

from collections.abc import Collection, Sequence
from typing import Any

from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.facts.swizzle import Pattern

LINE_BYTES, IN_LINE = 128, 8
CELL, HIGH, LEFT, TOP = 46.0, 20.0, 64.0, 44.0
MOST_LINES, BITS = 32, 11
BIT, BIT_TOP = 34.0, 40.0


def swizzle_grid(
    units: Sequence[int] | Any,
    units_in_row: int,
    shared_address: int = 0,
    marked: Collection[int] = (),
    title: str = "Shared memory, in 16-byte units",
) -> Picture:
    """Every line of 128 bytes from the one at ``shared_address`` (bytes) to the last that was touched; 32 lines at most.

    ``units`` is the whole window from address 0 on: the tensor's unit in each 16 bytes, counted row by row, or -1.
    A unit is called row.number; those in ``marked`` are drawn apart. ValueError where nothing was touched.
    """
    drawing, text = grid_drawing(units, units_in_row, shared_address, marked, title)
    return drawing.picture(text)


def grid_drawing(
    units: Sequence[int] | Any, units_in_row: int, shared_address: int, marked: Collection[int], title: str
) -> tuple[Drawing, str]:
    """The picture before it is finished, and the same in words."""
    lines = grid_lines(units, shared_address)
    sentence = sentence_of(marked, any(unit < 0 for _, line in lines for unit in line))
    drawing = Drawing(LEFT + IN_LINE * CELL + 8, TOP + len(lines) * HIGH + 26, title, sentence)
    _heads(drawing)
    for row, (address, line) in enumerate(lines):
        drawing.text(LEFT - 8, TOP + row * HIGH + 14, f"0x{address:03x}", anchor="end")
        for place, unit in enumerate(line):
            x, y = LEFT + place * CELL, TOP + row * HIGH
            drawing.box(x, y, CELL, HIGH, state_of(unit, marked), place_name(unit, units_in_row), hatched=False)
    drawing.text(8, TOP + len(lines) * HIGH + 18, sentence, faint=True, size=11)
    return drawing, "\n".join([title, _row("address", [f"+{16 * i}" for i in range(IN_LINE)]), *(
        _row(f"0x{address:03x}", [place_name(unit, units_in_row) + "*" * (unit in marked) for unit in line])
        for address, line in lines
    ), sentence])  # fmt: skip


def grid_lines(units: Sequence[int] | Any, shared_address: int) -> list[tuple[int, list[int]]]:
    """(address, eight units) of each 128-byte line that is drawn."""
    whole = [int(unit) for unit in units]
    touched = [place for place, unit in enumerate(whole) if unit >= 0]
    if not touched:
        raise ValueError("units: the copy touched nothing")
    first, last = shared_address // LINE_BYTES, touched[-1] // IN_LINE
    numbers = range(first, min(last + 1, first + MOST_LINES))
    return [(n * LINE_BYTES, whole[n * IN_LINE : (n + 1) * IN_LINE]) for n in numbers]


def place_name(unit: int, units_in_row: int) -> str:
    """row.number, or a dash where nothing was written."""
    return f"{unit // units_in_row}.{unit % units_in_row}" if unit >= 0 else "–"


def state_of(unit: int, marked: Collection[int]) -> str:
    """How a unit is drawn."""
    return "hole" if unit < 0 else "chosen" if unit in marked else "unit"


def sentence_of(marked: Collection[int], gaps: bool) -> str:
    """What the boxes mean."""
    parts = ["3.5 is unit 5 of row 3"]
    parts += ["dark: marked"] if marked else []
    parts += ["–: untouched"] if gaps else []
    return "; ".join(parts) + "."


def _row(head: str, words: Sequence[str]) -> str:
    return (f"{head:<9}" + "".join(f"{word:<6}" for word in words)).rstrip()


def _heads(drawing: Drawing) -> None:
    drawing.text(8, 16, drawing.title, bold=True)
    drawing.text(LEFT - 8, 36, "address", anchor="end", faint=True, size=11)
    for place in range(IN_LINE):
        drawing.text(LEFT + (place + 0.5) * CELL, 36, f"+{16 * place}", anchor="middle", faint=True, size=11)


def address_bits(pattern: Pattern, address: int) -> Picture:
    """The lowest 11 bits of ``address`` (bytes), those that are read, those that are turned, and the result."""
    drawing, text = bits_drawing(pattern, address, BITS)
    return drawing.picture(text)


def bits_drawing(pattern: Pattern, address: int, bits: int) -> tuple[Drawing, str]:
    """The picture before it is finished, and the same in words."""
    result = pattern(address)
    sentence = f"0x{address:03x} becomes 0x{result:03x}."
    drawing = Drawing(LEFT + bits * BIT + 8, BIT_TOP + 108, "The address, bit by bit", sentence)
    drawing.text(8, 16, f"The address, bit by bit: {sentence}", bold=True)
    for bit in reversed(range(bits)):
        x = LEFT + (bits - 1 - bit) * BIT
        drawing.text(x + BIT / 2, BIT_TOP - 4, str(bit), anchor="middle", faint=True, size=11)
        read, turned = pattern.mask >> bit & 1, (pattern.mask >> pattern.shift) >> bit & 1
        drawing.box(x, BIT_TOP, BIT, 22, "unit" if read else "empty", str(address >> bit & 1), hatched=False)
        state = ("moved" if (address ^ result) >> bit & 1 else "chosen") if turned else "unit" if read else "empty"
        became = f"{address >> bit & 1}→" * (state == "moved") + str(result >> bit & 1)
        drawing.box(x, BIT_TOP + 64, BIT, 22, state, became, hatched=False)
        if read:
            drawing.arrow(x + BIT / 2, BIT_TOP + 23, x + BIT * (0.5 + pattern.shift), BIT_TOP + 62, "differs")
    drawing.text(LEFT - 8, BIT_TOP + 15, "meant", anchor="end")
    drawing.text(LEFT - 8, BIT_TOP + 79, "lies at", anchor="end")
    drawing.text(8, BIT_TOP + 102, _legend(pattern), faint=True, size=11)
    return drawing, f"{bits_text(pattern, address, bits)}\n{sentence}"


def _legend(pattern: Pattern) -> str:
    if not pattern.mask:
        return "No bit is read, no bit is turned."
    return "Arrow: a bit that is read. Dark: XORed with it. 0→1, 1→0: turned."


def bits_text(pattern: Pattern, address: int, bits: int) -> str:
    """Both addresses in binary, and which bits turn which."""
    pairs = [(bit, bit - pattern.shift) for bit in reversed(range(bits)) if pattern.mask >> bit & 1]
    said = ", ".join(f"bit {turned} ^= bit {read}" for read, turned in pairs) or "no bit is turned"
    return f"meant    {address:0{bits}b}\nlies at  {pattern(address):0{bits}b}\n{said}"
