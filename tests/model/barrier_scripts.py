"""Recorded scripts on one barrier: what the model makes of every step, and every outcome that it permits."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from course_lib import DeviceFault
from course_lib.model.countdown import endings, pieces
from course_lib.model.mbarrier import MBarrier, State
from course_lib.recordings.calls import tensor_map_of

OPERATIONS = {
    "arrive": MBarrier.arrive,
    "arrive_count": MBarrier.arrive,
    "arrive_drop": MBarrier.arrive_drop,
    "expect": MBarrier.expect_tx,
    "arrive_expect": MBarrier.arrive_expect_tx,
    "complete": MBarrier.complete_tx,
    "init": MBarrier.init,
}


class Path(NamedTuple):
    """One permitted run of a script: the state after init and after each step, and the fault that ended it."""

    states: tuple[State, ...]
    fault: int | None = None

    @property
    def ended(self):
        return [answers(state) for state in self.states]


def answers(state):
    """What test_wait says to parity 0 and 1."""
    barrier = MBarrier.holding(state)
    return [int(barrier.test_wait(parity)) for parity in (0, 1)]


@lru_cache(1024)
def pieces_of(tensor_map, coordinate):
    return pieces(tensor_map, (coordinate, 0))


def after(state, step, tensor_map) -> tuple[State, ...]:
    """The states that one step may leave. DeviceFault where it traps."""
    name, *number = step
    if name == "settle":
        return (state,)
    if name == "copy":
        return endings(state, pieces_of(tensor_map, *number))
    barrier = MBarrier.holding(state)
    OPERATIONS[name](barrier, *number)
    return (barrier.state,)


def paths(row) -> Iterator[Path]:
    """Every permitted run of a row's script; a copy has landed whole with its own step."""
    tensor_map = tensor_map_of(row["map"]) if "map" in row else None
    yield from onward(Path((MBarrier(row["count"]).state,)), row["steps"], tensor_map)


def onward(path, steps, tensor_map) -> Iterator[Path]:
    if not steps:
        yield path
        return
    try:
        states = after(path.states[-1], steps[0], tensor_map)
    except DeviceFault as fault:
        yield path._replace(fault=fault.code)
        return
    for state in states:
        yield from onward(Path((*path.states, state)), steps[1:], tensor_map)


def explains(path, row) -> bool:
    """Did the recorded run go along this path? Right after a copy its bytes may not have landed yet."""
    if path.fault != row.get("fault") or len(path.ended) < len(row["ended"]):
        return False
    steps = [["init"], *row["steps"]]
    seen = zip(steps, path.ended, row["ended"], strict=False)
    return all(ended == recorded for step, ended, recorded in seen if step[0] != "copy")
