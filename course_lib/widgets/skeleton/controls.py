"""What a hand can turn, as data: the front end builds a native, labelled control of each."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

AGAIN = "again"  # the button that every widget has
KINDS = ("number", "range", "text", "select", "choices", "cells", "order", "button")


@dataclass(frozen=True)
class Control:
    """One control. ``kind`` is one of KINDS.

    ``low``, ``high``, ``step`` belong to numbers; a range is a slider with a number field beside it. ``options`` are
    (value, words) of a select or of choices, and (rows, columns) of cells. Controls of one ``group`` share a frame.
    """

    name: str
    kind: str
    label: str
    unit: str = ""
    low: int | None = None
    high: int | None = None
    step: int = 1
    options: Sequence[Any] = ()
    group: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind={self.kind!r}: a control is one of {', '.join(KINDS)}")

    def shows(self, value: Any) -> bool:
        """Is it a whole number from ``low`` to ``high``?"""
        if type(value) is not int:
            return False
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def describe(self) -> dict[str, Any]:
        """The control as the front end reads it."""
        return asdict(self) | {"options": [list(o) if isinstance(o, tuple) else o for o in self.options]}


def start_again(group: str = "") -> Control:
    """The button that brings the first settings back."""
    return Control(AGAIN, "button", "Start again", group=group)


def sliders_of(controls: Iterable[Control]) -> tuple[Control, ...]:
    """The controls that are sliders."""
    return tuple(control for control in controls if control.kind == "range")
