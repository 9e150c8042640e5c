"""The microscope's picture: all 1,024 bits, the sixteen fields beside them, and one of these opened bit by bit.

What moved between two settings is dark with light digits, and is counted in words behind a ▲.
"""

from typing import NamedTuple

from course_lib.draw.bits.fields import GROUPS, NAMES, Group, bit_fields, moved_bits, words_for
from course_lib.draw.bits.open_field import field_drawing, field_lines
from course_lib.draw.pen.palette import STATES, UNITS
from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Drawing, Picture, beside
from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.bits import Field

BIT, ROW, LEFT, TOP, WIDTH = 6, 22, 20, 16, 405
LIST_ROW, VALUE_LETTERS = 21, 26


class CallBits(NamedTuple):
    """A call, its 1,024 bits as one number, and which of them moved."""

    call: Call
    number: int
    moved: int

    @property
    def sentence(self) -> str:
        """How many bits moved, and in which fields."""
        counts = {group.name: moved_bits(group, self.call, self.moved) for group in GROUPS}
        names = [name for name, count in counts.items() if count]
        if not names:
            return "No bit moved."
        bits = sum(counts.values())
        return f"{plural(bits, 'bit')} moved in {plural(len(names), 'field')}: {', '.join(names)}."


def call_bits(call: Call, before: Call | None = None) -> CallBits:
    """A call that the driver accepts, held against an earlier one if there is one."""
    number = int.from_bytes(call.encode(), "little")
    return CallBits(call, number, number ^ int.from_bytes(before.encode(), "little") if before is not None else 0)


def descriptor_picture(call: Call, before: Call | None = None, opened: str = "") -> Picture:
    """The bytes of a call as sixteen fields; ``before`` is an earlier call, ``opened`` the name of a field to open.

    IllegalTensorMap where the driver refuses one of the calls, ValueError for an unknown field.
    """
    if opened and opened not in NAMES:
        raise ValueError(f"opened={opened!r}: the fields are {', '.join(NAMES)}")
    what = call_bits(call, before)
    drawings, lines = [_map(what, opened), _list(what)], _lines(what)
    if opened:
        group = GROUPS[NAMES.index(opened)]
        drawings.append(field_drawing(group, call, what.number, what.moved))
        lines += field_lines(group, call, what.number, what.moved)
    return beside(*drawings, text="\n".join([*lines, what.sentence] if before is not None else lines))


def _map(what: CallBits, opened: str) -> Drawing:
    drawing = Drawing(WIDTH, TOP + 16 * ROW + 2, "The 1,024 bits of a tensor map", what.sentence)
    drawing.text(LEFT, 10, "bit 63 of each word", size=9, faint=True)
    drawing.text(WIDTH - 2, 10, "bit 0", size=9, faint=True, anchor="end")
    for word in range(16):
        drawing.text(LEFT - 6, TOP + word * ROW + 16, str(word), size=9, anchor="end", faint=True)
    for group in GROUPS:
        with drawing.group(f"{group.letter}: {group.name}", field=group.name):
            for run in _runs(bit_fields(group, what.call)):
                _draw_run(drawing, group, run, what, group.name == opened)
    return drawing


def _draw_run(drawing: Drawing, group: Group, run: Field, what: CallBits, opened: bool) -> None:
    word, low = divmod(run.lsb, 64)
    x, y = LEFT + (64 - low - run.width) * BIT, TOP + word * ROW
    if group.unit:
        drawing.box(x, y, run.width * BIT, ROW - 2, UNITS[group.unit], hatched=False)
        drawing.text(x + 1, y + 8, group.letter, size=8, bold=True, state=UNITS[group.unit])
    _digits(drawing, x, y, run, what.number, UNITS[group.unit])
    for part in _set_runs(run.read(what.moved)):
        at = x + (run.width - part.lsb - part.width) * BIT
        drawing.box(at, y + 8, part.width * BIT, ROW - 10, "moved")
        _digits(drawing, at, y, Field("", run.lsb + part.lsb, part.width), what.number, "moved")
    if opened:
        drawing.frame(x - 1, y - 1, run.width * BIT + 2, ROW, "opened")


def _digits(drawing: Drawing, x: float, y: float, run: Field, number: int, state: str) -> None:
    """The bits of a run, the highest first: 1 for a set bit, a dot for any other."""
    digits = format(run.read(number), f"0{run.width}b").replace("0", "·")
    drawing.text(
        x,
        y + 18,
        digits,
        size=10,
        span=run.width * BIT,
        state="" if state == "empty" else state,
        faint=state == "empty",
    )


def _runs(fields: tuple[Field, ...]) -> list[Field]:
    """The stretches of bits that fields take, cut at the ends of the words."""
    cut: list[Field] = []
    for name, lsb, width in fields:
        while width:
            part = min(width, 64 - lsb % 64)
            cut.append(Field(name, lsb, part))
            lsb, width = lsb + part, width - part
    return cut


def _set_runs(mask: int) -> list[Field]:
    """The stretches of set bits of a mask."""
    runs, at = [], 0
    while mask >> at:
        at += ((mask >> at) & -(mask >> at)).bit_length() - 1
        width = (~(mask >> at) & ((mask >> at) + 1)).bit_length() - 1
        runs.append(Field("", at, width))
        at += width
    return runs


def _list(what: CallBits) -> Drawing:
    drawing = Drawing(WIDTH, TOP + 16 * LIST_ROW + 22, "The sixteen fields of a tensor map", what.sentence)
    for number, group in enumerate(GROUPS):
        _list_row(drawing, TOP + number * LIST_ROW, group, what)
    x = 2.0
    for unit in ("bytes", "16-byte units", "elements", "code"):
        words = STATES[UNITS[unit]].word
        drawing.box(x, TOP + 16 * LIST_ROW + 4, 14, 14, UNITS[unit])
        drawing.text(x + 19, TOP + 16 * LIST_ROW + 15, words, size=11)
        x += 34 + 6.7 * len(words)
    return drawing


def _list_row(drawing: Drawing, y: float, group: Group, what: CallBits) -> None:
    moved = moved_bits(group, what.call, what.moved)
    with drawing.group(f"stored {group.stored}", field=group.name, moved=moved):
        drawing.box(2, y, 18, LIST_ROW - 3, UNITS[group.unit], group.letter, size=11)
        drawing.text(26, y + 13, group.name, bold=bool(moved))
        drawing.text(150, y + 13, shorten_words(words_for(group, what.call, what.number)), bold=bool(moved))
        if moved:
            drawing.box(WIDTH - 66, y, 64, LIST_ROW - 3, "moved", f"▲ {plural(moved, 'bit')}", size=11)


def shorten_words(words: str) -> str:
    """``words``, cut to the width of the list's column."""
    if len(words) > VALUE_LETTERS:
        words = words.removesuffix(" elements").removesuffix(" bytes")
    return words if len(words) <= VALUE_LETTERS else words[: VALUE_LETTERS - 1] + "…"


def _lines(what: CallBits) -> list[str]:
    lines = [f"{what.call.entry_point}: 1,024 bits in 16 fields"]
    for group in GROUPS:
        moved = moved_bits(group, what.call, what.moved)
        mark = f"  ▲ {moved} moved" if moved else ""
        lines.append(f"{group.letter} {group.name:<16}{words_for(group, what.call, what.number)}{mark}")
    return lines
