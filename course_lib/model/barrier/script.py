"""A program on barriers, step by step: what a thread does, when the bytes of its copies land, and how it ends.

    run([("init", 1), ("arrive_expect", 256), ("copy", 256), ("wait", 0), ("read",)])

A step is (what,), (what, number) or (what, number, barrier). The steps are those of one thread, in its order:

    init n · arrive n · arrive_drop n · expect bytes · arrive_expect bytes · complete bytes      as on the barrier
    copy bytes    a linear bulk copy is issued; it counts down in 32-byte pieces (countdown.py), the size in whole 16 bytes
    wait parity   try_wait in a loop: pieces land from the left until it passes, or nothing is left to land: a hang
    settle        all that is in flight lands · sync: __syncthreads, which no copy takes part in
    read          are the bytes there? Of the copies on its barrier, or of all where it names none

Which piece lands when is nobody's promise: ``landing`` chooses one of the orders that hardware may take.
Source: barriers.jsonl, barrier_steps.jsonl, barrier_misuse.jsonl (NVIDIA H200).
"""

from collections import deque
from collections.abc import Callable, Sequence
from operator import index
from typing import Any, NamedTuple

from course_lib.model.barrier.mbarrier import Events, MBarrier, State
from course_lib.model.facts.faults import Deadlock, DeviceFault
from course_lib.model.facts.limits import INNER_UNIT_BYTES, SECTOR_BYTES

OPERATIONS: dict[str, Callable[..., Events]] = {
    "arrive": MBarrier.arrive,
    "arrive_count": MBarrier.arrive,
    "arrive_drop": MBarrier.arrive_drop,
    "expect": MBarrier.expect_tx,
    "arrive_expect": MBarrier.arrive_expect_tx,
    "complete": MBarrier.complete_tx,
    "init": MBarrier.init,
}
"""What a recorded step does to a barrier."""
LANDINGS = {
    "pieces": "piece by piece, while a thread waits",
    "together": "all at once, while a thread waits",
    "at once": "all at once, before the next step",
}
OTHERS = ("copy", "wait", "settle", "sync", "read")
THROUGH, HANGS, TRAPS, UNDEFINED = "through", "hangs", "traps", "undefined"
NOT_SET_UP = "nothing is set up there: undefined (PTX ISA, mbarrier.init)"
Step = Sequence[Any]


class Moment(NamedTuple):
    """What one step, or one landing, left behind."""

    words: str
    barrier: str
    state: State | None  # None before init
    in_flight: int  # bytes asked for that have not landed
    is_landing: bool = False
    completed: bool = False  # did a phase of the barrier end here?
    note: str = ""


class Run(NamedTuple):
    """Everything that happened. ``missing``: for each read, how many bytes of all copies had not landed."""

    moments: tuple[Moment, ...]
    ending: str  # THROUGH, HANGS, TRAPS or UNDEFINED
    why: str
    missing: tuple[int, ...]
    left: tuple[str, ...] = ()  # the steps that it never came to

    @property
    def is_right(self) -> bool:
        """Did it come through, and did each read find all bytes?"""
        return self.ending == THROUGH and not any(self.missing)

    @property
    def sentence(self) -> str:
        """How it ended, in words."""
        early = next(
            (f"read {n} is early: {size} bytes are not there" for n, size in enumerate(self.missing, 1) if size), ""
        )
        if self.ending == THROUGH:
            every = ", and every read finds all bytes" if self.missing else ""
            return f"It comes through, but {early}." if early else f"It comes through{every}."
        how = {HANGS: "It hangs", TRAPS: "It traps", UNDEFINED: "Undefined"}[self.ending]
        return (f"{early.capitalize()}. " if early else "") + f"{how}: {self.why}."


