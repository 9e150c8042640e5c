"""The checks of exercise 09."""

from course_lib.checks.lesson_09.checks import (
    check_address_of,
    check_best_mode,
    check_rule_of,
    check_skewed,
    check_tile_of,
)
from course_lib.checks.lesson_09.questions import unseen_engine, window_picture

__all__ = [
    "check_address_of",
    "check_best_mode",
    "check_rule_of",
    "check_skewed",
    "check_tile_of",
    "unseen_engine",
    "window_picture",
]
