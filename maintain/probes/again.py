"""``python -m maintain.probes.again ROWS.jsonl``: does a new run of descriptor.sh give every recorded row again?"""

import json
import sys
from pathlib import Path

from course_lib.recordings import committed, read_rows

RECORDINGS = ("descriptor.jsonl.xz", "descriptor_fields.jsonl.xz")


def missing(path: Path) -> list[str]:
    """The recorded rows that the file lacks, less the one that tells device and date."""
    now = {json.dumps(row, sort_keys=True) for row in read_rows(path)}
    recorded = [row for name in RECORDINGS for row in read_rows(committed(name)) if row.get("kind") != "provenance"]
    return [row for row in (json.dumps(row, sort_keys=True) for row in recorded) if row not in now]


def main(words: list[str]) -> int:
    """1 where a recorded row did not come again."""
    lost = missing(Path(words[0]))
    print(*(f"not again: {row[:300]}" for row in lost[:5]), sep="\n", end="\n" if lost else "")
    print(f"{' and '.join(RECORDINGS)}: {len(lost)} rows differ")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
