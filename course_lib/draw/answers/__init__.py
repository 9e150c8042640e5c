"""Calls, verdicts and answers, yours beside the reference."""
