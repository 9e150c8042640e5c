"""A strided array as it lies in memory: lines of 32 bytes, every element on the bytes that it takes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from course_lib.draw.pen.plural import first_to_last
from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.call.strided import Index, Strided

LINE_BYTES, MOST_LINES = 32, 8
CELL, HIGH, LEFT, TOP = 18, 22, 74, 64
TITLE = "An array in memory"
LEGEND = "A box: one element. Dark: the chosen one. Dotted: several elements. Empty: none."


def memory_picture(array: Strided, index: Sequence[int]) -> Picture:
    """Up to 8 lines around the element ``index``, which is marked. IndexError for an index outside the shape."""
    chosen, lines, said = array.bytes_of(index), shown_lines(array, index), sentence(array, index)
    owners = owners_of(array, lines)
    drawing = Drawing(LEFT + LINE_BYTES * CELL + 8, TOP + len(lines) * HIGH + 26, TITLE, said)
    _heads(drawing, lines)
    for first in lines:
        for run in byte_runs(range(first, first + LINE_BYTES), owners):
            _run(drawing, lines, run, owners, chosen)
    drawing.text(4, TOP + len(lines) * HIGH + 18, LEGEND, faint=True, size=11)
    words = [f"{hex_of(first)}: {memory_line_words(first, owners)}" for first in lines]
    return drawing.picture("\n".join([TITLE, said, *words]))


def sentence(array: Strided, index: Sequence[int]) -> str:
    """Where the element lies, and how far the array reaches."""
    first, last = array.bytes_of(index)[0], array.bytes_of(index)[-1]
    place = first_to_last("byte", first, last, " to ")
    reach = f"The array reaches from byte {array.span[0]} to {array.span[-1]}"
    return f"Element {index_words(tuple(index))}: {place}. {reach}, {len(array.span)} bytes for {array.data_bytes} of elements."


def shown_lines(array: Strided, index: Sequence[int]) -> range:
    """The first bytes of the lines that are drawn: all of the array's, or those around the element."""
    first, last = (at // LINE_BYTES * LINE_BYTES for at in (array.span[0], array.span[-1]))
    most = (MOST_LINES - 1) * LINE_BYTES
    if last - first > most:
        first = min(max(array.address(index) // LINE_BYTES * LINE_BYTES - most // 2, first), last - most)
        first = first // LINE_BYTES * LINE_BYTES
        last = first + most
    return range(first, last + 1, LINE_BYTES)


def owners_of(array: Strided, lines: range) -> dict[int, list[Index]]:
    """For each byte of the lines the elements that lie on it."""
    shown = range(lines[0], lines[-1] + LINE_BYTES)
    owners: dict[int, list[Index]] = {}
    for index in array.indices():
        for at in array.bytes_of(index):
            if at in shown:
                owners.setdefault(at, []).append(index)
    return owners


def byte_runs(line: range, owners: dict[int, list[Index]]) -> Iterator[range]:
    """Neighbouring bytes of a line on which the same elements lie; bytes of no element are left out."""
    start = line[0]
    for at in (*line[1:], line.stop):
        if at == line.stop or owners.get(at) != owners.get(start):
            if start in owners:
                yield range(start, at)
            start = at


class ElementRun(NamedTuple):
    """Neighbouring bytes in words: ``first`` to ``last`` are elements of one row, or one element; else ``several``."""

    run: range
    first: Index
    last: Index
    several: tuple[Index, ...] = ()

    def goes_on(self, after: "ElementRun") -> bool:
        """Does the next element of the row follow?"""
        return self.run.stop == after.run[0] and not (self.several or after.several) and follows(self.last, after.first)

    def words(self, line: int) -> str:
        """Where, and what."""
        place = f"+{self.run[0] - line}" + (f" to +{self.run[-1] - line}" if len(self.run) > 1 else "")
        if self.several:
            return f"{place} {' and '.join(map(index_words, self.several[:3]))}{' and more' * (len(self.several) > 3)}"
        return f"{place} {index_words(self.first)}" + (
            f" to {index_words(self.last)}" if self.first != self.last else ""
        )


def memory_line_words(line: int, owners: dict[int, list[Index]]) -> str:
    """A line in words: its runs of bytes with the elements that lie there; neighbours of one row are told as one run."""
    told: list[ElementRun] = []
    for run in byte_runs(range(line, line + LINE_BYTES), owners):
        here = owners[run[0]]
        now = ElementRun(run, here[0], here[-1], tuple(here) if len(here) > 1 else ())
        if told and told[-1].goes_on(now):
            told[-1] = ElementRun(range(told[-1].run.start, run.stop), told[-1].first, now.last)
        else:
            told.append(now)
    return "; ".join(part.words(line) for part in told) or "no element"


def follows(before: Index, after: Index) -> bool:
    """Is ``after`` the next element along the last axis?"""
    return bool(before) and after == (*before[:-1], before[-1] + 1)


def index_words(index: Index) -> str:
    """An index in brackets."""
    return f"[{', '.join(map(str, index))}]"


def hex_of(address: int) -> str:
    """An address in hex, below 0 with its sign."""
    return f"{'-' * (address < 0)}0x{abs(address):04x}"


def _heads(drawing: Drawing, lines: range) -> None:
    place, _, reach = drawing.description.partition(". ")
    drawing.text(4, 14, f"{place}.", bold=True)
    drawing.text(4, 32, reach, size=11)
    for offset in range(0, LINE_BYTES, 4):
        drawing.text(LEFT + offset * CELL, TOP - 6, f"+{offset}", size=9, faint=True)
    for row, first in enumerate(lines):
        drawing.text(LEFT - 8, TOP + row * HIGH + 15, hex_of(first), anchor="end", size=11)
    bottom = TOP + len(lines) * HIGH
    for offset in range(0, LINE_BYTES + 1, 4):
        drawing.line(LEFT + offset * CELL, TOP, LEFT + offset * CELL, bottom, width=0.5)
    for row in range(len(lines) + 1):
        drawing.line(LEFT, TOP + row * HIGH, LEFT + LINE_BYTES * CELL, TOP + row * HIGH, width=0.5)


def _run(drawing: Drawing, lines: range, run: range, owners: dict[int, list[Index]], chosen: range) -> None:
    row, offset = divmod(run[0] - lines[0], LINE_BYTES)
    several = len(owners[run[0]]) > 1
    state = "chosen" if run[0] in chosen else "byte" if several else "element"
    label = ",".join(map(str, owners[run[0]][0])) if len(run) > 1 and not several else ""
    x, y = LEFT + offset * CELL, TOP + row * HIGH
    drawing.box(x, y + 2, len(run) * CELL, HIGH - 4, state, label, size=9)
