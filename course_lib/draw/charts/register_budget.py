"""The registers of a thread as one bar: what each use takes, and where the limit is."""

from collections.abc import Mapping

from course_lib.draw.charts.bars import Stretch, stretches
from course_lib.draw.pen.svg import Drawing, Picture, text_width

LEFT, LONG, HIGH, TOP = 12.0, 560.0, 28.0, 34.0
STATES = ("element", "unit", "byte", "code")


def budget_picture(uses: Mapping[str, int], limit: int, title: str = "Registers of a thread") -> Picture:
    """``uses``: a name and its registers, four at most; ``limit``: as many as a thread can have. ValueError for more uses."""
    if len(uses) > len(STATES):
        raise ValueError(f"{len(uses)} uses: this picture tells {len(STATES)} apart")
    total = sum(uses.values())
    fits = f"{limit - total} left" if total <= limit else f"{total - limit} too many"
    said = f"{total} of {limit}: {fits}."
    scale = LONG / max(total, limit)
    drawing = Drawing(LEFT + LONG + 60, TOP + HIGH + 30, title, said)
    drawing.text(LEFT, 16, f"{title}: {said}", bold=True)
    parts = (_stretch(state, *use, scale) for state, use in zip(STATES, uses.items(), strict=False))
    stretches(drawing, LEFT, TOP, HIGH, parts)
    at = LEFT + limit * scale
    drawing.line(at, TOP - 6, at, TOP + HIGH + 6, "differs", 2)
    drawing.text(at, TOP + HIGH + 20, f"limit {limit}", anchor="middle", size=11)
    return drawing.picture("\n".join([title, *(f"{name}: {number}" for name, number in uses.items()), said]))


def _stretch(state: str, name: str, number: int, scale: float) -> Stretch:
    """A use with its name where there is room for it."""
    wide, words = number * scale, f"{name} {number}"
    return Stretch(state, wide, words if wide > text_width(words) else str(number) * (wide > 24))
