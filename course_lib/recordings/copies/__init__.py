"""Recorded copies and calls, by the subject that a lesson asks about."""
