"""What a real H200 answered, with device, driver and date; reading it and replaying it against the model."""

from course_lib.recordings.files import committed, read_rows
from course_lib.recordings.sessions import Provenance, RecordedEncode, encode_rows, provenance, recorded_encode
from course_lib.rows.memory import source_bytes
from course_lib.rows.row import RecordingError

__all__ = [
    "Provenance",
    "RecordedEncode",
    "RecordingError",
    "committed",
    "encode_rows",
    "provenance",
    "read_rows",
    "recorded_encode",
    "source_bytes",
]
