"""A row: one question and its answer as a JSON object, the same words in recordings, on the GPU and in machines."""

from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]

# What the device answered, by its key; every other key of a row is part of the question.
ANSWERED = ("result", "bytes", "status", "last_touched", "blake2b_96", "fault", "changed")
KEPT = ("window", "window_at")  # all bytes, or where the .bin file beside holds them


class RecordingError(ValueError):
    """A file, or a row of it, is not a recording; the message says where."""


def without(row: Mapping[str, Any], names: tuple[str, ...]) -> Row:
    """The row less what goes by these names."""
    return {name: value for name, value in row.items() if name not in names}


def answer_names(do: str) -> tuple[str, ...]:
    """The keys of an answer. ``bytes`` is the answer of an encode call, but the size of the box in a store's question."""
    return tuple(name for name in (*ANSWERED, *KEPT) if do == "encode" or name != "bytes")
