"""The checks of exercise 08."""

from course_lib.checks.lesson_08.checks import (
    check_best_pitch,
    check_degree_of,
    check_padded_box,
    check_turns_of,
    check_turns_shared,
)

__all__ = ["check_best_pitch", "check_degree_of", "check_padded_box", "check_turns_of", "check_turns_shared"]
