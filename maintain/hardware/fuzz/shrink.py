"""The smallest row that still differs: hypothesis tries simpler values for every number of the row, all at once."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from course_lib.rows.row import Row
from maintain.hardware.fuzz.draws import complete_row

Differs = Callable[[str, Row], bool]
AS_FOUND = 60  # of so many chances for a number to stay as found, one each goes to a simpler value
SIMPLER = {"global_strides": (16, 32, 256, 4096), "seed": ()}
PATIENCE_S = 60.0
MOST_TRIES = 2000


class TimeUp(BaseException):
    """Ends hypothesis' search at once: an Exception would be taken for a finding."""


def smallest(do: str, row: Row, differs: Differs, patience_s: float = PATIENCE_S) -> Row:
    """``row`` with every number as simple as it can be while ``differs(do, row)`` holds; after ``patience_s`` seconds,
    the simplest so far. ``row`` itself where hypothesis is not installed.
    """
    try:
        import hypothesis
    except ImportError:
        return row
    from hypothesis import strategies

    best, end = [row], time.monotonic() + patience_s

    def still(drawn: Row) -> bool:
        if time.monotonic() > end:
            raise TimeUp
        tried = simplify(do, drawn)
        if tried is None or not differs(do, tried):
            return False
        best[0] = min(best[0], tried, key=weight)
        return True

    settings = hypothesis.settings(max_examples=MOST_TRIES, deadline=None, database=None, derandomize=True)
    with suppress(hypothesis.errors.HypothesisException, TimeUp):  # then the simplest so far
        hypothesis.find(choices(strategies, row), still, settings=settings)
    return best[0]


def choices(strategies: Any, row: Row) -> Any:
    """A strategy that draws rows between the simplest and the one found, mostly near the one found."""

    def number(name: str, value: int) -> Any:
        simple = [n for n in (*SIMPLER.get(name, (0, 1, 2, 4, 8, 16, 64)), value // 2) if abs(n) < abs(value)]
        return strategies.sampled_from([*dict.fromkeys(simple), *[value] * AS_FOUND])

    def entry(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return strategies.tuples(*(number(name, n) for n in value)).map(list)
        return number(name, value) if isinstance(value, int) else strategies.just(value)

    return strategies.fixed_dictionaries({name: entry(name, value) for name, value in row.items()})


def simplify(do: str, row: Row) -> Row | None:
    """The drawn row with what follows from its map; None where it describes no call."""
    try:
        return complete_row(do, row)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None


def weight(row: Row) -> int:
    """How simple a row is: the digits of its numbers."""
    numbers = [n for v in row.values() for n in (v if isinstance(v, list) else [v]) if isinstance(n, int)]
    return sum(abs(n).bit_length() for n in numbers)
