"""What a real H200 answered, with device, driver and date; reading it and replaying it against the model."""

from .answers import Provenance, RecordedEncode, encode_rows, provenance, recorded_encode
from .files import RecordingError, committed, read_rows
from .memory import source_bytes

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
