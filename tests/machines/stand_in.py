"""A stand-in for the child process on a GPU: it answers as the model does, in the words of a row, or as it is told."""

from base64 import b64decode

import numpy as np

from course_lib.machines import Model
from course_lib.machines.questions import Question
from course_lib.rows.row import Row


class ModelAsGpu:
    """``changes`` are put over every outcome: how a GPU that answers otherwise looks."""

    def __init__(self, **changes):
        self.changes = changes
        self.asked: list[Row] = []
        self.stopped = 0

    def ask(self, do, row, keep=False):
        self.asked.append(row)
        own = {k: np.frombuffer(b64decode(row[k]), np.uint8) for k in ("global_memory", "shared_memory") if k in row}
        outcome, _ = Model().ask(Question(do, row, own))
        if "fault" in outcome:
            return {"fault": outcome["fault"]}
        told = {"result": outcome.get("result", 0)}
        if outcome.get("bytes"):
            told["bytes"] = outcome["bytes"].hex()
        if outcome.get("memory") is not None:
            told["memory" if "op" in row else "window"] = outcome["memory"].tobytes().hex()
        if "completed" in outcome:
            told |= {"status": int(bool(outcome["completed"])), "short_bytes": outcome["awaited_bytes"]}
        return told | self.changes

    def stop(self):
        self.stopped += 1
