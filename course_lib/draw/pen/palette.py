"""What a colour means. One table of states, each with a fill, an ink that is read on it, a border, and a hatch or dash.

Every state brings its own ground, so it looks the same in a light and in a dark theme, and no two states differ by hue
alone: their hatch, their dashed border or their lightness differs too (tests/draw/test_palette.py computes it, in grey
and for three kinds of colour-blindness). Lines beside plain words have a contrast of at least 3 to 1 on both grounds.
"""

from typing import NamedTuple

GROUNDS = {"light": "#ffffff", "dark": "#111111"}
LINES = {"ours": "#1c7ed6", "theirs": "#2b8a3e", "differs": "#d9480f", "rule": "#868e96", "opened": "#c2255c"}

BLUE, AMBER, VIOLET, GREY, RED, GREEN = "#1971c2", "#b35c00", "#8a4fd6", "#767676", "#d33a2c", "#2b8a3e"
BLACK, WHITE = "#1a1a1a", "#ffffff"


class Look(NamedTuple):
    """One look. ``word`` is what a legend and a text equivalent call it."""

    word: str
    fill: str
    border: str
    ink: str = BLACK
    hatch: str = ""  # one of hatch.KINDS, or none
    dashed: bool = False


STATES = {
    # the three units that a number can count, and what counts nothing
    "element": Look("elements", "#d0e8ff", BLUE),
    "byte": Look("bytes", "#ffd98a", AMBER, hatch="dots"),
    "unit": Look("16-byte units", "#e0ccff", VIOLET, hatch="level"),
    "code": Look("a code", "#b3b3b3", GREY),
    "empty": Look("always zero", "#f4f4f4", GREY, dashed=True),
    # what happened to a place
    "moved": Look("moved", "#8c2f00", "#d9480f", WHITE),
    "first": Look("first difference", "#ffe3d3", "#d9480f", hatch="rising"),
    "filled": Look("filled, out of bounds", "#dedede", GREY, hatch="cross"),
    "hole": Look("skipped", "#ffffff", GREY, hatch="falling", dashed=True),
    "chosen": Look("chosen", "#0b4f8a", BLUE, WHITE, dashed=True),
    # how something stands
    "right": Look("agrees", "#c9efd0", GREEN, hatch="falling"),
    "wrong": Look("differs", "#7d1128", RED, WHITE, hatch="rising"),
    "waiting": Look("waiting", "#ececec", GREY, hatch="dots", dashed=True),
    "busy": Look("in flight", "#ffe9a8", AMBER, hatch="rising", dashed=True),
    "ready": Look("ready", "#1f6b35", GREEN, WHITE, hatch="level"),
}

UNITS = {"elements": "element", "bytes": "byte", "16-byte units": "unit", "code": "code", "": "empty"}
"""The state that draws a number of this unit."""
