"""A prediction, the model's answer and the hardware's, one above the other, with what agrees marked."""

from typing import Any, NamedTuple

from course_lib.draw.pen.palette import STATES
from course_lib.draw.pen.svg import Drawing, Picture, text_width

ROW = 26
NONE_GIVEN = "no answer committed"
NOT_ASKED = "not asked"
HARDWARE = "hardware"


class GivenAnswer(NamedTuple):
    """Who answered what; ``value`` is None where nobody did."""

    who: str
    value: Any
    note: str = ""


def reveal_picture(
    question: str, prediction: Any, model: Any, hardware: Any, source: str = "", who: str = HARDWARE
) -> Picture:
    """The three answers; the prediction is held against the hardware, or the model where no hardware was asked.

    ``who`` answers in the hardware's place where the question is about another thing: the compiler, say.
    """
    rows = [GivenAnswer("you", prediction), GivenAnswer("model", model), GivenAnswer(who, hardware, source)]
    truth = model if hardware is None else hardware
    alone = {who, "model"} if hardware is None else {who}  # nobody agrees with oneself
    marks = ["" if row.who in alone else _mark(row, truth) for row in rows]
    words = [_value(row) for row in rows]
    sentence = verdict_sentence(prediction, model, hardware, who)
    lines = [
        f"{r.who:<9}{w}  {STATES[m].word if m else ''}".rstrip() for r, w, m in zip(rows, words, marks, strict=True)
    ]
    drawing = _drawing(question, sentence, rows, words, marks)
    return drawing.picture(
        "\n".join([f"{line} ({r.note})" if r.note else line for line, r in zip(lines, rows, strict=True)] + [sentence])
    )


def verdict_sentence(prediction: Any, model: Any, hardware: Any, asked: str = HARDWARE) -> str:
    """What the three answers say together."""
    truth, who = (model, "the model says") if hardware is None else (hardware, f"the {asked} says")
    if hardware is not None and plain_value(model) == plain_value(hardware):
        who = f"model and {asked} say"
    if prediction is None:
        start = f"You committed no answer; {who} {spell_answer(truth)}."
    elif plain_value(prediction) == plain_value(truth):
        start = f"Your prediction agrees: {who} {spell_answer(truth)} too."
    else:
        start = f"You predicted {spell_answer(prediction)}; {who} {spell_answer(truth)}."
    apart = hardware is not None and model is not None and plain_value(model) != plain_value(hardware)
    return start + (f" The model says {spell_answer(model)}: it is wrong here." if apart else "")


def plain_value(value: Any) -> Any:
    """``value`` in a form that compares: tuples, lists and arrays alike, numbers of any kind alike."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(plain_value(part) for part in value) if isinstance(value, (list, tuple)) else value


def spell_answer(value: Any) -> str:
    """An answer in words."""
    value = plain_value(value)
    if isinstance(value, tuple):
        return " → ".join(value) if all(isinstance(part, str) for part in value) else f"({', '.join(map(str, value))})"
    return str(value)


def _mark(row: GivenAnswer, truth: Any) -> str:
    if row.value is None or truth is None:
        return ""
    return "right" if plain_value(row.value) == plain_value(truth) else "wrong"


def _value(row: GivenAnswer) -> str:
    if row.value is not None:
        return spell_answer(row.value)
    return NONE_GIVEN if row.who == "you" else NOT_ASKED


def _drawing(question: str, sentence: str, rows: list[GivenAnswer], words: list[str], marks: list[str]) -> Drawing:
    widest = max(90, text_width(*words) + 16)
    notes = [row.note for row in rows if row.note]
    width = max(80 + widest + 12 + 80, text_width(sentence, *notes) + 8)
    drawing = Drawing(round(width), ROW * (len(rows) + 1) + 8 + 18 * len(notes), question, sentence)
    for number, (row, word, mark) in enumerate(zip(rows, words, marks, strict=True)):
        y = number * ROW + 2
        drawing.text(4, y + 16, row.who, bold=True)
        with drawing.group(who=row.who):
            drawing.frame(80, y, widest, ROW - 4, "rule" if row.value is None else "ours")
            drawing.text(80 + widest / 2, y + 16, word, anchor="middle", faint=row.value is None)
            if mark:
                drawing.box(80 + widest + 12, y, 72, ROW - 4, mark, STATES[mark].word)
    for number, line in enumerate([sentence, *notes]):
        drawing.text(4, ROW * len(rows) + 20 + 18 * number, line, bold=number == 0, faint=number > 0)
    return drawing
