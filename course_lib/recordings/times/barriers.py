"""Recorded scripts on one barrier: every run that the model permits, and what an arrival's token tells."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from course_lib.model.barrier.countdown import Pieces, endings, pieces
from course_lib.model.barrier.mbarrier import WORD, MBarrier, State
from course_lib.model.barrier.script import OPERATIONS
from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.faults import DeviceFault
from course_lib.recordings.files import committed, read_rows
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import Row, without

FIELDS = {field.name: field for field in WORD}
UPPER = 32  # a recorded token is the upper half of the word
SCRIPTS = ("barriers", "barrier_misuse")
SEEN = ("tokens", "memory", "ended", "completed", "fault", "result")


class Path(NamedTuple):
    """One permitted run of a script: the state after init and after each step, and the fault that ended it."""

    states: tuple[State, ...]
    fault: int | None = None

    @property
    def ended(self) -> list[list[int]]:
        """What test_wait says to parity 0 and 1 after init and after each step."""
        return [answers(state) for state in self.states]


class TokenFields(NamedTuple):
    """What a token says of the barrier before its arrival; bytes only down to 2 KiB, since the lower half is not kept."""

    parity: int
    pending: int
    awaited_kib: int


def answers(state: State) -> list[int]:
    """What test_wait says to parity 0 and 1."""
    barrier = MBarrier.holding(state)
    return [int(barrier.test_wait(parity)) for parity in (0, 1)]


@lru_cache(1024)
def pieces_of(tensor_map: Call, coordinate: int) -> Pieces:
    """The pieces of a recorded copy."""
    return pieces(tensor_map, (coordinate, 0))


def paths(row: Row) -> Iterator[Path]:
    """Every permitted run of a row's script; a copy has landed whole with its own step."""
    tensor_map = tensor_map_of(row["map"]) if "map" in row else None
    yield from onward(Path((MBarrier(row["count"]).state,)), row["steps"], tensor_map)


def onward(path: Path, steps: list[list[Any]], tensor_map: Call | None) -> Iterator[Path]:
    """Every way to go on along ``steps``."""
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


def after(state: State, step: list[Any], tensor_map: Call | None) -> tuple[State, ...]:
    """The states that one step may leave. DeviceFault where it traps."""
    name, *number = step
    if name == "settle":
        return (state,)
    if name == "copy" and tensor_map is not None:
        return endings(state, pieces_of(tensor_map, *number))
    barrier = MBarrier.holding(state)
    OPERATIONS[name](barrier, *number)
    return (barrier.state,)


def explains(path: Path, row: Row) -> bool:
    """Did the recorded run go along this path? Right after a copy its bytes may not have landed yet."""
    if path.fault != row.get("fault") or len(path.ended) < len(row["ended"]):
        return False
    steps = [["init"], *row["steps"]]
    seen = zip(steps, path.ended, row["ended"], strict=False)
    return all(ended == recorded for step, ended, recorded in seen if step[0] != "copy")


def is_permitted(row: Row) -> bool:
    """Is the recorded run one of those that the model permits? Some faults were kept without the steps before."""
    return any(explains(path, {"ended": []} | row) for path in paths(row))


def barrier_scripts() -> list[Row]:
    """Every recorded script on a barrier that stays set up; the others do what documents forbid."""
    rows = (row for name in SCRIPTS for row in read_rows(committed(f"{name}.jsonl.xz")))
    return [row for row in rows if row["count"] > 0 and ["inval"] not in row["steps"]]


def script_named(name: str, box: tuple[int, int], rows: Iterable[Row] = ()) -> Row:
    """The recorded script of this name with a box of (bytes a row, rows). KeyError where there is none."""
    for row in rows or read_rows(committed("barriers.jsonl.xz")):
        if row["name"] == name and tuple(row["map"]["box_dim"]) == box:
            return row
    raise KeyError(f"{name!r} with a box of {box}: no such recorded script")


def phases_ended(row: Row) -> int:
    """How many phases a recorded script saw end, one after the other."""
    return sum(before != now for before, now in pairwise(row["ended"]))


def script_alone(row: Row) -> Row:
    """A recorded script without what was seen: what can be asked of a device again."""
    return without(row, SEEN)


def read_token(token: str) -> TokenFields:
    """A recorded token, eight hex digits."""
    word = int(token, 16) << UPPER
    awaited = -FIELDS["awaited_bytes"].read_signed(word)
    pending = -FIELDS["pending"].read_signed(word)
    return TokenFields(FIELDS["parity"].read(word), pending, awaited >> 10)


def recorded_tokens() -> Iterator[tuple[str, str]]:
    """(the upper half of the model's word before an arrival, the token that the arrival returned), both in hex."""
    for row in read_rows(committed("barriers.jsonl.xz")):
        path = next(path for path in paths(row) if explains(path, row))
        for state, token in zip(path.states, row["tokens"][1:], strict=False):
            if token:
                yield f"{state.word >> UPPER:08x}", token
