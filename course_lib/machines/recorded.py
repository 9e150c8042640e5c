"""The recordings as a machine: what an H200 answered to exactly this call; elsewhere the model, labelled as such."""

from typing import Any

import numpy as np

from course_lib.machines.answers import Mismatch, Who
from course_lib.machines.causes import likely_causes
from course_lib.machines.interface import Machine
from course_lib.machines.lookup import Found, find
from course_lib.machines.modelled import THE_MODEL, Model
from course_lib.machines.questions import Question
from course_lib.model.call.arguments import Memory
from course_lib.rows.memory import WINDOW_FILL, digest
from course_lib.rows.row import Row

NOT_RECORDED = "no recording of exactly this call"


class Recorded(Machine):
    """The recorded answer to a call, found by its exact arguments; ``model`` answers where nothing is recorded.

    A recording keeps a digest of the bytes that a copy left, not the bytes. They are rebuilt by the model, and their
    digest must be the recorded one: Mismatch otherwise.
    """

    def __init__(self, model: Machine | None = None):
        self.model = model or Model()

    def ask(self, question: Question) -> tuple[Row, Who]:
        """Look the question up."""
        found = find(question)
        if found is None:
            return self.model.ask(question)[0], THE_MODEL._replace(note=NOT_RECORDED)
        return self.answered(question, found), Who("recorded", *found.by)

    def answered(self, question: Question, found: Found) -> Row:
        """The recorded outcome, with the bytes behind its digest."""
        row = found.row
        if question.do == "encode":
            return {"why": self.model.ask(question)[0].get("why", "")} | row if row["result"] else row
        rebuilt = self.model.ask(question)[0]
        if row.get("result") or row.get("fault") is not None:
            same = rebuilt.get("fault") == row.get("fault")
            reason = likely_causes(row["fault"], rebuilt.get("why", "") if same else "") if "fault" in row else ""
            return {"result": row.get("result", 0), "fault": row.get("fault"), "why": reason}
        must_have_digest(row, rebuilt, question)
        completed: dict[str, Any] = {"completed": bool(row["status"])} if "status" in row else {}
        return rebuilt | completed


def must_have_digest(row: Row, rebuilt: Row, question: Question) -> None:
    """Mismatch where the rebuilt bytes are not those that were recorded."""
    memory = rebuilt.get("memory")
    if memory is None:
        raise Mismatch(f"recorded bytes where the model has the fault {rebuilt.get('fault')}: {question.row}")
    if digest(resize_window(memory, row.get("window_bytes", memory.size))) != row["blake2b_96"]:
        raise Mismatch(f"the model's bytes do not have the recorded digest {row['blake2b_96']}: {question.row}")


def resize_window(memory: Memory, size: int) -> Memory:
    """The window as the recording had it: shorter, or with more untouched bytes behind."""
    if size <= memory.size:
        return memory[:size]
    return np.concatenate([memory, np.full(size - memory.size, WINDOW_FILL, np.uint8)])
