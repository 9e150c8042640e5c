"""A recorded answer looked up by the exact arguments of the call."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from course_lib.model.call.tensor_map import Call
from course_lib.recordings.files import DATA, committed, open_binary, read_rows
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import RecordingError, Row

ENCODE_FILES = ("encode.jsonl.xz", "encode_probes.jsonl.xz")


class Provenance(NamedTuple):
    """Who answered, and when."""

    device: str
    target: str
    driver: str
    cuda: str
    date: str

    def __str__(self) -> str:
        return f"{self.device} ({self.target}), driver {self.driver}, CUDA {self.cuda}, {self.date}"


class RecordedEncode(NamedTuple):
    """What the driver answered to one encode call: its CUresult (0 or 1) and, on 0, the 128 bytes."""

    result: int
    bytes: bytes | None
    provenance: Provenance


@lru_cache(64)
def provenance(name: str = "encode.jsonl.xz") -> Provenance:
    """Device, driver and date of a recording that ships with the library; RecordingError where it is none."""
    for session in json.loads((DATA / "provenance.json").read_text()):
        if name in session.pop("files"):
            return Provenance(**session)
    raise RecordingError(f"name={name!r}: provenance.json names no such recording")


def encode_rows() -> Iterator[Row]:
    """Every recorded encode call that ships with the library."""
    for name in ENCODE_FILES:
        yield from read_rows(committed(name))


@lru_cache(len(ENCODE_FILES))
def _lines(name: str) -> tuple[bytes, ...]:
    return tuple(open_binary(committed(name)))


@lru_cache(256)
def recorded_encode(tensor_map: Call) -> RecordedEncode | None:
    """The recorded answer to exactly this call, or None. The first look-up unpacks the recordings (about 0.5 s)."""
    shape = ",".join(str(d) for d in tensor_map.global_dim)
    marks = (f'"global_dim":[{shape}'.encode(), f'"global_address":{tensor_map.global_address},'.encode())
    for name in ENCODE_FILES:
        for line in _lines(name):
            if all(mark in line for mark in marks):
                row = json.loads(line)
                if tensor_map_of(row) == tensor_map:
                    data = bytes.fromhex(row["bytes"]) if row["result"] == 0 else None
                    return RecordedEncode(row["result"], data, provenance(name))
    return None
