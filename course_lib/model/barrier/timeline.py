"""What a pipeline did: bars over cycles, hazards, and what can be read off them.

Little's law falls out: bytes in flight, on average = bytes a cycle × the cycles that a copy is in flight.

No lesson teaches it yet: lesson 15 will.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.barrier.mbarrier import Event


class Span(NamedTuple):
    """One bar: ``who`` does ``what`` from cycle ``begin`` to before cycle ``end``."""

    who: str
    what: str  # "issue", "in flight", "compute" or "stall"
    tile: int
    slot: int
    begin: int
    end: int
    cause: str = ""  # of a stall

    @property
    def cycles(self) -> int:
        """How long it lasts."""
        return self.end - self.begin


class Hazard(NamedTuple):
    """Data that comes out wrong although nothing hangs and nothing faults."""

    cycle: int
    who: str
    tile: int
    slot: int
    why: str


class BarrierEvent(NamedTuple):
    """What happened to which barrier, and when."""

    cycle: int
    barrier: str
    event: Event


class Timeline(NamedTuple):
    """Everything that happened up to ``cycles``."""

    cycles: int
    box_bytes: int
    spans: tuple[Span, ...]
    hazards: tuple[Hazard, ...]
    barrier_events: tuple[BarrierEvent, ...]

    def of(self, what: str, who: str = "") -> tuple[Span, ...]:
        """The bars of one kind ("issue", "in flight", "compute", "stall"), of everyone or of ``who``."""
        return tuple(span for span in self.spans if span.what == what and who in ("", span.who))

    def utilisation(self, who: str) -> float:
        """The part of all cycles in which ``who`` issues, copies or computes, 0 to 1."""
        busy = [span for span in self.spans if span.who == who and span.what != "stall"]
        return count_busy_cycles(busy) / self.cycles if self.cycles else 0.0

    def stalls(self, who: str) -> dict[str, int]:
        """The cycles that ``who`` stood still, by cause."""
        by_cause: dict[str, int] = {}
        for span in self.of("stall", who):
            by_cause[span.cause] = by_cause.get(span.cause, 0) + span.cycles
        return by_cause

    def bytes_in_flight(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(cycles, bytes): from each of the cycles on, so many bytes have been asked for and not landed whole."""
        copies = self.of("in flight")
        when = np.array([span.begin for span in copies] + [span.end for span in copies], np.int64)
        change = np.repeat([self.box_bytes, -self.box_bytes], len(copies))
        cycles, where = np.unique(when, return_inverse=True)
        return cycles, np.cumsum(np.bincount(where, change, cycles.size)).astype(np.int64)

    @property
    def average_bytes_in_flight(self) -> float:
        """Bytes in flight, averaged over all cycles."""
        cycles, bytes_from_there = self.bytes_in_flight()
        lasting = np.diff(np.append(cycles, self.cycles))
        return float((bytes_from_there * lasting).sum() / self.cycles) if self.cycles else 0.0

    @property
    def bytes_per_cycle(self) -> float:
        """Bytes that landed for each cycle."""
        return len(self.of("in flight")) * self.box_bytes / self.cycles if self.cycles else 0.0

    @property
    def average_flight_cycles(self) -> float:
        """How long a copy is in flight, on average."""
        copies = self.of("in flight")
        return sum(span.cycles for span in copies) / len(copies) if copies else 0.0


def count_busy_cycles(spans: list[Span]) -> int:
    """How many cycles lie in at least one of the bars."""
    total, reached = 0, 0
    for span in sorted(spans, key=lambda s: s.begin):
        total += max(span.end - max(span.begin, reached), 0)
        reached = max(reached, span.end)
    return total
