"""The mbarrier: a 64-bit object in shared memory that counts arrivals and bytes, phase after phase.

    phase n    pending arrivals → 0 ┐
               awaited bytes    → 0 ┴ both at zero: phase n is complete; phase n + 1 begins with the expected arrivals

``expect_tx`` counts bytes up, copies count them down; the count may be below zero in between. Nothing here helps: a
zero on the way ends the phase, what comes later lands in the next one, and an arrival too many traps.
Source: PTX ISA 9.4, section mbarrier; barriers.jsonl (NVIDIA H200).
"""

from collections import deque
from typing import NamedTuple

from course_lib.model.call.arguments import must_be_in
from course_lib.model.facts.bits import Field, pack
from course_lib.model.facts.faults import LAUNCH_FAILED, Deadlock, DeviceFault
from course_lib.model.facts.limits import ARRIVALS_MAX, TRANSACTION_COUNT_MAX

WORD = (  # each count is kept negated, and counts up to zero
    Field("expected", 1, 20),
    Field("awaited_bytes", 21, 21),
    Field("pending", 43, 20),
    Field("parity", 63, 1),
)
AWAITED_BYTES_MAX = TRANSACTION_COUNT_MAX + 1  # as 21 bits hold it negated: one more than the documents promise
OPERAND_LIMIT = 2**32
SET_UP_AGAIN = "a live barrier set up again: undefined, and whoever waits still has the old parity in mind"


class State(NamedTuple):
    """What the object holds."""

    phase: int  # the one that is going on: how many are complete
    pending: int  # arrivals that it still needs
    expected: int  # arrivals that every next phase needs
    awaited_bytes: int  # the transaction count: below zero where more has landed than was expected

    @property
    def parity(self) -> int:
        """Of the phase that is going on: 0 for the first."""
        return self.phase % 2

    @property
    def word(self) -> int:
        """The 64 bits, as an arrival returns them of the state before it: opaque by the documents, layout as seen.

        A plain load of a live barrier shows something older. Source: barriers.jsonl (NVIDIA H200), the upper half.
        """
        counts = {"expected": -self.expected, "awaited_bytes": -self.awaited_bytes, "pending": -self.pending}
        return pack(WORD, {**counts, "parity": self.parity})

    def __str__(self) -> str:
        return f"phase {self.phase}: {self.pending} of {self.expected} arrivals pending, {self.awaited_bytes} bytes awaited"


class Event(NamedTuple):
    """One thing that happened to a barrier, and what the barrier held afterwards."""

    what: str  # the operation in PTX's word, or "phase complete"
    number: int  # arrivals, bytes, or the phase
    state: State
    note: str = ""

    def __str__(self) -> str:
        return f"{self.what} {self.number} → {self.state}" + (f" ({self.note})" if self.note else "")


Events = tuple[Event, ...]


