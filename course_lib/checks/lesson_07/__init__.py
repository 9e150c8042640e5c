"""The checks of exercise 07."""

from course_lib.checks.lesson_07.checks import (
    check_exact_store,
    check_fill_of,
    check_row_maxima,
    check_spilled_bytes,
    check_window,
    tile_loader,
)

__all__ = [
    "check_exact_store",
    "check_fill_of",
    "check_row_maxima",
    "check_spilled_bytes",
    "check_window",
    "tile_loader",
]
