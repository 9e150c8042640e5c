"""The shared windows that a file of loads keeps whole, in a .bin file beside it."""

from functools import cached_property
from pathlib import Path

from course_lib.recordings.files import OPENERS, read_lines
from course_lib.rows.row import RecordingError, Row


class Windows:
    """The windows beside one file of rows. ``without`` counts the rows that kept one which is not there."""

    def __init__(self, path: Path):
        self.path = path
        self.name = path.name.split(".jsonl")[0] + ".bin"
        self.without = 0

    @cached_property
    def kept(self) -> bytes | None:
        """The unpacked .bin file; None where there is none."""
        for suffix in ("", *OPENERS):
            beside = self.path.with_name(self.name + suffix)
            if beside.exists():
                return b"".join(read_lines(beside))
        return None

    def attached(self, row: Row) -> Row:
        """The row, with the bytes of its ``window`` where it keeps one (``window_at``) and the .bin file is there."""
        if "window_at" not in row or row.get("result") != 0 or row.get("fault") is not None:
            return row
        if self.kept is None:
            self.without += 1
            return row
        return row | {"window": window_of(row, self.kept)}


def window_of(row: Row, kept: bytes) -> bytes:
    """The window of one row; RecordingError where it is not in ``kept``."""
    start, size = row["window_at"], row.get("window_bytes")
    if not (isinstance(start, int) and isinstance(size, int) and 0 <= start <= start + size <= len(kept)):
        asked = f"window_at {start!r} with window_bytes {size!r}"
        raise RecordingError(f"{asked} is not in a .bin file of {len(kept):,} bytes")
    return kept[start : start + size]