class MBarrier:
    """A barrier that is set up for ``count`` arrivals a phase, 1 to 2**20 - 1.

    Every operation that changes it returns its events: itself, and the phase that it completes. A wait changes nothing.
    An operand that does not fit the instruction is a ValueError, what the GPU traps on DeviceFault 719: an arrival too
    many, more than 2**20 - 1 bytes at once, a count beyond -(2**20 - 1) or 2**20.
    """

    def __init__(self, count: int, name: str = "mbarrier"):
        self.name = name
        self._state: State | None = None
        self.init(count)

    @classmethod
    def holding(cls, state: State) -> "MBarrier":
        """A barrier in a given state: a copy of another one, to try things on."""
        barrier = cls(max(state.expected, 1))
        barrier._state = state
        return barrier

    @property
    def state(self) -> State:
        """What the object holds; ValueError after ``inval``."""
        if self._state is None:
            raise ValueError(f"{self.name}: there is no barrier any more; it was invalidated")
        return self._state

    def init(self, count: int) -> Events:
        """mbarrier.init: phase 0, ``count`` arrivals pending, no bytes awaited."""
        must_be_in("count", count, 1, ARRIVALS_MAX)
        note = SET_UP_AGAIN if self._state else ""
        self._state = State(0, count, count, 0)
        return (Event("init", count, self._state, note),)

    def inval(self) -> Events:
        """mbarrier.inval: the memory may serve something else; needed before another init."""
        last, self._state = self.state, None
        return (Event("inval", last.phase, last),)

    def arrive(self, count: int = 1) -> Events:
        """mbarrier.arrive: ``count`` arrivals, 1 to 2**20 - 1, of the phase that is going on."""
        must_be_in("count", count, 1, ARRIVALS_MAX)
        return self._became("arrive", count, arrivals=count)

    def arrive_drop(self, count: int = 1) -> Events:
        """mbarrier.arrive_drop: arrive, and need ``count`` arrivals fewer from the next phase on."""
        must_be_in("count", count, 1, ARRIVALS_MAX)
        return self._became("arrive_drop", count, arrivals=count, dropped=count)

    def expect_tx(self, transaction_bytes: int) -> Events:
        """mbarrier.expect_tx: wait for so many bytes more. No arrival."""
        return self._became("expect_tx", transaction_bytes, more_bytes=transaction_bytes)

    def arrive_expect_tx(self, transaction_bytes: int) -> Events:
        """mbarrier.arrive.expect_tx: first expect, then one arrival."""
        return self._became("arrive.expect_tx", transaction_bytes, arrivals=1, more_bytes=transaction_bytes)

    def complete_tx(self, transaction_bytes: int) -> Events:
        """So many bytes have landed: what the copy engine does, and mbarrier.complete_tx by hand."""
        return self._became("complete_tx", transaction_bytes, more_bytes=-transaction_bytes)

    def test_wait(self, parity: int) -> bool:
        """mbarrier.test_wait.parity: is the latest phase of this ``parity``, 0 or 1, complete?

        A fresh barrier answers True to parity 1, as if a phase before the first were complete.
        """
        must_be_in("parity", parity, 0, 1)
        return self.state.parity != parity

    def wait(self, parity: int, landing: deque[int] | None = None, who: str = "a thread") -> Events:
        """mbarrier.try_wait in a loop, while the bytes in ``landing`` land piece by piece from the left.

        Takes from ``landing`` only what it waits for. Deadlock where all has landed and the phase is not complete.
        """
        events: Events = ()
        while not self.test_wait(parity):
            if not landing:
                raise Deadlock([(who, self.awaited(parity))])
            events += self.complete_tx(landing.popleft())
        return events

    def awaited(self, parity: int) -> str:
        """What a wait for ``parity`` waits for, in words."""
        return f"{self.name} to complete a phase of parity {parity} ({self.state})"

    def _became(self, what: str, number: int, arrivals: int = 0, more_bytes: int = 0, dropped: int = 0) -> Events:
        s = self.state
        must_be_in(what, number, 0, OPERAND_LIMIT - 1)
        after = s._replace(
            pending=s.pending - arrivals, expected=s.expected - dropped, awaited_bytes=s.awaited_bytes + more_bytes
        )
        must_count(self.name, what, number, s, after)
        self._state = after
        event = Event(what, number, after)
        if after.pending or after.awaited_bytes:
            return (event,)
        self._state = State(s.phase + 1, after.expected, after.expected, 0)
        return (event, Event("phase complete", s.phase, self._state))


def must_count(name: str, what: str, number: int, before: State, after: State) -> None:
    """DeviceFault 719 where arrivals or bytes leave their ranges. Source: barriers.jsonl, barrier_misuse.jsonl."""
    if after.pending < 0:
        raise DeviceFault(LAUNCH_FAILED, f"{what} on {name}: an arrival too many ({before})")
    least, most = -TRANSACTION_COUNT_MAX, AWAITED_BYTES_MAX
    if not least <= after.awaited_bytes <= most or abs(after.awaited_bytes - before.awaited_bytes) >= most:
        raise DeviceFault(LAUNCH_FAILED, f"{what} {number} on {name}: bytes count from {least} to {most} ({before})")
