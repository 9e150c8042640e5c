"""The recorded row that asks exactly this question. The first look-up unpacks the files of its kind (0.5 s at most)."""

import json
from base64 import b64encode
from functools import lru_cache
from typing import Any, NamedTuple

from course_lib.machines.questions import Question
from course_lib.model.call.tensor_map import Call
from course_lib.recordings.copies.descriptors import recorded_fields
from course_lib.recordings.files import committed, names, read_lines
from course_lib.recordings.sessions import Provenance, provenance, recorded_encode
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import Row


def files_of(what: str) -> tuple[str, ...]:
    """The recordings of loads, or of stores, by the beginning of their names; faults hold both."""
    return (*(name.removesuffix(".jsonl.xz") for name in names() if name.startswith(what)), "faults")


LOADS, STORES = files_of("load"), files_of("store")
FILES = {"load": LOADS, "store": STORES, "bulk": files_of("bulk")[:-1]}
MARKS = {
    "load": ("global_dim", "coordinates", "seed"),
    "store": ("global_dim", "coordinates", "seed"),
    "bulk": ("size", "source", "destination"),
}
OWN_SETTING = ("absolute_address", "barrier_offset", "shared_bytes")  # a row with one of these asks something else


class Found(NamedTuple):
    """A recorded row, and who answered it."""

    row: Row
    by: Provenance


def find(question: Question) -> Found | None:
    """The recorded answer to exactly this question, or None. Of memories that are given, a load's is looked up."""
    if question.given and question.do != "load":
        return None
    if question.do == "encode":
        return encode_found(tensor_map_of(question.row))
    own = {name: b64encode(memory.tobytes()).decode() for name, memory in question.given.items()}
    wanted = question_key(question.do, question.row | own)
    for name in FILES[question.do]:
        for line in candidates(name, marks(question)):
            row = json.loads(line)
            if question_key(question.do, row) == wanted:
                return Found(row, provenance(f"{name}.jsonl.xz"))
    return None


def encode_found(tensor_map: Call) -> Found | None:
    """The driver's recorded answer to an encode call."""
    answer = recorded_encode(tensor_map) or recorded_fields().get(tensor_map)
    return Found({"result": answer.result, "bytes": answer.bytes}, answer.provenance) if answer else None


@lru_cache(32)
def lines_of_recording(name: str) -> tuple[bytes, ...]:
    """The unpacked lines of a recording."""
    return tuple(read_lines(committed(f"{name}.jsonl.xz")))


def candidates(name: str, wanted: list[bytes]) -> list[bytes]:
    """The lines that may be the row: cheap to find, compared afterwards."""
    first, *rest = wanted  # most lines lack the first
    return [line for line in lines_of_recording(name) if first in line and all(mark in line for mark in rest)]


def marks(question: Question) -> list[bytes]:
    """What the row's line must contain."""
    spelled = (json.dumps({name: question.row[name]}, separators=(",", ":")) for name in MARKS[question.do])
    own = [f'"{name}"'.encode() for name in question.given]
    return own + [text[1:-1].rstrip("]").encode() for text in spelled]


def question_key(do: str, row: Row) -> Any:
    """What a row asks, in one form for all recordings; the size of the window is no part of it."""
    if any(name in row for name in OWN_SETTING) or ("op" in row) == (do == "load"):
        return row
    if do == "bulk":
        names = ("direction", "op", "type", "source", "destination", "size", "seed", "transaction_bytes")
        return tuple(row.get(name) for name in names)
    rank = row["rank"]
    offsets = tuple(row.get("im2col_offsets", ())[: max(rank - 2, 0)]) or (0,) * max(rank - 2, 0)
    told = (row.get("transaction_bytes"), row.get("global_memory")) if do == "load" else row["op"]
    place = (row.get("shared_address", 0), tuple(row["coordinates"][:rank]), offsets if row["api"] != "tiled" else ())
    return tensor_map_of(row), *place, row["seed"], told
