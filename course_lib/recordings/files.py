"""Recordings as files: JSON lines, plain, gzip'd or xz'd, one call a line."""

import gzip
import json
import lzma
import zlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

from course_lib.rows.row import RecordingError, Row

OPENERS = {".gz": gzip.open, ".xz": lzma.open}
DATA = files("course_lib.recordings") / "data"


def committed(name: str) -> Path:
    """The path of a recording that ships with the library, for example "encode.jsonl.xz"."""
    path = Path(str(DATA / name))
    if not path.exists():
        raise RecordingError(f"name={name!r}: no such recording; there are {', '.join(names())}")
    return path


def names() -> list[str]:
    """The recordings that ship with the library."""
    return sorted(p.name for p in Path(str(DATA)).iterdir() if ".jsonl" in p.name)


def open_binary(path: Path) -> IO[bytes]:
    """The unpacked bytes of a file, by its last suffix."""
    opener: Any = OPENERS.get(path.suffix.lower(), open)
    stream: IO[bytes] = opener(path, "rb")
    return stream


def read_lines(path: Path) -> Iterator[bytes]:
    """The unpacked lines of a file. RecordingError where it is not there, not packed as its suffix says, or cut short."""
    try:
        with open_binary(path) as lines:
            yield from lines
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordingError(f"{path}: cannot be read ({reason})") from error


def read_rows(path: str | Path) -> Iterator[Row]:
    """The rows of a file. RecordingError names the file and the line that is not a JSON object."""
    path = Path(path)
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            yield parse_line(line, f"{path.name} line {number}")


def parse_line(line: bytes, where: str) -> Row:
    """One line as a row."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{where}: not JSON ({error})") from error
    if not isinstance(row, dict):
        raise RecordingError(f"{where}: a row is a JSON object, not {type(row).__name__}")
    return row
