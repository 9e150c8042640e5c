"""The axes of a chart: where a value lies, a line across for each number on the left, and numbers below."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2

from course_lib.draw.pen.svg import Drawing

Points = Sequence[tuple[int, float]]  # (value across, value upwards)


@dataclass(frozen=True)
class Scale:
    """Values from ``low`` to ``high``; with ``doubling``, each step of one length doubles the value (and low is above 0)."""

    low: float
    high: float
    doubling: bool = False

    def share(self, value: float) -> float:
        """How far along the axis a value lies: 0 at ``low``, 1 at ``high``."""
        at, low, high = map(log2, (value, self.low, self.high)) if self.doubling else (value, self.low, self.high)
        return (at - low) / (high - low)


@dataclass(frozen=True)
class Axes:
    """A field of ``wide`` × ``tall`` pixels with its corner at ``left``, ``top``, and a scale each way.

    ``drop`` is how far below the field the numbers stand, in pixels, and ``size`` how large they are.
    """

    left: float
    top: float
    wide: float
    tall: float
    across: Scale
    up: Scale
    drop: float = 16
    size: float = 11

    @property
    def foot(self) -> float:
        """The lower edge of the field."""
        return self.top + self.tall

    def x(self, value: float) -> float:
        """Where a value of the axis across lies."""
        return self.left + self.across.share(value) * self.wide

    def y(self, value: float) -> float:
        """Where a value of the axis upwards lies."""
        return self.foot - self.up.share(value) * self.tall

    def level(self, drawing: Drawing, value: float) -> None:
        """A thin line across the field at a value of the axis upwards, and the value on its left."""
        drawing.line(self.left, self.y(value), self.left + self.wide, self.y(value), width=0.5)
        drawing.text(self.left - 8, self.y(value) + 4, f"{value:,}", anchor="end", size=11)

    def below(self, drawing: Drawing, value: float, words: str = "") -> None:
        """A value of the axis across, below the field."""
        drawing.text(self.x(value), self.foot + self.drop, words or str(value), anchor="middle", size=self.size)

    def name_below(self, drawing: Drawing, words: str) -> None:
        """What the axis across counts."""
        drawing.text(self.left + self.wide / 2, self.foot + self.drop + 18, words, anchor="middle", size=11)

    def marks(self, drawing: Drawing, points: Iterable[tuple[float, float]], state: str, size: float) -> None:
        """A square of ``size`` pixels at each point (value across, value upwards)."""
        for across, up in points:
            drawing.box(self.x(across) - size / 2, self.y(up) - size / 2, size, size, state, hatched=False)
