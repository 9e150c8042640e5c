"""The skeleton of a lab: a table of first settings, controls as data, what settings show, and texts under titles.

A lab is a Spec of plain functions; its class adds what a program asks of it, and ``settle`` where settings move others.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.calls import c_call, python_call
from course_lib.widgets.skeleton.base import PanelLook, Settings, Turnable, View, put_back, start_over
from course_lib.widgets.skeleton.controls import Control

Controls = Sequence[Control] | Callable[[Settings], Iterable[Control]]


class Panel(NamedTuple):
    """A text under a title, made of the settings; without ``text`` it is the picture in words.

    ``open`` and ``copy`` are those of PanelLook; ``always`` shows it where there is no picture, too.
    """

    title: str
    text: Callable[[Settings], str] | None = None
    open: bool = False
    copy: bool = False
    always: bool = False


IN_WORDS = Panel("The picture in words")


def call_panels(call_of: Callable[[Settings], Any], always: bool = False) -> tuple[Panel, Panel]:
    """The call that the settings stand for, in two languages."""
    return (
        Panel("The call in Python", lambda values: python_call(call_of(values)), copy=True, always=always),
        Panel("The call in C", lambda values: c_call(call_of(values)), copy=True, always=always),
    )


def no_refusal(values: Settings) -> str:
    """For a lab that shows a picture of all its settings."""
    return ""


@dataclass(frozen=True)
class Spec:
    """What a lab is made of.

    ``show`` gives a sentence and a picture of settings for which ``refusal`` gives no reason against it. Numbers that
    their ``sliders`` can't show are put back. ``empties``: are the other panels emptied where there is no picture?
    """

    first: Settings
    controls: Controls
    show: Callable[[Settings], tuple[str, Picture]]
    panels: Sequence[Panel]
    refusal: Callable[[Settings], str] = no_refusal
    sliders: Sequence[Control] = ()
    empties: bool = False


class Lab(Turnable):
    """A widget made of a Spec, beginning with ``values``."""

    spec: Spec

    def __init__(self, values: Settings) -> None:
        self.panels = {panel.title: PanelLook(panel.open, panel.copy) for panel in self.spec.panels}
        super().__init__(self.controls_for(values), values)

    def controls_for(self, values: Settings) -> Iterable[Control]:
        """The controls that these settings have."""
        controls = self.spec.controls
        return controls(values) if callable(controls) else controls

    def settle(self, before: Settings, now: Settings) -> Settings:
        """The button brings the first settings back; a number out of the range of its slider is put back."""
        return put_back(before, start_over(before, now, self.spec.first), self.spec.sliders)

    def see(self, values: Settings) -> View:
        """A sentence, a picture and the panels; or why there is no picture, and the panels that hold all the same."""
        wrong = self.spec.refusal(values)
        if wrong:
            return View(wrong, panels=self._texts(values, None))
        said, picture = self.spec.show(values)
        return View(said, picture, self._texts(values, picture))

    def _texts(self, values: Settings, picture: Picture | None) -> dict[str, str]:
        texts: dict[str, str] = {}
        for panel in self.spec.panels:
            if picture is None and not panel.always:
                texts |= {panel.title: ""} if self.spec.empties else {}
            elif panel.text is not None:
                texts[panel.title] = panel.text(values)
            elif picture is not None:
                texts[panel.title] = picture.text
        return texts
