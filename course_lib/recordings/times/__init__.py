"""Recorded times, counters and barriers, by the subject that a lesson asks about."""
