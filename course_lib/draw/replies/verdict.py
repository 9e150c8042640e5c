"""A verdict as a picture: the arguments of a call one below the other, each broken rule and its fix under the entry it names."""

import re
import textwrap
from typing import Any

from course_lib.draw.pen.palette import UNITS
from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import CHARACTER_WIDTH, Drawing, Picture, text_width
from course_lib.draw.replies.calls import arguments
from course_lib.model.call.verdict import NO_FIX, Broken, Verdict, report, spell_value

ROW, LINE, LETTERS, MARK = 26, 17, 62, 26
COUNTED_IN = {
    "global_address": "bytes",
    "global_dim": "elements",
    "global_strides": "bytes",
    "box_dim": "elements",
    "element_strides": "elements",
    "channels_per_pixel": "elements",
    "pixels_per_column": "elements",
}
REFUSED, ACCEPTED = "refused: CUDA_ERROR_INVALID_VALUE (1)", "accepted: CUDA_SUCCESS (0)"


def verdict_picture(asked: Any) -> Picture:
    """The call behind a tensor map, or behind a verdict on one: what the driver refuses is marked, numbered and mended."""
    verdict = asked if isinstance(asked, Verdict) else asked.check()
    drawing = Drawing(0, 0, f"The verdict on a call of {verdict.tensor_map.entry_point}", headline(verdict))
    state = "right" if verdict.accepted else "wrong"
    words = ACCEPTED if verdict.accepted else REFUSED
    drawing.box(4, 4, text_width(words) + 24, 22, state, words)
    left = text_width(*(name for name, _ in arguments(verdict.tensor_map))) + MARK
    y, width = 34.0, left + LETTERS * CHARACTER_WIDTH
    for name, value in arguments(verdict.tensor_map):
        found = findings(verdict, name)
        width = max(width, _entries(drawing, left, y, name, value, [broken for _, broken in found]))
        y += ROW
        for mark, broken in found:
            y = _finding(drawing, left, y, mark, broken)
    drawing.width, drawing.height = round(width + 8), round(y + 4)
    return drawing.picture("\n".join([*argument_lines(verdict), report(verdict)]))


def headline(verdict: Verdict) -> str:
    """One sentence: accepted or refused, and how many rules are broken or doubted."""
    if verdict.accepted:
        doubts = len(verdict.warnings)
        return f"Accepted, with {plural(doubts, 'warning')}." if doubts else "Accepted: no rule is broken."
    count = len(verdict.broken)
    return f"Refused: {plural(count, 'rule')} {'is' if count == 1 else 'are'} broken."


def findings(verdict: Verdict, name: str) -> list[tuple[str, Broken]]:
    """What the verdict says of one argument: broken rules with their number, warnings with an exclamation mark."""
    numbered = [(str(number), broken) for number, broken in enumerate(verdict.broken, 1)]
    return [(mark, b) for mark, b in [*numbered, *(("!", w) for w in verdict.warnings)] if b.field == name]


def offenders(broken: Broken) -> set[int] | None:
    """The entries that a finding names; None where it names the argument as a whole."""
    if broken.index is None:
        return None
    return {int(i) for i in re.findall(rf"{broken.field}\[(\d+)\] =", broken.message)}


def fix_words(broken: Broken) -> str:
    """The fix as it could be typed, or that there is none."""
    if broken.fix is None:
        return NO_FIX
    return f"{broken.fix[0]} = {spell_value(*broken.fix)}"


def argument_lines(verdict: Verdict) -> list[str]:
    """Each argument in words, with the numbers of the rules that it breaks."""
    lines = []
    for name, value in arguments(verdict.tensor_map):
        marks = ", ".join(mark for mark, _ in findings(verdict, name))
        lines.append(f"{name}: {spell_value(name, value)}{f'  <- {marks}' if marks else ''}")
    return lines


def _entries(drawing: Drawing, left: float, y: float, name: str, value: Any, found: list[Broken]) -> float:
    """The argument's name and a box for each entry; returns where they end."""
    drawing.text(4, y + 15, name, bold=bool(found))
    many = isinstance(value, tuple)
    places = [offenders(broken) for broken in found]
    x, mark = left, "first" if drawing.description.startswith("Accepted") else "wrong"
    with drawing.group(argument=name):
        for i, entry in enumerate(value if many else (value,)):
            words = spell_value(name, entry)
            marked = any(place is None or not many or i in place for place in places)
            state = mark if marked else UNITS[COUNTED_IN.get(name, "code")]
            wide = max(34, text_width(words) + 10)
            drawing.box(x, y, wide, 21, state, words, hatched=marked)
            x += wide + 4
    unit = COUNTED_IN.get(name, "") if value != () else "none: rank 1"
    if unit:
        drawing.text(x + 4, y + 15, unit, faint=True, size=11)
    return x + 4 + text_width(unit)


def _finding(drawing: Drawing, left: float, y: float, mark: str, broken: Broken) -> float:
    """A finding below its argument, in lines; returns where the next row begins."""
    drawing.box(left - MARK + 2, y, 18, 16, "first" if mark == "!" else "wrong", mark, size=11, hatched=False)
    for line in textwrap.wrap(broken.message, LETTERS):
        drawing.text(left, y + 13, line)
        y += LINE
    if mark != "!":
        for line in textwrap.wrap(f"fix: {fix_words(broken)}", LETTERS):
            drawing.text(left, y + 13, line, bold=True)
            y += LINE
    return y + 6
