"""What the checks of exercise 01 ask: tiles to share out, boxes inside and at edges, who issues a copy, registers to spend."""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import numpy as np

from course_lib.model.barrier.mbarrier import MBarrier
from course_lib.model.call.sizes import ceil_div
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.transfer import load
from course_lib.model.cost.thread_copy import ThreadCopy, perform, thread_copies
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.model.facts.faults import Deadlock, DeviceFault
from course_lib.model.facts.limits import INNER_UNIT_BYTES, WARP_LANES
from course_lib.model.facts.swizzle import PATTERNS

COMPLETES, HANGS_FIRST, HANGS_SECOND, FAULTS = "completes", "hangs at tile 1", "hangs at tile 2", "faults"
WAKES_EARLY = "wakes early at tile 2"
OUTCOMES = (COMPLETES, HANGS_FIRST, HANGS_SECOND, WAKES_EARLY, FAULTS)
MEMORY_BYTES, SHARED_BYTES, TILE_BYTES = 512 * 1024, 64 * 1024, 1024
Condition = Callable[[int, bool], bool]


class Box(NamedTuple):
    """A box to copy by threads."""

    tensor_map: TiledTensorMap
    start: tuple[int, int]
    threads: int

    @property
    def copies(self) -> list[ThreadCopy]:
        """The right copies of all threads."""
        return thread_copies(self.tensor_map, self.start, self.threads)

    @property
    def place(self) -> Callable[[int], int]:
        """The order in shared memory: an address that a piece would have, and the one that it has."""
        pattern = PATTERNS[Swizzle(self.tensor_map.swizzle)]

        def place(address: int) -> int:
            """Where the piece meant for ``address`` lies."""
            return pattern(address)

        return place

    @property
    def words(self) -> str:
        """The box in words."""
        m = self.tensor_map
        return f"box {m.box_dim} of {DataType(m.data_type).name} at {self.start} in a tensor of {m.global_dim}"


def tile_sizes(seed: int) -> Iterator[tuple[int, int, int]]:
    """(rows, bytes of a row, threads): the lesson's tile, some whose pieces the threads do not divide, others drawn."""
    yield from ((128, 128, 256), (64, 64, 128), (64, 128, 1024), (10, 48, 64), (3, 16, 32), (100, 80, 96))
    draw = Random(seed + 10)
    for _ in range(8):
        yield draw.randint(1, 256), INNER_UNIT_BYTES * draw.randint(1, 16), WARP_LANES * draw.randint(1, 16)


