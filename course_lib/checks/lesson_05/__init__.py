"""The checks of exercise 05."""

from course_lib.checks.lesson_05.checks import check_added, check_maximum, check_suspects, check_tf32_of, check_type_for

__all__ = ["check_added", "check_maximum", "check_suspects", "check_tf32_of", "check_type_for"]
