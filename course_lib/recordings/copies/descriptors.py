"""What was tried with descriptors alone: one argument at a time, where they live, edits on the device, single bits."""

from functools import lru_cache

from course_lib.model.call.tensor_map import Call
from course_lib.recordings.files import committed, read_rows
from course_lib.recordings.sessions import Provenance, RecordedEncode
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import Row

FIELDS, TRIED = "descriptor_fields.jsonl.xz", "descriptor.jsonl.xz"


@lru_cache(1)
def _rows() -> tuple[Row, ...]:
    return tuple(read_rows(committed(TRIED)))


def rows_tried(kind: str) -> list[Row]:
    """The rows of one kind: encode_to, encode_without_context, c_type, descriptor_at, device_edit, poke or
    upper_half."""
    return [{name: value for name, value in row.items() if name != "kind"} for row in _rows() if row["kind"] == kind]


@lru_cache(1)
def tried_provenance() -> Provenance:
    """Device, driver and date of these rows."""
    return Provenance(**rows_tried("provenance")[0])


@lru_cache(1)
def _answers() -> dict[Call, RecordedEncode]:
    rows = read_rows(committed(FIELDS))
    return {
        tensor_map_of(row): RecordedEncode(
            row["result"], bytes.fromhex(row["bytes"]) if "bytes" in row else None, tried_provenance()
        )
        for row in rows
    }


def recorded_fields() -> dict[Call, RecordedEncode]:
    """The driver's answer to each of the calls that change one argument of a plain one, the plain one first."""
    return dict(_answers())
