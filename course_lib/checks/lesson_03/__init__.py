"""The checks of exercise 03."""

from course_lib.checks.lesson_03.checks import (
    check_decode_tiled,
    check_derived_words,
    check_encode_tiled,
    check_rank_of,
    check_shape_of,
    check_type_of,
)

__all__ = [
    "check_decode_tiled",
    "check_derived_words",
    "check_encode_tiled",
    "check_rank_of",
    "check_shape_of",
    "check_type_of",
]
