"""Medians: run something often enough to be sure of its time, and say what was asked of it."""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import NamedTuple


class Measurement(NamedTuple):
    """One line of the report: what, the median, its unit, and the goal (at most it, or at least it)."""

    what: str
    value: float
    unit: str
    goal: float
    at_least: bool = False

    @property
    def is_reached(self) -> bool:
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    def __str__(self) -> str:
        bound = "at least" if self.at_least else "at most"
        mark = "reached" if self.is_reached else "MISSED"
        return f"{self.what:<62} {self.value:>9.2f} {self.unit:<6} {bound} {self.goal:g}: {mark}"


def time_once(work: Callable[[], object]) -> float:
    """Seconds of this process that one call takes: the same as by the clock where nothing else runs."""
    start = process_time()
    work()
    return process_time() - start


def median_seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The median of several calls."""
    return median(time_once(work) for _ in range(runs))


def seconds_per_call(work: Callable[[], object], calls: int, runs: int = 9) -> float:
    """Seconds of one call, where one alone is too short to time: the median of several rounds of ``calls``."""

    def rounds() -> None:
        for _ in range(calls):
            work()

    return median_seconds(rounds, runs) / calls
