"""The checks of exercise 06."""

from course_lib.checks.lesson_06.checks import (
    check_code_of,
    check_culprit,
    check_row_fits,
    check_same_bytes,
    check_strides_fit,
)

__all__ = ["check_code_of", "check_culprit", "check_row_fits", "check_same_bytes", "check_strides_fit"]
