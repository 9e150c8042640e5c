"""What a check answers, and the little that all checks share.

A check is a function `(answer, *, seed=0) -> Outcome` over a learner's function `answer`. It never raises for what the
learner wrote: an untouched stub is "not attempted", anything else is "incorrect" with the first place of difference,
or "correct". It ends in bounded time, see `patience`. `seed` draws further inputs: a class keeps its own, see
`class_seed`.
"""

import functools
import os
import zlib
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any

from course_lib.checks.shared.patience import TooLong, patience
from course_lib.draw import Picture

Answer = Callable[..., Any]
CLASS_SEED = "COURSE_CLASS_SEED"
ENDLESS = "is there a loop without an end?"
MOST_ITEMS = 10**6  # of a lazy answer
MOST_CHARACTERS = 2000  # of a message: an answer may be of any length


class Status(Enum):
    """The three outcomes."""

    NOT_ATTEMPTED = "not attempted"
    INCORRECT = "incorrect"
    CORRECT = "correct"


class Unsolved(AssertionError):
    """What `require` raises. A notebook shows its text alone: feedback names no file of the grader's."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


@dataclass(frozen=True)
class Outcome:
    """What a check says: the status, one message, and the picture of what went wrong where there is one."""

    status: Status
    message: str
    picture: Picture | None = None

    @property
    def is_correct(self) -> bool:
        """Is the task solved?"""
        return self.status is Status.CORRECT

    def require(self) -> "Outcome":
        """Itself if correct; an AssertionError otherwise, for graders that count exceptions."""
        if not self.is_correct:
            raise Unsolved(str(self))
        return self

    def __str__(self) -> str:
        lines = [f"{self.status.value.upper()}: {self.message}"]
        return "\n".join(lines + ([str(self.picture)] if self.picture else []))

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        shown = {"text/plain": str(self)}
        if self.picture:
            shown["text/html"] = f"<p><b>{self.status.value}</b>: {_html(self.message)}</p>{self.picture.svg}"
        return shown


class Wrong(Exception):
    """Raised inside a check at the first place where the answer differs."""

    def __init__(self, message: str, picture: Picture | None = None):
        super().__init__(message if len(message) <= MOST_CHARACTERS else f"{message[:MOST_CHARACTERS]} …")
        self.picture = picture


def check(praise: str) -> Callable[[Callable[..., None]], Callable[..., Outcome]]:
    """Make a check of a function that raises Wrong at the first difference and returns if there is none."""

    def make(examine: Callable[..., None]) -> Callable[..., Outcome]:
        @functools.wraps(examine)
        def checked(answer: Answer, *, seed: int = 0) -> Outcome:
            try:
                with patience():
                    examine(answer, seed)
            except NotImplementedError:
                return Outcome(Status.NOT_ATTEMPTED, "the function still raises NotImplementedError.")
            except TooLong:
                return Outcome(Status.INCORRECT, f"what the function returned has no end: {ENDLESS}")
            except Wrong as wrong:
                return Outcome(Status.INCORRECT, str(wrong), wrong.picture)
            except (Exception, SystemExit) as error:
                return Outcome(Status.INCORRECT, breakage_words(error))
            return Outcome(Status.CORRECT, praise)

        return checked

    return make


def ask(answer: Answer, *arguments: Any, **named: Any) -> Any:
    """What the learner's function returns; Wrong, with the call, if it breaks, has no end or returns nothing."""
    result = ask_for_anything(answer, *arguments, **named)
    if result is None:
        raise Wrong(f"{call_text(answer, arguments, named)} returned None: is a `return` missing?")
    return bounded(result) if isinstance(result, Iterator) else result


def ask_for_anything(answer: Answer, *arguments: Any, **named: Any) -> Any:
    """The same of a function that may return nothing. It gets calls of its own."""
    try:
        return answer(*map(copy_call, arguments), **named)
    except NotImplementedError:
        raise
    except TooLong:
        raise Wrong(f"{call_text(answer, arguments, named)} does not end: {ENDLESS}") from None
    except (Exception, SystemExit) as error:
        raise Wrong(f"{call_text(answer, arguments, named)} raised {type(error).__name__}: {error}") from error


def bounded(lazy: Iterator[Any]) -> Iterator[Any]:
    """A lazy answer, read as far as an answer can go; Wrong where it goes on."""
    for number, item in enumerate(lazy):
        if number == MOST_ITEMS:
            raise Wrong(f"what the function returned has no end: {ENDLESS}")
        yield item


def copy_call(value: Any) -> Any:
    """A frozen call can be changed all the same: an answer gets a copy, and the check keeps what it asked about."""
    return copy(value) if is_dataclass(value) else value


def breakage_words(error: BaseException) -> str:
    """What a check says of a value that breaks its comparison: an array where a word was asked, a lazy one that fails."""
    return f"what the function returned is of another kind than asked: {type(error).__name__}: {error}"


def show(picture: Callable[[], Any]) -> Any:
    """What `picture` draws with the learner's function, or one line that says why there is none yet."""
    try:
        with patience():
            return picture()
    except NotImplementedError:
        return Outcome(Status.NOT_ATTEMPTED, "the picture comes when the function above is written.")
    except TooLong:
        return Outcome(Status.INCORRECT, f"no picture, because the function does not end: {ENDLESS}")
    except (Exception, SystemExit) as error:
        return Outcome(Status.INCORRECT, f"no picture, because of {type(error).__name__}: {error}")


def call_text(answer: Answer, arguments: tuple[Any, ...], named: dict[str, Any]) -> str:
    """The call as a person would write it, long values shortened."""
    values = [_short(value) for value in arguments] + [f"{name}={_short(value)}" for name, value in named.items()]
    return f"{getattr(answer, '__name__', 'your function')}({', '.join(values)})"


def class_seed() -> int:
    """The seed that a teacher set in the environment (COURSE_CLASS_SEED, any text), 0 without one."""
    text = os.environ.get(CLASS_SEED, "")
    return zlib.crc32(text.encode()) if text else 0


def _short(value: Any) -> str:
    if isinstance(value, bytes) and len(value) > 8:
        return f"<{len(value)} bytes>"
    if getattr(value, "size", 0) > 32:
        return f"<array of {value.dtype}, shape {value.shape}>"
    return repr(value)


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
