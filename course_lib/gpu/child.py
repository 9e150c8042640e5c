"""Launches in a child process: a trap, a hang or a crash ends the child, and the caller gets a value.

The child reads one job a line, {"do": name, "row": row, "keep": bool}, and answers with one line. A trapped context is
lost, so the child ends after a fault; the next job starts another (about a second).
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from queue import Empty, Queue
from threading import Thread
from typing import IO

from course_lib.rows.row import Row

Action = Callable[..., Row]
PATIENCE_S = 20.0


class ChildFailed(RuntimeError):
    """The child failed for a reason that is no CUresult: the text is its error."""


class Child:
    """A process that launches for us. Use as a context manager; ``ask`` starts it when needed."""

    def __init__(self, patience_s: float = PATIENCE_S, command: Sequence[str] = (sys.executable, "-m", __name__)):
        self.patience_s = patience_s
        self.command = command
        self.starts = 0
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, do: str, row: Row, keep: bool = False) -> Row:
        """The outcome of ``do`` on ``row``: its own keys, or {"fault": CUresult}, or {"fault": "timeout"} after
        ``patience_s`` seconds. ChildFailed where the child breaks otherwise.
        """
        process = self._running()
        assert process.stdin is not None
        process.stdin.write(json.dumps({"do": do, "row": row, "keep": keep}) + "\n")
        process.stdin.flush()
        try:
            answer: Row = json.loads(self._lines.get(timeout=self.patience_s) or "{}")
        except Empty:
            answer = {"fault": "timeout"}
        if "fault" in answer or not answer.get("ok"):
            self.stop()
        if "error" in answer or not answer:
            raise ChildFailed(answer.get("error", "the child ended without an answer"))
        return {key: value for key, value in answer.items() if key != "ok"}

    def stop(self) -> None:
        """End the child now."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True)
            self._lines = Queue()
            self.starts += 1
            Thread(target=forward, args=(self._process.stdout, self._lines), daemon=True).start()
        return self._process


def forward(lines: IO[str], queue: "Queue[str]") -> None:
    """Put each line into the queue, and an empty one at the end."""
    for line in lines:
        queue.put(line)
    queue.put("")


def actions(modules: Sequence[str] = ()) -> dict[str, Action]:
    """What a child can do, by name: what `gpu.asked` lists, and the ACTIONS of further ``modules``."""
    from course_lib.gpu.asked.table import ACTIONS

    table = dict(ACTIONS)
    for module in modules:
        table |= import_module(module).ACTIONS
    return table


def serve(jobs: IO[str], answers: IO[str], modules: Sequence[str] = ()) -> None:
    """Answer jobs until they end or a launch traps."""
    from course_lib.gpu.context import Gpu, Trap

    table, gpu = actions(modules), None
    for line in jobs:
        job = json.loads(line)
        try:
            gpu = gpu or Gpu()
            answer: Row = {"ok": True} | table[job["do"]](gpu, job["row"], job["keep"])
        except Trap as trap:
            answer = {"fault": trap.code} | trap.seen
        except Exception as error:  # whatever it is, the parent must hear of it
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if "ok" not in answer:
            return


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout, sys.argv[1:])
