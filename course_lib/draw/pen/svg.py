"""The only place that spells SVG. Same calls, same bytes: nothing is random, and no id is used, so none can clash.

Plain words take the page's own text colour, so they are readable in a light and in a dark theme. A box brings its own
ground and ink from the palette; its words stand on a halo of that ground, so that a hatch does not cut through them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.draw.pen.hatch import strokes
from course_lib.draw.pen.palette import GROUNDS, LINES, STATES
from course_lib.draw.pen.png import data_uri

FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
CHARACTER_WIDTH = 7.25  # of FONT at FONT_SIZE, a little generous
FONT_SIZE = 12
FILE_INK = "#1a1a1a"


def text_width(*lines: str) -> float:
    """Pixels that the longest of some lines takes at FONT_SIZE."""
    return max(map(len, lines)) * CHARACTER_WIDTH


@dataclass(frozen=True)
class Picture:
    """A finished picture: ``svg`` for a page, ``standalone`` for a file or a static viewer, ``text`` for everyone else."""

    svg: str
    standalone: str
    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self.svg, "image/svg+xml": self.standalone, "text/plain": self.text}

    __repr__ = __str__


@dataclass
class Drawing:
    """A drawing in progress: ``width`` × ``height`` pixels, what it is (``title``) and what it shows (``description``)."""

    width: float
    height: float
    title: str
    description: str
    parts: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        bold: bool = False,
        faint: bool = False,
        anchor: str = "start",
        size: float = FONT_SIZE,
        span: float = 0,
        state: str = "",
    ) -> None:
        """``words`` on the line ``y``: ``x`` is their start, middle or end; ``span`` pixels wide, if given.

        Words on a box take the ``state`` that it shows; all others stand on the page's ground.
        """
        marks = ' font-weight="bold"' * bold + ' opacity="0.75"' * faint + _text_look(anchor, size, span) + _ink(state)
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{marks}>{escape(words, quote=False)}</text>')

    def frame(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """An empty box with a border in one of LINES."""
        self.parts.append(
            f'<rect {_place(x, y, width, height)} rx="3" fill="none" stroke="{LINES[colour]}" stroke-width="2"/>'
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        state: str,
        words: str = "",
        *,
        size: float = FONT_SIZE,
        hatched: bool = True,
    ) -> None:
        """A box that shows one of palette.STATES, with ``words`` in the middle.

        ``hatched=False`` is for a box that a letter tells from the others.
        """
        look = STATES[state]
        dash = ' stroke-dasharray="3 2"' if look.dashed else ""
        self.parts.append(f'<rect {_place(x, y, width, height)} fill="{look.fill}" stroke="{look.border}"{dash}/>')
        if look.hatch and hatched:
            path = strokes(look.hatch, x, y, width, height)
            self.parts.append(f'<path d="{path}" stroke="{look.border}" stroke-opacity="0.55"/>')
        if words:
            self.text(x + width / 2, y + height / 2 + size * 0.35, words, anchor="middle", size=size, state=state)

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "rule", width: float = 1) -> None:
        """A straight line in one of LINES."""
        place = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
        thick = f' stroke-width="{width:g}"' if width != 1 else ""
        self.parts.append(f'<line {place} stroke="{LINES[colour]}"{thick}/>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float, colour: str = "rule") -> None:
        """A line with a head of 7 pixels at its second end."""
        self.line(x1, y1, x2, y2, colour, 1.5)
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1)
        along, across = (
            (7 * (x2 - x1) / length, 7 * (y2 - y1) / length),
            (3.5 * (y1 - y2) / length, 3.5 * (x2 - x1) / length),
        )
        base = x2 - along[0], y2 - along[1]
        ends = [(base[0] + s * across[0], base[1] + s * across[1]) for s in (1, -1)]
        points = " ".join(f"{x:.4g},{y:.4g}" for x, y in [(x2, y2), *ends])
        self.parts.append(f'<polygon points="{points}" fill="{LINES[colour]}"/>')

    def image(self, x: float, y: float, width: float, height: float, pixels: NDArray[np.uint8]) -> None:
        """Pixels, (rows, columns) of grey or (rows, columns, 3), each a sharp rectangle."""
        self.parts.append(
            f'<image {_place(x, y, width, height)} href="{data_uri(pixels)}" preserveAspectRatio="none" '
            'style="image-rendering:pixelated"/>'
        )

    @contextmanager
    def group(self, hint: str = "", **data: object) -> Iterator[None]:
        """What is drawn inside belongs together: ``data`` become data- attributes, ``hint`` shows under the pointer."""
        marks = "".join(f' data-{name.replace("_", "-")}="{escape(str(value))}"' for name, value in data.items())
        self.parts.append(f"<g{marks}>" + (f"<title>{escape(hint)}</title>" if hint else ""))
        yield
        self.parts.append("</g>")

    def picture(self, text: str) -> Picture:
        """The finished picture; ``text`` says the same in words."""
        inside = _inside(self.title, self.description, "\n".join(self.parts))
        return Picture(
            _svg(self.width, self.height, self.title, inside), _file(self.width, self.height, self.title, inside), text
        )


def beside(*pictures: Drawing, text: str) -> Picture:
    """Drawings in a row, wrapped where the page is narrow; one above the other in a file."""
    insides = [_inside(d.title, d.description, "\n".join(d.parts)) for d in pictures]
    row = "".join(_svg(d.width, d.height, d.title, inside) for d, inside in zip(pictures, insides, strict=True))
    html = f'<div style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start">{row}</div>'
    tops = [sum(d.height + 12 for d in pictures[:i]) for i in range(len(pictures))]
    stacked = "".join(
        f'<svg y="{top:g}" width="{d.width:g}" height="{d.height:g}">{inside}</svg>'
        for top, d, inside in zip(tops, pictures, insides, strict=True)
    )
    width, height = max(d.width for d in pictures), tops[-1] + pictures[-1].height
    return Picture(html, _file(width, height, pictures[0].title, stacked), text)


def _text_look(anchor: str, size: float, span: float) -> str:
    """What differs from the picture's own text: nothing is spelled that need not be."""
    return (
        f' text-anchor="{anchor}"' * (anchor != "start")
        + f' font-size="{size:g}"' * (size != FONT_SIZE)
        + f' textLength="{span:g}"' * bool(span)
    )


def _ink(state: str) -> str:
    """The ink of a state; over a hatch, on a halo of the state's ground."""
    if not state:
        return ""
    look = STATES[state]
    halo = f' stroke="{look.fill}" stroke-width="3" paint-order="stroke"' if look.hatch else ""
    return f' fill="{look.ink}"{halo}'


def _place(x: float, y: float, width: float, height: float) -> str:
    return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'


def _inside(title: str, description: str, body: str) -> str:
    return f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>\n{body}\n"


def _svg(width: float, height: float, title: str, inside: str, ink: str = "currentColor", ground: str = "") -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    font = f'font-family="{FONT}" font-size="{FONT_SIZE}" fill="{ink}" style="max-width:100%;height:auto"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} role="img" aria-label="{escape(title)}">'
        f"{ground}{inside}</svg>"
    )


def _file(width: float, height: float, title: str, inside: str) -> str:
    ground = f'<rect width="100%" height="100%" fill="{GROUNDS["light"]}"/>'
    return _svg(width, height, title, inside, FILE_INK, ground)