class Program:
    """Performs steps one by one; ``run`` is the way in."""

    def __init__(self, landing: str):
        self.landing = landing
        self.barriers: dict[str, MBarrier] = {}
        self.flying: deque[tuple[str, int]] = deque()  # (barrier, bytes) of each piece
        self.moments: list[Moment] = []
        self.missing: list[int] = []
        self.last = ""  # the barrier of the step before

    def in_flight(self, of: str = "") -> int:
        """Bytes that have not landed, of the copies on one barrier or of all."""
        return sum(size for barrier, size in self.flying if of in ("", barrier))

    def perform(self, what: str, number: Any, barrier: str) -> None:
        """One step. Deadlock, DeviceFault, or KeyError where no barrier is set up."""
        if what == "init" and barrier not in self.barriers:
            self.barriers[barrier] = MBarrier(number, barrier)
            self.note(f"init {number}", barrier)
        elif what in OPERATIONS:
            self.operate(what, number, barrier)
        elif what == "copy":
            self.copy(number, barrier)
        elif what == "wait":
            self.wait(number, barrier)
        else:
            self.look(what, barrier)

    def operate(self, what: str, number: int, barrier: str) -> None:
        """A step that the barrier counts."""
        events = OPERATIONS[what](self.barriers[barrier], number)
        self.note(f"{what} {number}", barrier, events)

    def copy(self, size: int, barrier: str) -> None:
        """Issue a copy."""
        self.flying += [(barrier, piece) for piece in linear_pieces(size)]
        self.note(f"copy {size}", barrier, note="issued")
        if self.landing == "at once":
            self.land_all()

    def wait(self, parity: int, barrier: str) -> None:
        """Wait for the end of the phase of a parity."""
        waiting, landed = self.barriers[barrier], 0
        while not waiting.test_wait(parity):
            if not self.flying:
                self.note(f"wait {parity}", barrier, note="never passes")
                raise Deadlock([("the thread", waiting.awaited(parity))])
            self.land(len(self.flying) if self.landing == "together" else 1)
            landed += 1
        self.note(f"wait {parity}", barrier, note="passes" if landed else "passes at once")

    def look(self, what: str, barrier: str) -> None:
        """A step that no barrier counts."""
        if what == "settle":
            self.land_all()
        missing = self.in_flight(barrier)
        self.missing += [missing] if what == "read" else []
        told = f"{missing} bytes missing" if missing else "all bytes there"
        notes = {"read": told, "sync": "waits for threads alone"}
        self.note(what, barrier or self.last, note=notes.get(what, ""))

    def land_all(self) -> None:
        """All that is in flight lands."""
        self.land(len(self.flying))

    def land(self, count: int) -> None:
        """So many pieces land together, barrier by barrier."""
        sizes: dict[str, int] = {}
        for barrier, size in (self.flying.popleft() for _ in range(count)):
            sizes[barrier] = sizes.get(barrier, 0) + size
        for barrier, size in sizes.items():
            events = self.barriers[barrier].complete_tx(size)
            self.note(f"{size} bytes land", barrier, events, is_landing=True)

    def ended(self, ending: str, why: str = "", left: Sequence[str] = ()) -> Run:
        """What to tell at the end."""
        return Run(tuple(self.moments), ending, why, tuple(self.missing), tuple(left))

    def note(self, words: str, barrier: str, events: Events = (), note: str = "", is_landing: bool = False) -> None:
        """Keep what the step left behind."""
        state = self.barriers[barrier].state if barrier in self.barriers else None
        completed = any(event.what == "phase complete" for event in events)
        told = note or next((event.note for event in events if event.note), "")
        self.moments.append(Moment(words, barrier, state, self.in_flight(), is_landing, completed, told))
        self.last = barrier


def run(steps: Sequence[Step], landing: str = "pieces") -> Run:
    """Run a script to its end, or as far as it comes. ``landing`` is one of LANDINGS.

    ValueError for a step or a landing that there is none of, or a number that does not fit its instruction.
    """
    if landing not in LANDINGS:
        raise ValueError(f"landing={landing!r}: it must be one of {', '.join(LANDINGS)}")
    program, asked = Program(landing), [as_step(step) for step in steps]
    words = [what if number is None else f"{what} {number}" for what, number, _ in asked]
    for at, (what, number, barrier) in enumerate(asked):
        left = words[at + 1 :]
        try:
            program.perform(what, number, barrier)
        except Deadlock as deadlock:
            return program.ended(HANGS, str(deadlock), left)
        except DeviceFault as fault:
            program.note(words[at], barrier, note=f"traps, {fault.code}")
            return program.ended(TRAPS, str(fault), left)
        except KeyError:
            program.note(words[at], barrier, note="no barrier there")
            return program.ended(UNDEFINED, f"{what} on {barrier}: {NOT_SET_UP}", left)
    return program.ended(THROUGH)


def as_step(step: Step) -> tuple[str, int | None, str]:
    """(what, number, barrier) of a step, an arrival's number being 1 where it has none. ValueError for what is none."""
    known = (*OPERATIONS, *OTHERS)
    if not (isinstance(step, (tuple, list)) and 1 <= len(step) <= 3 and step[0] in known):
        raise ValueError(f"step={step!r}: a step is (what, number, barrier), and what is one of {', '.join(known)}")
    parts: list[Any] = [*step, *(None, "")[len(step) - 1 :]]
    what, number, barrier = str(parts[0]), parts[1], str(parts[2])
    if what in ("settle", "sync", "read"):
        return what, None, barrier
    barrier = barrier or "mbarrier"
    number = 1 if number is None and what in ("arrive", "arrive_drop") else number
    try:
        return what, index(number), barrier
    except TypeError:
        raise ValueError(f"step={step!r}: {what} needs a whole number") from None


def linear_pieces(size_bytes: int) -> list[int]:
    """The pieces of a linear copy whose source begins with a sector: of 32 bytes, the last one smaller."""
    if size_bytes < 0:
        raise ValueError(f"copy {size_bytes}: 0 bytes or more")
    whole = size_bytes - size_bytes % INNER_UNIT_BYTES
    return [min(SECTOR_BYTES, whole - at) for at in range(0, whole, SECTOR_BYTES)]
