"""A pipeline over barriers, cycle by cycle: producers fill slots, the copy engine lands bytes, consumers empty them.

    producer   wait empty[slot] ─ issue ┐ arrive_expect_tx on full[slot], copy
    engine                              └─ latency ─ bytes, chunk after chunk ─┐ complete_tx on full[slot]
    consumer                                                 wait full[slot] ──┴─ compute ─ arrive on empty[slot]

Deterministic: the same pipeline gives the same timeline. Nothing helps a wrong one: a wait that nothing will end is a
Deadlock, and what is read before it landed, or overwritten while it is read, is a hazard in the timeline.
Barriers as in PTX ISA 9.4; latency, bandwidth and compute times are the caller's (label: model).

No lesson teaches it yet: lesson 15 will.
"""

from dataclasses import dataclass

from course_lib.model.call.sizes import ceil_div
from course_lib.model.facts.limits import SHARED_MEMORY_PER_BLOCK_BYTES


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """What to run: times in cycles, sizes in bytes. The last five are how it may be got wrong.

    Tile t goes through slot t % stages and is asked for by producer t % producers; every consumer reads every tile. More
    producers are right only where they divide the stages: otherwise two of them wait for one slot, two phases apart,
    and a parity can't tell these. ValueError where a count is below 1 or a time below 0.
    """

    tiles: int
    stages: int
    box_bytes: int
    latency_cycles: int  # from the copy to its first byte
    compute_cycles: int
    issue_cycles: int = 1
    producers: int = 1
    consumers: int = 1
    bytes_per_cycle: int | None = None  # that memory gives; None for no limit
    chunks: int = 1  # in which a copy counts down
    expected_bytes: int | None = None  # that a producer announces; None for box_bytes
    producer_parity: int = 1  # of the first wait on an empty barrier: 1 passes on a fresh one
    consumer_parity: int = 0  # of the first wait on a full barrier
    empty_count: int | None = None  # arrivals that empty a slot; None for one of each consumer
    consumers_arrive: bool = True

    def __post_init__(self) -> None:
        counts = (self.tiles, self.stages, self.box_bytes, self.producers, self.consumers, self.chunks)
        if min(counts) < 1 or min(self.latency_cycles, self.compute_cycles, self.issue_cycles) < 0:
            raise ValueError(f"counts are 1 or more and times 0 or more: {self}")

    @property
    def transfer_cycles(self) -> int:
        """How long memory is busy with one box."""
        return ceil_div(self.box_bytes, self.bytes_per_cycle) if self.bytes_per_cycle else 0

    @property
    def slot_cycles(self) -> int:
        """One turn of a slot: issue, latency, transfer, compute."""
        return self.issue_cycles + self.latency_cycles + self.transfer_cycles + self.compute_cycles

    @property
    def steady_cycles_per_tile(self) -> float:
        """What a tile takes once a right pipeline is full: the slowest of consumers, producers, memory, and slots."""
        issue = self.issue_cycles / self.producers
        return max(self.compute_cycles, issue, self.transfer_cycles, self.slot_cycles / self.stages)


def stages_that_fit(box_bytes: int, shared_bytes: int = SHARED_MEMORY_PER_BLOCK_BYTES) -> int:
    """How many slots of ``box_bytes`` a block's shared memory holds, each with its two 8-byte barriers."""
    return shared_bytes // (box_bytes + 16)
