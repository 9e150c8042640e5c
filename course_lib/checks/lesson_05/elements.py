"""What the checks of element types ask: elements and results of a real copy first, then more that the model answers."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from course_lib.checks.shared.base import Wrong
from course_lib.checks.shared.learner_values import as_integer
from course_lib.draw.bits.float_bits import BitsRow, bits_picture
from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Picture
from course_lib.model.copy.one_element import load_bits, reduce_bits
from course_lib.model.facts.enums import DataType, ReduceOp
from course_lib.recordings.copies.elements import loaded_elements, reduce_table, tied_loads

H200, MODEL = "H200", "model"


class ElementQuestion(NamedTuple):
    """An element, or two, with what it becomes, and who says so: "H200" or "model"."""

    given: tuple[int, ...]
    right: int
    by: str


@lru_cache(1)
def recorded_roundings() -> tuple[ElementQuestion, ...]:
    """Every different element that a recorded TFLOAT32 load brought."""
    loads = loaded_elements()[DataType.TFLOAT32]
    pairs = sorted(set(zip(loads.before.tolist(), loads.after.tolist(), strict=True)))
    return tuple(ElementQuestion((before,), after, H200) for before, after in pairs)


FIRST_ROUNDED = (0x3F800000, 0x3F801FFF, 0x3F800FFF)  # one, then one that goes up, one that goes down
EDGES = (
    0x7F800000,
    0xFF800000,
    0x7F7FFFFF,
    0xFF7FF000,
    0,
    0x80000000,
    1,
    0x80001001,
    0x007FFFFF,
    0x7F7FEFFF,
    0x7F800001,
    0xFF800001,
)


def roundings(seed: int) -> Iterator[ElementQuestion]:
    """Plain elements, the recorded ties, NaN and subnormals, then edges and random ties of the model."""
    draw = Random(seed)
    yield from (model_rounding(bits) for bits in FIRST_ROUNDED)
    yield from (
        ElementQuestion((int(t),), load_bits(DataType.TFLOAT32, int(t)), H200) for x in tied_loads() for t in x.ties
    )
    found = recorded_roundings()
    special = [q for q in found if q.given[0] & 0x7F800000 in (0, 0x7F800000) or q.given[0] & 0x1FFF == 0x1000]
    yield from special + draw.sample(found, 200)
    yield from (model_rounding(bits) for bits in EDGES)
    yield from (model_rounding(draw.getrandbits(18) << 14 | draw.choice((0x1000, 0x3000))) for _ in range(60))


def model_rounding(bits: int) -> ElementQuestion:
    """What the model makes of one float32."""
    return ElementQuestion((bits,), load_bits(DataType.TFLOAT32, bits), MODEL)


def reductions(op: ReduceOp, data_type: DataType, seed: int) -> Iterator[ElementQuestion]:
    """Every pair of the recorded table, in an order drawn by the seed after the first plain ones; then random bits."""
    table, draw = reduce_table(op, data_type), Random(seed)
    known = table.operands.tolist()
    places = [(i, j) for i in range(len(known)) for j in range(len(known))]
    draw.shuffle(places)
    places.sort(key=lambda place: place != (known.index(ONE_OF_EACH[data_type]),) * 2)
    yield from (ElementQuestion((known[i], known[j]), int(table.result[i, j]), H200) for i, j in places)
    for _ in range(200):
        pair = draw.getrandbits(data_type.facts.bits), draw.getrandbits(data_type.facts.bits)
        yield ElementQuestion(pair, reduce_bits(op, data_type, *pair) or 0, MODEL)


ONE_OF_EACH = {  # 1 in each type that is asked about
    DataType.FLOAT32: 0x3F800000,
    DataType.FLOAT32_FTZ: 0x3F800000,
    DataType.FLOAT16: 0x3C00,
    DataType.BFLOAT16: 0x3F80,
}


def as_bits(got: Any, width: int) -> int:
    """A learner's element as an unsigned integer of ``width`` bits; Wrong where it is none."""
    if isinstance(got, (float, np.floating)):
        raise Wrong(f"the function returned the float {got!r}; wanted are its bits, as an integer.")
    bits = as_integer(got, "bits")
    if not 0 <= bits < 1 << width:
        raise Wrong(f"the function returned {bits:#x}, which does not fit into {width} bits.")
    return bits


def compare_bits(data_type: DataType, question: ElementQuestion, got: int, names: tuple[str, ...]) -> Picture:
    """What was given, yours and the right bits, with the bits in which they differ marked."""
    given = [BitsRow(name, bits) for name, bits in zip(names, question.given, strict=True)]
    rows = [*given, BitsRow(question.by, question.right), BitsRow("yours", got, question.right)]
    return bits_picture("Yours beside the right bits", data_type, rows, first_bit(got ^ question.right))


def first_bit(apart: int) -> str:
    """The highest bit that differs."""
    count = apart.bit_count()
    return f"First difference: bit {apart.bit_length() - 1}; {plural(count, 'bit')} in all."
