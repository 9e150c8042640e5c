"""The checks of exercise 10."""

from course_lib.checks.lesson_10.checks import (
    check_channels_of,
    check_copies_for,
    check_pack,
    check_packet_map,
    check_standing,
)

__all__ = ["check_channels_of", "check_copies_for", "check_pack", "check_packet_map", "check_standing"]
