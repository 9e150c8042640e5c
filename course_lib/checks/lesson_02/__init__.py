"""The checks of exercise 02."""

from course_lib.checks.lesson_02.checks import (
    check_diagnose,
    check_expected_bytes,
    check_mend,
    check_parities,
    check_state_after,
)
from course_lib.checks.lesson_02.questions import BROKEN, broken

__all__ = [
    "BROKEN",
    "broken",
    "check_diagnose",
    "check_expected_bytes",
    "check_mend",
    "check_parities",
    "check_state_after",
]
