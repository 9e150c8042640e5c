"""The checks of exercise 04."""

from course_lib.checks.lesson_04.checks import (
    check_addresses,
    check_bytes_of_copy,
    check_load_box,
    check_map_of_view,
    check_shape_of_view,
    check_why_not,
)

__all__ = [
    "check_addresses",
    "check_bytes_of_copy",
    "check_load_box",
    "check_map_of_view",
    "check_shape_of_view",
    "check_why_not",
]
