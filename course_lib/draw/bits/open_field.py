"""One of the sixteen fields, opened: each bit field in it, digit by digit, and what its number stands for."""

import re

from course_lib.draw.bits.fields import Group, bit_fields
from course_lib.draw.pen.palette import UNITS
from course_lib.draw.pen.plural import first_to_last, noun
from course_lib.draw.pen.svg import Drawing
from course_lib.model.call.sizes import ceil_div
from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.bits import Field
from course_lib.model.facts.limits import STRIDE_UNIT_BYTES

ROW, WIDTH, DIGIT = 34, 405, 6.2


def field_drawing(group: Group, call: Call, number: int, moved: int) -> Drawing:
    """The bit fields of a group, one below the other, with the bits that moved marked."""
    fields = bit_fields(group, call)
    title = f"{group.letter}: {group.name}, stored {group.stored}"
    drawing = Drawing(WIDTH, 22 + ROW * len(fields), title, "; ".join(field_lines(group, call, number, moved)[1:]))
    drawing.text(2, 14, title, bold=True)
    for row, field in enumerate(fields):
        y = 22 + row * ROW
        with drawing.group(bits=field.name):
            drawing.text(2, y + 12, f"{place_words(field)}  {label(field)}".replace("  ", "\u00a0\u00a0"), size=11)
            drawing.text(WIDTH - 2, y + 12, meaning(field, call, number), size=11, anchor="end", bold=True)
            if group.unit:
                _digits(drawing, y + 16, field, number, moved, UNITS[group.unit])
    return drawing


def field_lines(group: Group, call: Call, number: int, moved: int) -> list[str]:
    """The same in words."""
    lines = [f"{group.name}, stored {group.stored}:"]
    for field in bit_fields(group, call):
        bits = [str(field.lsb + at) for at in range(field.width) if field.read(moved) >> at & 1]
        mark = f"; {noun(len(bits), 'bit')} {', '.join(bits)} moved" if bits else ""
        lines.append(f"  {place_words(field)} {label(field)}: {meaning(field, call, number)}{mark}")
    return lines


def place_words(field: Field) -> str:
    """Where a bit field lies."""
    return first_to_last("bit", field.lsb, field.lsb + field.width - 1)


def label(field: Field) -> str:
    """The name of a bit field without how it is stored."""
    return re.sub(r"_minus_1", "", field.name).replace("_", " ")


def meaning(field: Field, call: Call, number: int) -> str:
    """The stored number and what it stands for."""
    stored = field.read(number)
    index = re.search(r"_(\d)_", field.name)
    if index and int(index[1]) >= call.rank - field.name.startswith("stride"):
        return f"{stored}, unused at rank {call.rank}"
    if field.name.endswith("_minus_1"):
        return f"{stored} means {stored + 1}"
    if field.name.startswith("stride"):
        return f"{stored} means {STRIDE_UNIT_BYTES * stored << 32 * field.name.endswith('high')} bytes"
    if "corner" in field.name:
        return f"{stored} means {field.read_signed(number)}"
    return hex(stored) if field.name == "global_address" else str(stored)


def _digits(drawing: Drawing, y: float, field: Field, number: int, moved: int, state: str) -> None:
    """All digits of a bit field, the highest first, in fours; those that moved in boxes of their own."""
    fours = ceil_div(field.width, 4)
    digit = min(DIGIT, (WIDTH - 8) / (field.width + 0.6 * fours))
    drawing.box(2, y, field.width * digit + (fours - 1) * 0.6 * digit + 4, 15, state, hatched=False)
    for four in range(fours):
        part = Field("", field.lsb + 4 * four, min(4, field.width - 4 * four))
        x = 4 + (field.width - part.width - 4 * four) * digit + (fours - 1 - four) * 0.6 * digit
        digits = format(part.read(number), f"0{part.width}b")
        drawing.text(x, y + 11, digits, size=10, span=part.width * digit, state=state)
        for at in range(part.width):
            if part.read(moved) >> (part.width - 1 - at) & 1:
                drawing.box(x + at * digit, y, digit, 15, "moved", digits[at], size=10)
