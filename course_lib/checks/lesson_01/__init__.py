"""The checks of exercise 01."""

from course_lib.checks.lesson_01.checks import (
    check_count_copies,
    check_outcome,
    check_pieces,
    check_pieces_inside,
    check_widest,
)

__all__ = ["check_count_copies", "check_outcome", "check_pieces", "check_pieces_inside", "check_widest", "questions"]
