"""The base of every widget: settings that can be set and read without a browser, and what they show.

A widget is a function from settings to a View. The front end (front.js) shows the controls, sends one message when a
hand turned one, and gets one message back with what changed. A setting that is illegal is a View too: it says why.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import anywidget
import traitlets

from course_lib.draw.pen.svg import Picture
from course_lib.widgets.skeleton.controls import AGAIN, Control

HERE = Path(__file__).parent
Settings = dict[str, Any]
TENSOR_ADDRESS = 0x7F0000000000  # of the tensors in the calls: such a number as cudaMalloc gives
NOTHING = Picture("", "", "")


def with_settings(first: Settings, settings: Settings) -> Settings:
    """The first settings with others in their places. KeyError for a name that no control has."""
    unknown = [name for name in settings if name not in first]
    if unknown:
        raise KeyError(f"{unknown[0]!r}: the controls are {', '.join(first)}")
    return first | settings


def start_over(before: Settings, now: Settings, first: Settings) -> Settings:
    """The first settings where the button ``again`` was pressed; elsewhere as turned."""
    return first | {AGAIN: now[AGAIN]} if now[AGAIN] != before[AGAIN] else now


def put_back(before: Settings, now: Settings, sliders: Iterable[Control]) -> Settings:
    """The settings; a number that its slider can't show is the one from before."""
    return now | {slider.name: before[slider.name] for slider in sliders if not slider.shows(now[slider.name])}


def number_turn(turn: int, values: Settings) -> Settings:
    """Settings with the number of the turn that asked for them; those at the start are turn 0."""
    return {"turn": turn, "settings": dict(values)}


class View(NamedTuple):
    """What settings show: a picture, one sentence for the live region, and texts under the titles of the panels."""

    said: str
    picture: Picture = NOTHING
    panels: dict[str, str] = {}  # noqa: RUF012


class PanelLook(NamedTuple):
    """Is a panel open at first, and can its text be copied by a button?"""

    open: bool = False
    copy: bool = False


class Turnable(anywidget.AnyWidget):
    """A control around a picture. A subclass gives ``see``, and ``settle`` where one turn moves other settings."""

    panels: dict[str, PanelLook] = {}  # noqa: RUF012

    _esm = (HERE / "front.js").read_text(encoding="utf-8")
    _css = (HERE / "front.css").read_text(encoding="utf-8")
    _question = traitlets.Unicode().tag(sync=True)
    _controls: Any = traitlets.List().tag(sync=True)
    _hand = traitlets.Dict().tag(sync=True, echo_update=False)  # from the browser: a turn and what it sets
    _values = traitlets.Dict().tag(sync=True)  # to the browser: the turn that is answered, all settings
    _picture = traitlets.Unicode().tag(sync=True)
    _said = traitlets.Unicode().tag(sync=True)
    _panels = traitlets.Dict().tag(sync=True)
    _panel_looks = traitlets.Dict().tag(sync=True)

    def __init__(self, controls: Iterable[Control], values: Settings, question: str = "") -> None:
        looks = {title: look._asdict() for title, look in self.panels.items()}
        described = [control.describe() for control in controls]
        self._state = values = self.settle(dict(values), dict(values))
        super().__init__(
            _controls=described,
            _hand=number_turn(0, {}),
            _values=number_turn(0, values),
            _question=question,
            _panel_looks=looks,
        )
        self._show()

    def see(self, values: Settings) -> View:
        """What these settings show: a pure function."""
        raise NotImplementedError

    def settle(self, before: Settings, now: Settings) -> Settings:
        """The settings after a turn from ``before`` to ``now``: as turned, unless one setting moves others."""
        return now

    @property
    def state(self) -> Settings:
        """The settings, by name."""
        return dict(self._state)

    @property
    def picture(self) -> Picture:
        """The picture that is shown."""
        return self._view.picture

    @property
    def text(self) -> str:
        """Everything that is shown, in words."""
        parts = [self._question, self._view.said, self._view.picture.text]
        return "\n".join(part for part in parts if part)

    def set(self, **settings: Any) -> "Turnable":
        """Turn settings as a hand would, and return the widget. KeyError for a name that no control has."""
        self._turn(with_settings(self._state, settings))
        return self

    def redraw(self, controls: Iterable[Control]) -> None:
        """Show other controls from now on."""
        self._controls = [control.describe() for control in controls]

    @traitlets.observe("_hand")
    def _turned(self, change: Any) -> None:
        asked = change.new["settings"]
        self._turn(self._state | {name: asked[name] for name in asked if name in self._state})

    def _turn(self, values: Settings) -> None:
        with self.hold_sync():
            if values != self._state:
                self._state = self.settle(self._state, values)
                self._show()
            self._values = number_turn(self._hand["turn"], self._state)

    def _show(self) -> None:
        self._view = self.see(self._state)
        with self.hold_sync():
            self._picture = self._view.picture.svg
            self._said = self._view.said
            self._panels = self._view.panels

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle and self.picture.standalone:
            bundle[0]["image/svg+xml"] = self.picture.standalone
        return bundle
