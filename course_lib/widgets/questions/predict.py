"""Commit to an answer, then see it beside the model's and the hardware's."""

from collections.abc import Sequence
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.reveal import HARDWARE, plain_value, reveal_picture, spell_answer
from course_lib.widgets.skeleton.base import Settings, Turnable, View
from course_lib.widgets.skeleton.controls import Control

ANSWER, COMMIT, COMMITTED = "answer", "commit", "committed"


def predict(
    question: str,
    *,
    number: tuple[int, int] | None = None,
    choices: Sequence[Any] | None = None,
    cells: tuple[int, int] | None = None,
    order: Sequence[str] | None = None,
    name: str = "",
) -> "Prediction":
    """Show a control that commits an answer, and return what will hold it.

    Exactly one kind: a ``number`` from low to high, one of ``choices``, one of ``cells`` = (rows, columns) as (row,
    column) counted from 0, or an ``order`` of words. ``name`` labels the answer for a screen reader. TypeError for
    another number of kinds.
    """
    kinds = {"number": number, "choices": choices, "cells": cells, "order": order}
    asked = {kind: options for kind, options in kinds.items() if options is not None}
    if len(asked) != 1:
        raise TypeError(f"predict takes exactly one of {', '.join(kinds)}; it got {', '.join(asked) or 'none'}")
    ((kind, options),) = asked.items()
    prediction = Prediction(question, kind, tuple(options), name or "Your answer")
    if get_ipython() is not None:
        display(prediction)  # type: ignore[no-untyped-call]
        prediction.shown_in = _cell()
    return prediction


def reveal(
    prediction: "Prediction", *, model: Any = None, hardware: Any = None, source: Any = "", who: str = HARDWARE
) -> Picture:
    """Prediction, model and hardware side by side. ``source`` says which recording or device answered.

    ``who`` names what was asked, where that is no hardware: "compiler".
    """
    mine = prediction.answer
    if prediction.kind == "cells":
        mine, model, hardware = (cell and cell_words(plain_value(cell)) for cell in (mine, model, hardware))
    return reveal_picture(prediction.question, mine, model, hardware, str(source), who)


def cell_words(cell: Any) -> str:
    """A cell of a grid in words."""
    return f"row {cell[0]}, column {cell[1]}"


class Prediction(Turnable):
    """A question and the answer that was committed to it: ``answer``, None before."""

    shown_in: int | None = None

    def __init__(self, question: str, kind: str, options: tuple[Any, ...], name: str) -> None:
        self.question, self.kind, self.options = question, kind, options
        first = list(options) if kind == "order" else None
        controls = [_control(kind, options, name), Control(COMMIT, "button", "Commit this answer")]
        super().__init__(controls, {ANSWER: first, COMMIT: 0, COMMITTED: None}, question)

    @property
    def answer(self) -> Any:
        """The committed answer: a number, a choice, (row, column), or a list in order; None before."""
        committed = self.state[COMMITTED]
        return tuple(committed) if self.kind == "cells" and committed is not None else committed

    @answer.setter
    def answer(self, value: Any) -> None:
        """Commit ``value`` as a hand would; ValueError where it is none of the possible answers."""
        if not self._possible(value):
            raise ValueError(f"answer={value!r}: {self._limits()}")
        self.set(**{ANSWER: _sendable(plain_value(value)), COMMIT: self.state[COMMIT] + 1})

    def settle(self, before: Settings, now: Settings) -> Settings:
        """A press of the button commits what is answered, if it is an answer."""
        if now[COMMIT] != before[COMMIT] and self._possible(now[ANSWER]):
            return now | {COMMITTED: now[ANSWER]}
        return now

    def see(self, values: Settings) -> View:
        """One sentence: what is committed, or what to do."""
        committed, answer = values[COMMITTED], values[ANSWER]
        if committed is not None and committed == answer:
            return View(f"Committed: {self._spell(committed)}. Now run the next cell.")
        if values[COMMIT] and not self._possible(answer):
            return View(f"Not committed: {self._limits()}.")
        kept = f" Until then it is {self._spell(committed)}." if committed is not None else ""
        return View(f"Choose your answer, then commit it.{kept}")

    def _ipython_display_(self) -> None:
        """Shown once a cell: `predict` has shown it already in the cell that made it."""
        if self.shown_in is None or self.shown_in != _cell():
            display(self._repr_mimebundle_()[0], raw=True)  # type: ignore[no-untyped-call]

    def _possible(self, value: Any) -> bool:
        value = plain_value(value)
        if self.kind == "number":
            return type(value) is int and self.options[0] <= value <= self.options[1]
        if self.kind == "cells":
            pair = isinstance(value, tuple) and len(value) == 2
            return pair and all(type(v) is int and 0 <= v < n for v, n in zip(value, self.options, strict=True))
        if self.kind == "order":
            return isinstance(value, tuple) and sorted(value) == sorted(self.options)
        return value in [plain_value(option) for option in self.options]

    def _limits(self) -> str:
        options = self.options
        if self.kind == "number":
            return f"the answer is a whole number from {options[0]} to {options[1]}"
        if self.kind == "cells":
            return f"the answer is a cell, row 0 to {options[0] - 1} and column 0 to {options[1] - 1}"
        return (
            f"the answer is {'an order' if self.kind == 'order' else 'one'} of {', '.join(map(spell_answer, options))}"
        )

    def _spell(self, answer: Any) -> str:
        return cell_words(answer) if self.kind == "cells" else spell_answer(answer)


def _control(kind: str, options: tuple[Any, ...], label: str) -> Control:
    if kind == "number":
        return Control(ANSWER, "number", f"{label} ({options[0]} to {options[1]})", low=options[0], high=options[1])
    if kind == "choices":
        return Control(ANSWER, "choices", label, options=[(option, spell_answer(option)) for option in options])
    return Control(ANSWER, kind, label, options=options)


def _sendable(value: Any) -> Any:
    return [_sendable(part) for part in value] if isinstance(value, tuple) else value


def _cell() -> int | None:
    """The number of the cell that runs now."""
    return getattr(get_ipython(), "execution_count", None)
