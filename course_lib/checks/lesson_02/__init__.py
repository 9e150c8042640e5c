"""The checks of exercise 02."""

from course_lib.checks.lesson_02.checks import (
    BROKEN,
    broken,
    check_diagnose,
    check_expected_bytes,
    check_mend,
    check_parities,
    check_state_after,
)

__all__ = [
    "BROKEN",
    "broken",
    "check_diagnose",
    "check_expected_bytes",
    "check_mend",
    "check_parities",
    "check_state_after",
]
