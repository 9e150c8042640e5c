"""The fixtures of the rooms that these programs ask: a child process, the rows of shipped recordings."""

from tests.gpu.conftest import child, status  # noqa: F401
from tests.recordings.conftest import row, written  # noqa: F401
