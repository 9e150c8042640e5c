"""How long a check works on an answer: a loop without an end costs seconds, not the evening."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, get_ident
from time import process_time

PATIENCE_S = 10.0  # of the processor; a cell of the grader holds two checks, see timeout in nbgrader_config.py
LOOK_S = 0.1


class TooLong(BaseException):
    """Raised inside an answer that does not end. No Exception: an answer that catches those must not go on."""


@contextmanager
def patience() -> Iterator[None]:
    """TooLong in this thread when the body has taken PATIENCE_S of processor time; a debugger may wait for ever.

    Python code is stopped, a single call into C is not.
    """
    done = Event()
    watcher = Thread(target=watch, args=(get_ident(), done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def watch(thread: int, done: Event) -> None:
    """Stop ``thread`` when its time is over, and again each second if it goes on."""
    end = process_time() + PATIENCE_S
    while not done.wait(LOOK_S):
        if process_time() > end:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooLong))
            end = process_time() + 1
