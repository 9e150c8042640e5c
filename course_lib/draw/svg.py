"""The only place that spells SVG. Same calls, same bytes: nothing is random, ids are hashed from the content.

Words are drawn in the page's own text colour, so they are readable in a light and in a dark theme. The named colours
are for shapes beside words: each has a contrast of at least 3 to 1 on white and on JupyterLab's dark ground.
"""

from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from typing import Any

COLOURS = {"ours": "#1c7ed6", "theirs": "#2b8a3e", "differs": "#d9480f", "rule": "#868e96"}
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
CHARACTER_WIDTH = 7.25  # of FONT at FONT_SIZE, a little generous
FONT_SIZE = 12


@dataclass(frozen=True)
class Picture:
    """A finished picture: `svg` for a page, `standalone` for a file or a static viewer, `text` for everyone else."""

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
    """A drawing in progress: `width` × `height` pixels, what it is (`title`) and what it shows (`description`)."""

    width: float
    height: float
    title: str
    description: str
    parts: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, words: str, *, bold: bool = False, faint: bool = False) -> None:
        """`words` from `x` on, standing on the line `y`."""
        look = ' font-weight="bold"' * bold + ' opacity="0.75"' * faint
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{look}>{escape(words, quote=False)}</text>')

    def frame(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """An empty box with a border in one of COLOURS."""
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self.parts.append(f'<rect {place} rx="3" fill="none" stroke="{COLOURS[colour]}" stroke-width="2"/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "rule") -> None:
        """A straight line in one of COLOURS."""
        place = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
        self.parts.append(f'<line {place} stroke="{COLOURS[colour]}"/>')

    def picture(self, text: str) -> Picture:
        """The finished picture; `text` says the same in words."""
        ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
        return Picture(self._svg("", "currentColor"), self._svg(ground, "#1a1a1a"), text)

    def _svg(self, ground: str, ink: str) -> str:
        body = "\n".join(self.parts)
        name = sha256(f"{self.title}{self.description}{ground}{body}".encode()).hexdigest()[:10]
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        font = f'font-family="{FONT}" font-size="{FONT_SIZE}" fill="{ink}" style="max-width:100%;height:auto"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} role="img" aria-labelledby="{name}-t {name}-d">\n'
            f'<title id="{name}-t">{escape(self.title)}</title>\n'
            f'<desc id="{name}-d">{escape(self.description)}</desc>\n{ground}{body}\n</svg>'
        )
