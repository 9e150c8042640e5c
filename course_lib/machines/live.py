"""A live Hopper GPU as a machine. Every launch runs in a child process, so that a fault ends the child and no notebook."""

from base64 import b64encode
from typing import Any, Protocol

import numpy as np

from course_lib.machines.answers import Mismatch, Who, first_byte_difference
from course_lib.machines.causes import likely_causes
from course_lib.machines.interface import Machine
from course_lib.machines.modelled import Model
from course_lib.machines.questions import Question
from course_lib.machines.recorded import NOT_RECORDED, Recorded
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, GLOBAL_BYTES_OF_STORES, SHARED_BYTES_OF_STORES
from course_lib.rows.row import Row

ROOM_BYTES = {
    ("load", "global_memory"): GLOBAL_BYTES_OF_LOADS,
    ("store", "global_memory"): GLOBAL_BYTES_OF_STORES,
    ("store", "shared_memory"): SHARED_BYTES_OF_STORES,
}


class LiveError(RuntimeError):
    """There is no usable GPU, or the child process failed for a reason that is no CUresult."""


class Asker(Protocol):
    """What launches for us: ``gpu.child.Child``, or a stand-in under test."""

    def ask(self, do: str, row: Row, keep: bool = False) -> Row:
        """The outcome of ``do`` on ``row``."""

    def stop(self) -> None:
        """End the process."""


class Live(Machine):
    """Device 0 of this computer. LiveError where there is none.

    Every answer is compared with the recording of the same call, where there is one: Mismatch if they differ on the
    recording's architecture. Bytes past the end of a memory that was given are ours: a copy that reads them gets zeros,
    not the fault that the model predicts; a real fault needs an address at which nothing is mapped.
    """

    def __init__(self, asker: Asker | None = None, who: Who | None = None, recorded: Machine | None = None):
        self.recorded = recorded or Recorded()
        self.model = Model()
        self._asker, self.who = (asker, who) if asker and who else start_child()

    def stop(self) -> None:
        """End the child process; the next question starts another."""
        self._asker.stop()

    def ask(self, question: Question) -> tuple[Row, Who]:
        """Ask the GPU, then compare with the recording."""
        outcome = self.outcome_of(question)
        expected, by = self.recorded.ask(question)
        if by.kind == "recorded":
            return outcome, self.compared(outcome, expected, by)
        return outcome, self.who._replace(note=NOT_RECORDED)

    def outcome_of(self, question: Question) -> Row:
        """The GPU's answer in the words that all machines share."""
        sent = question.row | {name: pack_memory(question.do, name, memory) for name, memory in question.given.items()}
        try:
            told = self._asker.ask(question.do, sent, question.do != "encode")
        except RuntimeError as error:
            raise LiveError(str(error)) from error
        return read_outcome(told, question) | self.reason(told, question)

    def reason(self, told: Row, question: Question) -> Row:
        """Why, where the driver or the device refuses: the model's reason where it predicts the same."""
        if not told.get("result") and told.get("fault") is None:
            return {}
        predicted = self.model.ask(question)[0]
        if told.get("result"):
            return {"why": predicted.get("why", "") if predicted.get("result") else ""}
        same = predicted.get("fault") == told["fault"]
        return {"why": likely_causes(told["fault"], predicted["why"] if same else "")}

    def compared(self, outcome: Row, expected: Row, by: Who) -> Who:
        """Who answered, once the answer is the recorded one. Mismatch where it is not."""
        difference = outcome_difference(outcome, expected)
        if difference and by.target == self.who.target:
            raise Mismatch(f"THE LIVE ANSWER IS NOT THE RECORDED ONE: {difference} ({self.who}; {by})")
        note = f"differs from {by.device}: {difference}" if difference else "equal to the recording"
        return self.who._replace(note=note)


def start_child() -> tuple[Asker, Who]:
    """A child process on the GPU of this computer, and what to call it."""
    from course_lib.gpu.child import Child
    from course_lib.gpu.device import device_provenance, gpu_status

    status = gpu_status()
    if not status.usable:
        raise LiveError(status.sentence)
    return Child(), Who("live", **device_provenance())


def pack_memory(do: str, name: str, memory: Any) -> str:
    """A given memory for the child. ValueError where the GPU's copy of it has no room."""
    room = ROOM_BYTES[do, name]
    if memory.size > room:
        raise ValueError(f"{name} has {memory.size:,} bytes; a live {do} takes {room:,}")
    return b64encode(memory.tobytes()).decode()


def read_outcome(told: Row, question: Question) -> Row:
    """The child's outcome with bytes instead of hex."""
    outcome: Row = {"result": told.get("result", 0), "fault": told.get("fault")}
    if "bytes" in told and question.do == "encode":
        outcome["bytes"] = bytes.fromhex(told["bytes"])
    kept = told.get("window", told.get("memory"))
    if kept is not None:
        outcome["memory"] = trim(np.frombuffer(bytes.fromhex(kept), np.uint8), question)
    if "status" in told:
        short = told.get("short_bytes")
        outcome |= {"completed": bool(told["status"]), "awaited_bytes": 0 if told["status"] else short}
    return outcome


def trim(memory: Any, question: Question) -> Any:
    """Global memory as long as it was given."""
    given = question.given.get("global_memory") if question.do == "store" else None
    return memory if given is None else memory[: given.size]


def outcome_difference(outcome: Row, expected: Row) -> str:
    """The first difference between two outcomes; empty where there is none."""
    for name, usual in (("result", 0), ("fault", None)):
        ours, theirs = outcome.get(name, usual), expected.get(name, usual)
        if ours != theirs:
            return f"{name} {ours} against {theirs}"
    ours, theirs = outcome.get("completed"), expected.get("completed")
    if ours != theirs and None not in (ours, theirs):
        return f"barrier completed: {ours} against {theirs}"
    return bytes_difference(outcome, expected)


def bytes_difference(outcome: Row, expected: Row) -> str:
    """The first difference between the bytes of two outcomes."""
    for name in ("bytes", "memory"):
        ours, theirs = outcome.get(name), expected.get(name)
        if (ours is None) != (theirs is None):
            return f"only one of the two has {name}"
        if ours is not None and (difference := first_byte_difference(flat(ours), flat(theirs))):
            return difference
    return ""


def flat(data: Any) -> Any:
    """Bytes or an array, as an array."""
    return np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
