"""What the model answers to a drawn row, in a recorded row's words, and where a GPU's outcome differs from it."""

from typing import Any

from course_lib.recordings.replay.kinds import kind_of
from course_lib.rows.row import ANSWERED, Row

CodesAndBytes = dict[str, Any]
NO_ANSWER = {"result": 1}  # what a row needs to be read; it is not looked at
NO_COPY = {"result": 0, "blake2b_96": ""}


def model_answer(do: str, row: Row) -> CodesAndBytes:
    """The model's answer as a row would keep it: codes, counts and digests; the 128 bytes in hex."""
    asked = row | (NO_ANSWER if do == "encode" else NO_COPY)
    answer = kind_of(asked).compare(asked).model
    kept = {name: value for name, value in answer.items() if name != "window"}
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in kept.items()}


def differing_parts(do: str, model: CodesAndBytes, outcome: CodesAndBytes) -> list[str]:
    """The parts in which a GPU's outcome differs from the model's answer: codes alone where those do."""
    told = {"result": 0, "fault": None} | outcome
    codes = [name for name in ("result", "fault") if told[name] != model.get(name, {"result": 0}.get(name))]
    if codes or told["result"] or told["fault"] is not None:
        return codes
    must = "bytes" if do == "encode" else "blake2b_96"
    names = [name for name in ANSWERED if name in told and name in model and not (name == "bytes" and do == "store")]
    return [name for name in dict.fromkeys((must, *names)) if name not in told or told[name] != model.get(name)]


def expects_fault(model: CodesAndBytes) -> bool:
    """Does the model predict a fault?"""
    return model.get("fault") is not None
