"""Dumps of 4-byte elements around an add, and the types that explain them."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.compare import ComparedRow, compare_rows
from course_lib.model.copy.one_element import reduce_bits
from course_lib.model.facts.enums import DataType, ReduceOp
from course_lib.recordings.copies.elements import reduce_table

ADDED_32 = (
    DataType.UINT32,
    DataType.INT32,
    DataType.FLOAT32,
    DataType.FLOAT32_FTZ,
    DataType.TFLOAT32,
    DataType.TFLOAT32_FTZ,
)


class Dump(NamedTuple):
    """32-bit elements around an add: in memory before, what came, in memory afterwards."""

    memory: tuple[int, ...]
    operand: tuple[int, ...]
    after: tuple[int, ...]

    def left_by(self, data_type: DataType) -> tuple[int | None, ...]:
        """What an add through this type would have left."""
        pairs = zip(self.memory, self.operand, strict=True)
        return tuple(reduce_bits(ReduceOp.ADD, data_type, *pair) for pair in pairs)

    @property
    def suspects(self) -> frozenset[DataType]:
        """The types of 4 bytes through which an add leaves exactly this."""
        return frozenset(t for t in ADDED_32 if self.left_by(t) == self.after)


FIRST_DUMPS = (
    Dump((0x3F800000,), (0x3F800000,), (0x40000000,)),  # 1 + 1 in float32
    Dump((5, 7), (6, 8), (11, 15)),  # small integers, and subnormals of float32
    Dump((0x00400000,), (0x00400000,), (0,)),  # flushed
    Dump((0xFFFFFFFF,), (2,), (1,)),  # -1 + 2
    Dump((0x3F800000,), (0x3F800000,), (0x3F800000,)),  # no type does this
)


def dumps(seed: int) -> Iterator[Dump]:
    """Plain dumps, then pairs drawn from the recorded tables of the float types and from random integers."""
    yield from FIRST_DUMPS
    draw = Random(seed)
    for data_type in (DataType.FLOAT32, DataType.FLOAT32_FTZ) * 20:
        table = reduce_table(ReduceOp.ADD, data_type)
        places = [(draw.randrange(40), draw.randrange(40)) for _ in range(draw.randint(1, 4))]
        memory, operand = ([int(table.operands[place[side]]) for place in places] for side in (0, 1))
        yield Dump(tuple(memory), tuple(operand), tuple(int(table.result[place]) for place in places))
    for _ in range(10):
        memory, operand = ([draw.getrandbits(32) for _ in range(3)] for _ in range(2))
        after = tuple(a + b & 0xFFFFFFFF for a, b in zip(memory, operand, strict=True))
        yield Dump(tuple(memory), tuple(operand), after)


def suspects_picture(dump: Dump, got: frozenset[DataType]) -> Picture:
    """Each type: yours and right, and what it would have left at the first place that rules it out."""
    words = {True: "suspect", False: "ruled out"}
    rows = [
        ComparedRow(t.name, words[t in got], words[t in dump.suspects], first_contradiction(dump, t)) for t in ADDED_32
    ]
    first = next(row.label for row in rows if row.ours != row.theirs)
    return compare_rows("Which type was it?", rows, ("yours", "right"), f"First difference: {first}.")


def first_contradiction(dump: Dump, data_type: DataType) -> str:
    """What the type would have left instead, at the first place where that differs."""
    for place, (would, did) in enumerate(zip(dump.left_by(data_type), dump.after, strict=True)):
        if would != did:
            return f"element {place} would be 0x{would or 0:08x}"
    return ""
