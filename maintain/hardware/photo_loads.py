"""Loads of one photograph as channel packets: ``python -m maintain.hardware.photo_loads FOLDER`` records them.

A row holds its own memory (base64). Later, ``make record`` asks the rows of the recording again.
"""

import json
import lzma
import sys
from base64 import b64encode
from pathlib import Path

from course_lib.gpu.child import Child
from course_lib.gpu.device import device_provenance, gpu_status
from course_lib.machines.questions import load_question
from course_lib.recordings.copies.photo_loads import PhotoLoad, photo_loads
from course_lib.rows.row import Row

NAME = "load_photo.jsonl.xz"


def photo_row(load: PhotoLoad) -> Row:
    """A load as a recording asks it."""
    given = (0, load.memory, load.shared_address, (), None)
    question = load_question(load.tensor_map, load.coordinates, *given)
    return {"why": load.why} | question.row | {"global_memory": b64encode(load.memory.tobytes()).decode()}


def main(words: list[str]) -> int:
    """Ask, and write the recording into the folder; 1 where there is no GPU."""
    status = gpu_status()
    print(status.sentence, flush=True)
    if not status.usable:
        return 1
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    with Child() as child:
        rows = [row | child.ask("load", row) for row in map(photo_row, photo_loads())]
    lines = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    (folder / NAME).write_bytes(lzma.compress(lines.encode(), preset=9))
    print(json.dumps(device_provenance() | {"files": [NAME], "rows": len(rows)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
