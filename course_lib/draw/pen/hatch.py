"""Hatches as plain strokes, cut to their rectangle: they need no ids, so any viewer shows them anywhere."""

from collections.abc import Iterator

STEP = 6


def strokes(kind: str, x: float, y: float, width: float, height: float) -> str:
    """The path data of a hatch (one of KINDS) over a rectangle; ValueError for an unknown one."""
    if kind not in KINDS:
        raise ValueError(f"hatch={kind!r}: there are {', '.join(KINDS)}")
    return "".join(KINDS[kind](x, y, width, height))


def rising(x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Lines from the lower left to the upper right."""
    for at in range(STEP, round(width + height), STEP):
        left, right = max(0, at - height), min(at, width)
        yield f"M{x + left:g} {y + at - left:g}L{x + right:g} {y + at - right:g}"


def falling(x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Lines from the upper left to the lower right."""
    for at in range(STEP, round(width + height), STEP):
        left, right = max(0, at - height), min(at, width)
        yield f"M{x + left:g} {y + height - at + left:g}L{x + right:g} {y + height - at + right:g}"


def cross(x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Both."""
    yield from rising(x, y, width, height)
    yield from falling(x, y, width, height)


def dots(x: float, y: float, width: float, height: float) -> Iterator[str]:
    """A dot every STEP pixels both ways."""
    for down in range(STEP // 2, round(height), STEP):
        for across in range(STEP // 2, round(width), STEP):
            yield f"M{x + across:g} {y + down:g}h2"


def level(x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Horizontal lines."""
    for down in range(STEP // 2, round(height), STEP):
        yield f"M{x:g} {y + down:g}h{width:g}"


KINDS = {"rising": rising, "falling": falling, "cross": cross, "dots": dots, "level": level}
