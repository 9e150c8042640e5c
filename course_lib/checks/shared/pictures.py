"""Pictures that a check shows only where they can be drawn."""

from collections.abc import Callable
from typing import Any

from course_lib.draw import Picture


def draw_if_it_fits(draw: Callable[..., Picture], *arguments: Any) -> Picture | None:
    """What ``draw`` makes of its arguments; none where it refuses them, as too large for one."""
    try:
        return draw(*arguments)
    except ValueError:
        return None
