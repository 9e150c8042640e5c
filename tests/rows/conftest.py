"""The fixtures of recordings: rows of the wire are read there."""

from tests.recordings.conftest import row, written  # noqa: F401
