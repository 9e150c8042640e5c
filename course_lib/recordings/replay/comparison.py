"""The recorded answer to a call beside the model's, and how a row's arguments are read."""

from collections.abc import Callable
from typing import Any, NamedTuple

from course_lib.model.call.tensor_map import Call
from course_lib.model.call.verdict import IllegalTensorMap, Verdict
from course_lib.model.facts.faults import DeviceFault
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import RecordingError, Row

Answer = dict[str, Any]


class Compared(NamedTuple):
    """The recorded answer and the model's, part by part; ``note`` tells why the model answers so.

    Nothing recorded means that there is nothing to compare, and ``note`` says why.
    """

    recorded: Answer
    model: Answer
    note: str = ""

    @property
    def differing(self) -> list[str]:
        """The parts that differ: the CUresult or the fault alone where those do."""
        names = [name for name in self.recorded if self.recorded[name] != self.model.get(name)]
        decisive = [name for name in names if name in ("result", "fault")]
        return decisive or names


def read_call(row: Row, make: Callable[[Row], Call] = tensor_map_of) -> Call:
    """The tensor map that a row asks for; RecordingError where its arguments are none."""
    try:
        return make(row)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordingError(f"no such call: {error}") from error


def must_have(row: Row, *names: str) -> None:
    """RecordingError where a row lacks one of ``names``."""
    for name in names:
        if name not in row:
            raise RecordingError(f"it lacks {name!r}")


def whole(row: Row, name: str, limit: int) -> int:
    """The integer ``name`` of a row, 0 or more and below ``limit``; 0 where it is missing."""
    value = row.get(name, 0)
    if not isinstance(value, int) or not 0 <= value < limit:
        raise RecordingError(f"{name} must be an integer from 0 to {limit - 1}, not {value!r}")
    return value


def first_entries(row: Row, name: str, count: int) -> list[Any]:
    """The first entries of an array that may be longer than the rank; none where it is missing."""
    values = row.get(name, [])
    if not isinstance(values, list):
        raise RecordingError(f"{name} must be an array, not {values!r}")
    return values[:count]


def broken_rules(verdict: Verdict) -> str:
    """Which rules the model refuses a call for."""
    return "the model refuses it: " + ", ".join(broken.id for broken in verdict.broken)


def attempt(perform: Callable[[], Answer]) -> tuple[Answer, str]:
    """The model's answer to a copy, and why it answers so."""
    try:
        return {"result": 0, "fault": None} | perform(), ""
    except RecordingError:
        raise
    except DeviceFault as fault:
        return {"result": 0, "fault": fault.code}, fault.reason
    except IllegalTensorMap as refusal:
        return {"result": 1}, broken_rules(refusal.verdict)
    except (TypeError, ValueError) as error:
        return {"result": 0, "fault": type(error).__name__}, str(error)
