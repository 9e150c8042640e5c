"""The checks of exercise 00."""

from course_lib.checks.lesson_00.checks import (
    check_mended,
    check_telling_matrix,
    check_tile_map,
    check_words_that_differ,
)

__all__ = ["check_mended", "check_telling_matrix", "check_tile_map", "check_words_that_differ"]
