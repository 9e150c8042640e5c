"""What exercise 02 asks: copies to announce, scripts to keep the books of, scripts that are broken, and states to diagnose."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from course_lib.model.barrier.mbarrier import MBarrier, State
from course_lib.model.barrier.script import LANDINGS, run
from course_lib.model.call.sizes import transaction_bytes
from course_lib.model.call.tensor_map import ONES, TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.recordings.files import committed, read_rows
from course_lib.recordings.times.barriers import paths, script_named

Copy = tuple[Any, ...]
Steps = list[tuple[Any, ...]]
PASSES, EARLY, LAPPED = "passes", "early", "lapped"
MISSING, SURPLUS, ARRIVAL, SILENT = "bytes missing", "bytes too many", "arrival missing", "not announced"
DIAGNOSES = (PASSES, EARLY, LAPPED, MISSING, SURPLUS, ARRIVAL, SILENT)
BY_HAND = ("expect and complete by hand", "complete before expect", "arrivals only, count 3")


class SickBarrier(NamedTuple):
    """A barrier at which somebody waits for the end of phase ``meant``, and what is wrong."""

    state: State
    meant: int
    diagnosis: str
    by: str


def box_map(data_type: DataType, box: tuple[int, ...], *steps: int) -> TiledTensorMap:
    """A box of 256 columns, 256 rows and 4 planes; ``steps`` are the element strides from dimension 1 on."""
    return TiledTensorMap(
        data_type=data_type,
        global_address=0,
        global_dim=(256, 256, 4)[: len(box)],
        global_strides=[256**axis * data_type.size_bytes for axis in range(1, len(box))],
        box_dim=box,
        element_strides=(1, *steps) if steps else ONES,
    )


def copy_lists(seed: int) -> Iterator[list[Copy]]:
    """Lists of copies on one barrier."""
    draw = Random(seed + 20)
    tile = box_map(DataType.BFLOAT16, (64, 64))
    yield [("tensor", tile, (0, 0))]
    yield [("tensor", tile, (0, 0)), ("tensor", box_map(DataType.FLOAT32, (32, 8)), (32, 64))]
    yield [("tensor", tile, (224, -16))]
    yield [("tensor", tile, (0, 256)), ("tensor", tile, (-64, -64))]
    yield [("tensor", box_map(DataType.FLOAT32, (16, 5), 2), (0, 0))]
    yield [
        ("tensor", box_map(DataType.INT32, (16, 4, 3), 1, 2), (0, 0, 2)),
        ("tensor", box_map(DataType.UINT8, (48,)), (0,)),
    ]
    yield [("linear", 128)]
    yield [("linear", 252), ("linear", 508), ("linear", 12)]
    for _ in range(8):
        yield [drawn_copy(draw) for _ in range(draw.randint(1, 4))]


def drawn_copy(draw: Random) -> Copy:
    """A tensor copy, perhaps across an edge, perhaps with holes, or a linear one of any size."""
    if draw.random() < 0.4:
        return ("linear", draw.randint(0, 2048))
    data_type = draw.choice([DataType.UINT8, DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64])
    box = 16 * draw.randint(1, 8), draw.randint(1, 64)
    return ("tensor", box_map(data_type, box, draw.choice([1, 1, 2, 3])), (0, draw.randint(-32, 256)))


def counted_bytes(copies: list[Copy]) -> int:
    """The bytes that a barrier counts for all of them."""
    return sum(
        transaction_bytes(copy[1]) if copy[0] == "tensor" else copy[1] - copy[1] % INNER_UNIT_BYTES for copy in copies
    )


def book_questions(seed: int) -> Iterator[tuple[int, Steps]]:
    """(count of init, steps) that trap nowhere: four orders, the recorded scripts without a copy, and drawn ones."""
    yield 1, [("arrive_expect", 256), ("complete", 96), ("complete", 160), ("arrive_expect", 256), ("complete", 256)]
    yield 1, [("complete", 128), ("arrive_expect", 128), ("expect", 64), ("arrive", 1), ("complete", 64)]
    yield 3, [("arrive", 2), ("expect", 64), ("complete", 64), ("arrive", 1), ("arrive", 3)]
    yield 2, [("expect", 64), ("arrive", 1), ("complete", 64), ("arrive_expect", 32), ("complete", 32)]
    for name in BY_HAND:
        script = script_named(name, (16, 1))
        yield script["count"], [(what, *number) if number else (what, 1) for what, *number in script["steps"]]
    draw = Random(seed + 21)
    for _ in range(8):
        yield drawn_books(draw)


def drawn_books(draw: Random) -> tuple[int, Steps]:
    """Steps of which none traps."""
    count = draw.randint(1, 4)
    barrier, steps = MBarrier(count), []
    for _ in range(14):
        kinds = ["expect", "complete"] + ["arrive", "arrive_expect"] * (barrier.state.pending > 0)
        what, size = draw.choice(kinds), 16 * draw.randint(1, 8)
        if what == "complete" and barrier.state.awaited_bytes > 0 and draw.random() < 0.7:
            size = barrier.state.awaited_bytes
        number = draw.randint(1, barrier.state.pending) if what == "arrive" else size
        steps.append((what, number))
        perform_step(barrier, what, number)
    return count, steps


def perform_step(barrier: MBarrier, what: str, number: int) -> None:
    """One step of a script without copies."""
    methods = {"arrive_expect": barrier.arrive_expect_tx, "expect": barrier.expect_tx, "complete": barrier.complete_tx}
    methods.get(what, barrier.arrive)(number)


def states_after(count: int, steps: Steps) -> list[State]:
    """The state after each step."""
    barrier, states = MBarrier(count), []
    for what, number in steps:
        perform_step(barrier, what, number)
        states.append(barrier.state)
    return states


def broken(name: str, tile_bytes: int) -> Steps:
    """The broken script of task 4 with tiles of ``tile_bytes``. KeyError for a name that is none of BROKEN."""
    n = tile_bytes
    phases = [[("arrive_expect", n), ("copy", n), ("wait", parity), ("read",)] for parity in (0, 1)]
    both = phases[0] + phases[1]
    to_0, to_1 = ([(what, n, f"full{i}") for what in ("arrive_expect", "copy")] for i in (0, 1))
    ends = [step for i in (0, 1) for step in (("wait", 0, f"full{i}"), ("read", None, f"full{i}"))]
    scripts: dict[str, Steps] = {
        "slice": [("init", 1), ("arrive_expect", n), ("copy", n), ("copy", n), ("wait", 0), ("read",)],
        "loop": [("init", 1), *phases[0], ("init", 1), *phases[1]],
        "flip": [("init", 1), *phases[0], *phases[0]],
        "branch": [("init", 2), *both],
        "lanes": [("init", 1), *both[:2], ("arrive",), *both[2:6], ("arrive",), *both[6:]],
        "ring": [("init", 1, "full0"), ("init", 1, "full1"), to_1[0], to_0[1], to_1[0], to_1[1], *ends],
    }
    return scripts[name]


BROKEN = ("slice", "loop", "flip", "branch", "lanes", "ring")


def sick_barriers(seed: int) -> Iterator[SickBarrier]:
    """States at which a wait stands, from scripts of the model and from recorded ones."""
    yield from recorded_barriers()
    draw = Random(seed + 22)
    for _ in range(3):
        n = 32 * draw.randint(2, 64)
        start = draw.randint(0, 4)
        for state, meant, diagnosis in states_of_each_kind(n, start):
            yield SickBarrier(state, meant, diagnosis, "the model")


def states_of_each_kind(n: int, start: int) -> Iterator[tuple[State, int, str]]:
    """One of each kind, in phase ``start``, with tiles of ``n`` bytes."""
    yield State(start + 1, 1, 1, 0), start, PASSES
    yield State(start, 1, 1, 0), start + 1, EARLY
    yield State(start + 2, 1, 1, 0), start, LAPPED
    yield State(start, 0, 1, 16), start, MISSING
    yield State(start, 0, 2, -n // 2), start, SURPLUS
    yield State(start, 1, 2, 0), start, ARRIVAL
    yield State(start, 1, 1, -n), start, SILENT


def recorded_barriers() -> Iterator[SickBarrier]:
    """Recorded scripts that a bounded wait found going on; the state is the one with which the model explains them."""
    found = {
        "every phase expects 272": (0, MISSING),
        "every phase expects 240": (0, SURPLUS),
        "count 2, one arrives each phase": (0, ARRIVAL),
        "no arrival": (0, ARRIVAL),
        "right": (0, PASSES),
    }
    rows = list(read_rows(committed("barriers.jsonl.xz")))
    for name, (meant, diagnosis) in found.items():
        row = script_named(name, (64, 4), rows)
        yield SickBarrier(next(paths(row)).states[3], meant, diagnosis, f"an H200, the script {name!r}")


def right_diagnosis(state: State, meant: int) -> str:
    """The right answer to task 5."""
    ahead = state.phase - meant
    if ahead:
        return EARLY if ahead < 0 else PASSES if ahead == 1 else LAPPED
    if state.pending:
        return SILENT if state.awaited_bytes < 0 else ARRIVAL
    return MISSING if state.awaited_bytes > 0 else SURPLUS


def first_wrong_landing(steps: Steps) -> str | None:
    """The first order of landing with which a script is not right."""
    return next((landing for landing in LANDINGS if not run(steps, landing).is_right), None)
