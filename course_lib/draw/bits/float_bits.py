"""The bits of one element, row below row: as it was, what came, and what it became, with every changed bit marked."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Drawing, Picture, text_width
from course_lib.model.copy.element_bits import ROUNDED_ON_LOADS
from course_lib.model.copy.one_element import kind_of, parts_of, value_of
from course_lib.model.facts.enums import DataType

CELL = {8: 24, 16: 24, 32: 17, 64: 10}
GAP, LEFT, TOP, ROW, BOX = 8, 124, 24, 46, 20
TF32_KEPT_BITS = 10


class BitsRow(NamedTuple):
    """One element: who holds it, its bits as an unsigned integer, and the bits that it is held against, if any."""

    label: str
    bits: int
    against: int | None = None


class BitRun(NamedTuple):
    """Bits that belong together: the highest, how many (``size``), and what they are."""

    first: int
    size: int
    name: str


def bits_picture(title: str, data_type: DataType, rows: Sequence[BitsRow], sentence: str = "") -> Picture:
    """The rows of one type, and one sentence on what they show (by default, how many bits changed)."""
    said = sentence or changes(rows)
    runs = list(bit_runs(data_type))
    cell = CELL[data_type.facts.bits]
    wide = LEFT + data_type.facts.bits * cell + GAP * len(runs)
    width = max(wide, text_width(said) + 16)
    drawing = Drawing(round(width), TOP + ROW * len(rows) + 24, title, said)
    for run, x in place_runs(runs, cell):
        anchor = "end" if run.name == "sign" else "middle"
        at = x + run.size * cell / (1 if anchor == "end" else 2)
        drawing.text(at, 14, run.name, anchor=anchor, size=10)
    for number, row in enumerate(rows):
        draw_row(drawing, TOP + number * ROW, data_type, row, list(place_runs(runs, cell)), cell)
    drawing.text(4, TOP + ROW * len(rows) + 14, said, bold=True)
    return drawing.picture("\n".join([*(bits_row_words(data_type, row) for row in rows), said]))


def draw_row(
    drawing: Drawing, y: float, data_type: DataType, row: BitsRow, runs: list[tuple[BitRun, float]], cell: int
) -> None:
    """One element: its label, a box a bit, and below it what the bits say."""
    drawing.text(4, y + 14, row.label, bold=True)
    changed = 0 if row.against is None else row.bits ^ row.against
    with drawing.group(hint=bits_row_words(data_type, row), row=row.label):
        for run, x in runs:
            for place in range(run.size):
                bit = run.first - place
                state = "moved" if changed >> bit & 1 else "element"
                size = 8 if cell < 12 else 11
                drawing.box(x + place * cell, y, cell, BOX, state, str(row.bits >> bit & 1), size=size)
    drawing.text(LEFT, y + 35, says(data_type, row.bits), size=11)


def bit_runs(data_type: DataType) -> Iterator[BitRun]:
    """Sign, exponent and mantissa, the mantissa of a TF32 type in two; one run for an integer."""
    sign, exponent, mantissa = parts_of(data_type)
    if not exponent:
        yield BitRun(mantissa - 1, mantissa, f"{mantissa} bits")
        return
    yield BitRun(exponent + mantissa, sign, "sign")
    yield BitRun(exponent + mantissa - 1, exponent, "exponent")
    if data_type in ROUNDED_ON_LOADS:
        yield BitRun(mantissa - 1, TF32_KEPT_BITS, "10 bits that TF32 keeps")
        yield BitRun(mantissa - TF32_KEPT_BITS - 1, mantissa - TF32_KEPT_BITS, "13 that it does not keep")
    else:
        yield BitRun(mantissa - 1, mantissa, f"mantissa, {mantissa} bits")


def place_runs(runs: Sequence[BitRun], cell: int) -> Iterator[tuple[BitRun, float]]:
    """Each run with the left edge of its first box."""
    x = float(LEFT)
    for run in runs:
        yield run, x
        x += run.size * cell + GAP


def says(data_type: DataType, bits: int) -> str:
    """The bits in hex, the number, and its kind."""
    value, kind = value_of(data_type, bits), kind_of(data_type, bits)
    number = f"{value:.9g}" if isinstance(value, float) else str(value)
    plain = kind.endswith("NaN") or kind == "infinity"
    word = f"{'minus ' if bits >> data_type.facts.bits - 1 else ''}{kind}" if plain else f"{number} {kind}".strip()
    return f"{hex_digits(data_type, bits)} = {word}"


def hex_digits(data_type: DataType, bits: int) -> str:
    """All hex digits of an element."""
    return f"0x{bits:0{data_type.facts.bits // 4}x}"


def bits_row_words(data_type: DataType, row: BitsRow) -> str:
    """A row as a line of text: the parts apart, a bit string each."""
    parts = [
        f"{row.bits >> run.first - run.size + 1 & (1 << run.size) - 1:0{run.size}b}" for run in bit_runs(data_type)
    ]
    return f"{row.label}: {' '.join(parts)}, {says(data_type, row.bits)}"


def changes(rows: Sequence[BitsRow]) -> str:
    """How many bits of the last row changed."""
    last = rows[-1]
    count = 0 if last.against is None else (last.bits ^ last.against).bit_count()
    return f"{plural(count, 'bit', str(count or 'No'))} changed."
