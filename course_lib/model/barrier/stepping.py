"""Steps a Pipeline: agents that issue, wait and compute over real barriers, and a copy engine, in whole cycles.

No lesson teaches it yet: lesson 15 will.
"""

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

from course_lib.model.barrier.mbarrier import Events, MBarrier
from course_lib.model.barrier.pipeline import Pipeline
from course_lib.model.barrier.timeline import BarrierEvent, Hazard, Span, Timeline
from course_lib.model.facts.faults import Deadlock

ENGINE = "copy engine"


class Wait(NamedTuple):
    """An agent asks for the end of a phase."""

    barrier: MBarrier
    parity: int
    tile: int
    slot: int


class Busy(NamedTuple):
    """An agent is occupied for some cycles."""

    what: str
    cycles: int
    tile: int
    slot: int


Agent = Iterator[Wait | Busy]


class Stepper:
    """Runs a Pipeline. ``step`` goes to the next cycle in which something happens, ``run`` to the end."""

    def __init__(self, pipeline: Pipeline):
        p = self.pipeline = pipeline
        self.cycle = 0
        self.full = [MBarrier(1, f"full[{slot}]") for slot in range(p.stages)]
        self.empty = [MBarrier(p.empty_count or p.consumers, f"empty[{slot}]") for slot in range(p.stages)]
        self.issued: list[int | None] = [None] * p.tiles  # the cycle of each tile's copy
        self.landed = [0] * p.tiles  # bytes, by tile
        self.holder = [-1] * p.stages  # the tile whose bytes landed last, by slot
        self.reading: dict[str, tuple[int, int]] = {}  # (tile, slot) by consumer
        self.waiting: dict[str, tuple[Agent, Wait, int]] = {}  # with the cycle since when
        self._memory_free = 0
        self._order = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._spans: list[Span] = []
        self._hazards: list[Hazard] = []
        self._barrier_events: list[BarrierEvent] = []
        agents = {f"producer {i}": producer(self, i) for i in range(p.producers)}
        agents |= {f"consumer {i}": consumer(self, f"consumer {i}") for i in range(p.consumers)}
        for who, agent in agents.items():
            self.at(0, lambda who=who, agent=agent: self.resume(who, agent))  # type: ignore[misc]

    def at(self, cycle: int, action: Callable[[], None]) -> None:
        """Do ``action`` in ``cycle``, after what is already planned for it."""
        self._order += 1
        heapq.heappush(self._queue, (cycle, self._order, action))

    def step(self) -> bool:
        """Everything that happens in the next cycle. False once all agents are through; Deadlock where one can't be."""
        if not self._queue:
            return self.stand_still()
        self.cycle = self._queue[0][0]
        while self._queue and self._queue[0][0] == self.cycle:
            heapq.heappop(self._queue)[2]()
            self.wake()
        return True

    def run(self) -> Timeline:
        """To the end. Deadlock where an agent waits for what nothing will bring; ``timeline`` then shows it."""
        while self.step():
            pass
        return self.timeline

    def stand_still(self) -> bool:
        """Nothing more will happen: False where nobody waits, else Deadlock."""
        if self.waiting:
            raise Deadlock((who, wait.barrier.awaited(wait.parity)) for who, (_, wait, _) in self.waiting.items())
        return False

    def resume(self, who: str, agent: Agent) -> None:
        """Let an agent go on until it waits or is busy."""
        request = next(agent, None)
        if isinstance(request, Wait):
            self.waiting[who] = (agent, request, self.cycle)
        elif request is not None:
            end = self.cycle + request.cycles
            self._spans.append(Span(who, request.what, request.tile, request.slot, self.cycle, end))
            self.at(end, lambda: self.resume(who, agent))

    def wake(self) -> None:
        """Every agent whose wait has ended goes on."""
        for who, (agent, wait, since) in list(self.waiting.items()):
            if wait.barrier.test_wait(wait.parity):
                del self.waiting[who]
                self._spans += stalls(self, who, wait, since)
                self.resume(who, agent)
                return self.wake()
        return None

    def copy(self, tile: int, slot: int) -> None:
        """The copy engine takes a copy: after the latency its bytes land, chunk after chunk, as memory gives them."""
        p = self.pipeline
        self.issued[tile] = self.cycle
        begin = max(self.cycle + p.latency_cycles, self._memory_free)
        self._memory_free = end = begin + p.transfer_cycles
        self._spans.append(Span(ENGINE, "in flight", tile, slot, self.cycle, end))
        landed = [p.box_bytes * i // p.chunks for i in range(p.chunks + 1)]
        for i in range(p.chunks):
            when = begin - (-p.transfer_cycles * (i + 1) // p.chunks)
            size = landed[i + 1] - landed[i]
            self.at(when, lambda size=size: self.land(tile, slot, size))  # type: ignore[misc]

    def land(self, tile: int, slot: int, chunk_bytes: int) -> None:
        """Bytes arrive in a slot and are counted down."""
        for who, (read, where) in self.reading.items():
            if where == slot and read != tile and self.holder[slot] != tile:
                why = f"tile {tile} lands in slot {slot} while {who} reads tile {read}"
                self._hazards.append(Hazard(self.cycle, who, read, slot, why))
        self.holder[slot] = tile
        self.landed[tile] += chunk_bytes
        self.note(self.full[slot], self.full[slot].complete_tx(chunk_bytes))

    def look(self, who: str, tile: int, slot: int) -> None:
        """Is the tile there when a consumer begins to read it?"""
        size = self.pipeline.box_bytes
        if self.holder[slot] != tile or self.landed[tile] < size:
            why = f"{who} reads tile {tile} when {self.landed[tile]} of its {size} bytes have landed"
            if self.holder[slot] > tile:
                why = f"{who} reads tile {tile} from slot {slot}, which already holds tile {self.holder[slot]}"
            self._hazards.append(Hazard(self.cycle, who, tile, slot, why))

    def note(self, barrier: MBarrier, events: Events) -> None:
        """Keep what happened to a barrier."""
        self._barrier_events += [BarrierEvent(self.cycle, barrier.name, event) for event in events]

    @property
    def timeline(self) -> Timeline:
        """Everything so far; a wait that has not ended yet is a stall up to now."""
        hung = [s for who, (_, wait, since) in self.waiting.items() for s in stalls(self, who, wait, since)]
        spans = tuple(sorted([*self._spans, *hung], key=lambda span: (span.begin, span.end)))
        return Timeline(self.cycle, self.pipeline.box_bytes, spans, tuple(self._hazards), tuple(self._barrier_events))


def stalls(machine: Stepper, who: str, wait: Wait, since: int) -> list[Span]:
    """The bars of a wait up to now, by cause; none where it ended at once."""
    now, issued = machine.cycle, machine.issued[wait.tile]
    if wait.barrier in machine.empty:
        parts = [(since, now, "slot not empty")]
    else:
        parted = now if issued is None else min(max(issued, since), now)
        parts = [(since, parted, "copy not issued"), (parted, now, "bytes in flight")]
    return [Span(who, "stall", wait.tile, wait.slot, *part) for part in parts if part[0] < part[1]]


def run(pipeline: Pipeline) -> Timeline:
    """The timeline of a pipeline. Deadlock where it hangs: ``Stepper`` then still has the timeline up to there."""
    return Stepper(pipeline).run()


def producer(machine: Stepper, rank: int) -> Agent:
    """Wait for an empty slot, announce its bytes, start the copy; tile after tile."""
    p = machine.pipeline
    for tile in range(rank, p.tiles, p.producers):
        turn, slot = divmod(tile, p.stages)
        yield Wait(machine.empty[slot], (p.producer_parity + turn) % 2, tile, slot)
        yield Busy("issue", p.issue_cycles, tile, slot)
        expected = p.box_bytes if p.expected_bytes is None else p.expected_bytes
        machine.note(machine.full[slot], machine.full[slot].arrive_expect_tx(expected))
        machine.copy(tile, slot)


def consumer(machine: Stepper, who: str) -> Agent:
    """Wait for a full slot, compute, say that it is empty; tile after tile."""
    p = machine.pipeline
    for tile in range(p.tiles):
        turn, slot = divmod(tile, p.stages)
        yield Wait(machine.full[slot], (p.consumer_parity + turn) % 2, tile, slot)
        machine.look(who, tile, slot)
        machine.reading[who] = (tile, slot)
        yield Busy("compute", p.compute_cycles, tile, slot)
        del machine.reading[who]
        if p.consumers_arrive:
            machine.note(machine.empty[slot], machine.empty[slot].arrive())
