"""How far a list of questions has come: one row a question, with how it stands in a word and a look."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lib.draw.pen.svg import Drawing, Picture, text_width

ROW, BOX, LEFT, WIDE = 24, 20, 30, 92


class QuestionStep(NamedTuple):
    """One question: its ``topic``, how it stands (``words``, one of palette.STATES), and a ``note`` beside it."""

    topic: str
    words: str
    state: str
    note: str = ""


def progress_picture(title: str, steps: Sequence[QuestionStep], now: int, said: str) -> Picture:
    """One row a question, counted from 1; the row ``now`` (from 0) is framed."""
    topics = text_width(*(step.topic for step in steps))
    notes = LEFT + topics + 12 + WIDE + 12
    width = max(notes + text_width(*(step.note for step in steps)), notes + 60)
    drawing = Drawing(round(width), ROW * len(steps) + 8, title, said)
    for number, step in enumerate(steps):
        y = 4 + ROW * number
        drawing.text(LEFT - 8, y + 14, str(number + 1), anchor="end", bold=number == now)
        drawing.text(LEFT, y + 14, step.topic, bold=number == now)
        with drawing.group(step=number):
            drawing.box(LEFT + topics + 12, y, WIDE, BOX, step.state, step.words)
        drawing.text(notes, y + 14, step.note)
        if number == now:
            drawing.frame(2, y - 2, notes - 8, ROW, "ours")
    return drawing.picture("\n".join([*map(_line, range(len(steps)), steps), said]))


def _line(number: int, step: QuestionStep) -> str:
    return f"{number + 1}. {step.topic}: {step.words}" + f" ({step.note})" * bool(step.note)
