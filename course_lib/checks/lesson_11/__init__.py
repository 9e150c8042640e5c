"""The checks of exercise 11."""

from course_lib.checks.lesson_11.checks import (
    check_dram_bytes_256b,
    check_dram_bytes_of,
    check_second_read_of,
    check_sectors_of,
    check_where_it_fails,
)

__all__ = [
    "check_dram_bytes_256b",
    "check_dram_bytes_of",
    "check_second_read_of",
    "check_sectors_of",
    "check_where_it_fails",
]