def inside_boxes(seed: int) -> Iterator[Box]:
    """Boxes inside of their tensor, without swizzle; the last two are drawn by the seed."""
    yield Box(matrix(DataType.BFLOAT16, 256, 300, (64, 128)), (64, 130), 256)
    yield Box(matrix(DataType.FLOAT32, 128, 64, (8, 40), address=4096), (16, 3), 32)
    yield Box(matrix(DataType.UINT8, 512, 40, (48, 20), address=256, gap=48), (112, 2), 64)
    draw = Random(seed + 11)
    for data_type in (DataType.FLOAT16, DataType.FLOAT64):
        units, rows = draw.randint(1, 8), draw.randint(4, 60)
        box = (units * INNER_UNIT_BYTES // data_type.size_bytes, rows)
        start = (INNER_UNIT_BYTES // data_type.size_bytes * draw.randint(0, 5), draw.randint(0, 9))
        shape = (start[0] + box[0] + 8, start[1] + rows)
        address, gap = 16 * draw.randint(1, 90), 16 * draw.randint(0, 3)
        yield Box(matrix(data_type, *shape, box, address=address, gap=gap), start, 32 * draw.randint(1, 8))


def edge_boxes(seed: int) -> Iterator[Box]:
    """Boxes across every edge and corner, wholly outside and inside; then drawn ones anywhere, under every swizzle."""
    for start in ((0, 0), (64, 0), (0, 24), (64, 24), (-8, -3), (-64, 0), (128, 0), (0, 40)):
        yield Box(matrix(DataType.BFLOAT16, 101, 37, (64, 16), swizzle=Swizzle.B128), start, 64)
    yield Box(matrix(DataType.FLOAT32, 45, 30, (8, 12), address=4096, gap=32), (40, 4), 64)
    draw = Random(seed + 12)
    for swizzle, units in ((Swizzle.NONE, 3), (Swizzle.B32, 2), (Swizzle.B64, 4), (Swizzle.B128, 8)):
        data_type = draw.choice((DataType.UINT8, DataType.FLOAT16, DataType.FLOAT32))
        unit, rows = INNER_UNIT_BYTES // data_type.size_bytes, draw.randint(5, 40)
        start = (unit * draw.randint(-2, 6), draw.randint(-4, 20))
        shape = (draw.randint(1, 90), draw.randint(1, 50))
        box, address, gap = (units * unit, rows), 16 * draw.randint(1, 90), 16 * draw.randint(1, 3)
        call = matrix(data_type, *shape, box, address=address, gap=gap, swizzle=swizzle)
        yield Box(call, start, 32 * draw.randint(1, 6))


def matrix(
    data_type: DataType,
    width: int,
    height: int,
    box: tuple[int, int],
    *,
    address: int = 0,
    gap: int = 0,
    swizzle: Swizzle = Swizzle.NONE,
) -> TiledTensorMap:
    """Rows as close as 16 bytes let them, with ``gap`` bytes more between them."""
    pitch = ceil_div(width * data_type.size_bytes, INNER_UNIT_BYTES) * INNER_UNIT_BYTES + gap
    return TiledTensorMap(
        data_type=data_type,
        global_address=address,
        global_dim=(width, height),
        global_strides=(pitch,),
        box_dim=box,
        swizzle=swizzle,
    )


def differing_bytes(box: Box, copies: list[ThreadCopy]) -> int:
    """In how many bytes of shared memory do these copies and the tensor copy of the model differ?"""
    m = box.tensor_map
    memory = np.random.default_rng(1).integers(1, 256, MEMORY_BYTES, np.uint8)
    windows = np.full((2, SHARED_BYTES), 0xCD, np.uint8)
    load(m, box.start, memory, windows[0])
    perform(copies, memory, windows[1])
    return int((windows[0] != windows[1]).sum())


class IssueQuestion(NamedTuple):
    """Which threads announce the bytes of a tile, and which start its copy."""

    words: str
    announces: Condition
    copies: Condition
    threads: int

    def count(self, condition: Condition) -> int:
        """Threads for which a condition holds; ``elect.sync`` names the lowest lane of each warp here."""
        return sum(bool(condition(thread, thread % WARP_LANES == 0)) for thread in range(self.threads))

    @property
    def outcome(self) -> str:
        """What the barrier of the model does in two tiles: one of OUTCOMES."""
        barrier = MBarrier(1)
        for tile, hangs in enumerate((HANGS_FIRST, HANGS_SECOND)):
            try:
                for _ in range(self.count(self.announces)):
                    barrier.arrive_expect_tx(TILE_BYTES)
                if barrier.test_wait(tile):
                    return WAKES_EARLY
                for _ in range(self.count(self.copies)):
                    barrier.complete_tx(TILE_BYTES)
                barrier.wait(tile)
            except DeviceFault:
                return FAULTS
            except Deadlock:
                return hangs
        return COMPLETES


CONDITIONS: dict[str, Condition] = {
    "threadIdx.x == 0": lambda thread, elected: thread == 0,
    "warp == 0 && elected": lambda thread, elected: thread // WARP_LANES == 0 and elected,
    "elected": lambda thread, elected: elected,
    "warp == 0": lambda thread, elected: thread // WARP_LANES == 0,
    "lane == 0": lambda thread, elected: thread % WARP_LANES == 0,
    "true": lambda thread, elected: True,
    "threadIdx.x == blockDim.x": lambda thread, elected: False,
    "lane == 0 && elected": lambda thread, elected: thread % WARP_LANES == 0 and elected,
}


def issue_questions(seed: int) -> Iterator[IssueQuestion]:
    """Pairs of conditions, every outcome among them; the last are drawn by the seed."""
    names = list(CONDITIONS)
    pairs = [(name, name, 128) for name in names] + [
        (names[0], names[3], 64),
        (names[1], names[2], 96),
        (names[0], names[4], 64),
        (names[2], names[0], 64),
        (names[0], names[7], 32),
    ]
    pairs += [(names[2], names[2], 32), (names[6], names[0], 64), (names[0], names[6], 64), (names[3], names[0], 64)]
    draw = Random(seed + 13)
    pairs += [(draw.choice(names), draw.choice(names), WARP_LANES * draw.randint(1, 8)) for _ in range(6)]
    for announces, copies, threads in pairs:
        words = f"announce if {announces}, copy if {copies}, {threads} threads"
        yield IssueQuestion(words, CONDITIONS[announces], CONDITIONS[copies], threads)


def budgets(seed: int) -> Iterator[tuple[int, int, int, int]]:
    """(rows of C, threads, registers to fetch, other registers): loose and tight ones."""
    yield from ((128, 256, 10, 32), (256, 256, 10, 32), (256, 256, 54, 32), (192, 384, 31, 40), (256, 128, 10, 200))
    yield from ((64, 128, 31, 24), (256, 512, 10, 30), (128, 128, 39, 40))
    draw = Random(seed + 14)
    for _ in range(8):
        threads = 128 * draw.randint(1, 4)
        yield 64 * draw.randint(1, 4), threads, draw.randint(10, 62), draw.randint(16, 60)
