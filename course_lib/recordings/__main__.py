"""python -m course_lib.recordings FILE…: how far the model agrees with recordings, row by row where it does not.

Exit status 0 where all rows agree, 1 where some differ, 2 where a file cannot be read.
"""

import argparse
import sys
from pathlib import Path

from course_lib.recordings.files import read_lines
from course_lib.recordings.replay.replay import Watch, replay
from course_lib.rows.row import RecordingError

AGREES, DIFFERS, UNREADABLE = 0, 1, 2
LONG_FILE_ROWS = 1000


def main(arguments: list[str] | None = None) -> int:
    """Replay each file; the worst status of all."""
    parser = argparse.ArgumentParser(
        prog="python -m course_lib.recordings", description=(__doc__ or "").split(":", 1)[1]
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON lines, plain, .gz or .xz")
    parser.add_argument("--most", type=int, default=20, metavar="N", help="show at most N rows that differ (20)")
    asked = parser.parse_args(arguments)
    return max(replay_file(Path(name), max(asked.most, 0)) for name in asked.files)


def replay_file(path: Path, most: int) -> int:
    """Replay one file and print what it found."""
    try:
        total = sum(1 for _ in read_lines(path)) if path.is_file() else None  # a pipe can be read only once
        report = replay(path, bar_over(path.name, total))
    except RecordingError as error:
        print(error, file=sys.stderr)
        return UNREADABLE
    print(report.report(most))
    return DIFFERS if report.differences else AGREES


def bar_over(name: str, total: int | None) -> Watch:
    """What shows how far a replay has come; nothing where tqdm is not installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        return iter
    return lambda rows: tqdm(rows, name, total, unit=" rows", disable=hide_bar(total))


def hide_bar(total: int | None) -> bool | None:
    """No progress bar for a short file; None lets tqdm hide it where no person watches."""
    return True if total is not None and total < LONG_FILE_ROWS else None


if __name__ == "__main__":
    sys.exit(main())
