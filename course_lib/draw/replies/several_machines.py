"""The same questions asked of several machines: how many bytes each answered, and where one parts from the first."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from course_lib.draw.pen.svg import Drawing, Picture, text_width
from course_lib.draw.replies.compare import first_differing_place

HEAD, ROW, BOX, LEFT, GAP = 26, 48, 22, 96, 12


class MachineAnswer(NamedTuple):
    """One machine: ``parts`` has the bytes that it gave to each question, None where it gave none; ``by`` says who."""

    who: str
    parts: Mapping[str, bytes | None]
    by: str


class AnswerMark(NamedTuple):
    """How an answer stands: the words in its box, and one of palette.STATES."""

    words: str
    state: str


def machines_picture(answers: Sequence[MachineAnswer]) -> Picture:
    """One row a machine, one column a question; every answer is held against that of the first machine."""
    names, first = list(answers[0].parts), answers[0]
    rows = [
        [mark_answer(answer.parts[name], first.parts[name], answer is first) for name in names] for answer in answers
    ]
    said = sentence(answers, rows)
    widths = [text_width(name, *(row[n].words for row in rows)) + 16 for n, name in enumerate(names)]
    places = [LEFT + sum(widths[:n]) + GAP * n for n in range(len(names))]
    width = max(
        places[-1] + widths[-1] + 4, text_width(said) + 8, LEFT + text_width(*(answer.by for answer in answers))
    )
    drawing = Drawing(round(width), HEAD + ROW * len(answers) + 22, "The same questions, several machines", said)
    for x, name in zip(places, names, strict=True):
        drawing.text(x, 16, name, bold=True)
    for number, (answer, row) in enumerate(zip(answers, rows, strict=True)):
        _machine(drawing, HEAD + ROW * number, answer, zip(places, widths, row, strict=True))
    drawing.text(4, HEAD + ROW * len(answers) + 12, said, bold=True)
    return drawing.picture("\n".join([*map(_line, answers, rows), said]))


def mark_answer(data: bytes | None, first: bytes | None, is_first: bool = False) -> AnswerMark:
    """One answer beside the first machine's."""
    if data is None:
        return AnswerMark("no bytes", "waiting")
    size = f"{len(data):,} bytes"
    if is_first:
        return AnswerMark(size, "byte")
    at = None if first is None else first_differing_place(data, first)
    return (
        AnswerMark(f"{size}, all equal", "right")
        if data == first
        else AnswerMark(f"differs from byte {at or 0} on", "wrong")
    )


def sentence(answers: Sequence[MachineAnswer], rows: Sequence[Sequence[AnswerMark]]) -> str:
    """Do they agree? And if not, who is the first that does not?"""
    for answer, row in zip(answers, rows, strict=True):
        for name, held in zip(answer.parts, row, strict=True):
            if held.state == "wrong":
                return f"{answer.who}: {name} {held.words}."
    gave = sum(any(data is not None for data in answer.parts.values()) for answer in answers)
    return f"{gave} machines answered, and every byte is equal."


def _machine(
    drawing: Drawing, y: float, answer: MachineAnswer, boxes: Iterable[tuple[float, float, AnswerMark]]
) -> None:
    drawing.text(4, y + 16, answer.who, bold=True)
    with drawing.group(who=answer.who):
        for x, width, held in boxes:
            drawing.box(x, y, width, BOX, held.state, held.words)
    drawing.text(LEFT, y + BOX + 15, answer.by, faint=True)


def _line(answer: MachineAnswer, row: Sequence[AnswerMark]) -> str:
    told = (f"{name}: {held.words}" for name, held in zip(answer.parts, row, strict=True))
    return f"{answer.who:<9}{'; '.join(told)} ({answer.by})"
