"""What the checks of element types ask: elements and results of a real copy first, then more that the model answers."""

from collections.abc import Iterator
from functools import lru_cache
from operator import index
from random import Random
from typing import Any, NamedTuple

import numpy as np

from course_lib.draw.compare import Row, compare_rows
from course_lib.draw.float_bits import BitsRow, bits_picture
from course_lib.draw.svg import Picture
from course_lib.model.arithmetic import is_legal
from course_lib.model.element_bits import ROUNDED_ON_LOADS
from course_lib.model.enums import DataType, ReduceOp
from course_lib.model.one_element import loaded_bits, reduced_bits
from course_lib.recordings.elements import loaded_elements, reduce_table, tied_loads

from .base import Wrong

H200, MODEL = "H200", "model"


class Question(NamedTuple):
    """An element, or two, with what it becomes, and who says so: "H200" or "model"."""

    given: tuple[int, ...]
    right: int
    by: str


@lru_cache(1)
def recorded_roundings() -> tuple[Question, ...]:
    """Every different element that a recorded TFLOAT32 load brought."""
    loads = loaded_elements()[DataType.TFLOAT32]
    pairs = sorted(set(zip(loads.before.tolist(), loads.after.tolist(), strict=True)))
    return tuple(Question((before,), after, H200) for before, after in pairs)


FIRST_ROUNDED = (0x3F800000, 0x3F801FFF, 0x3F800FFF)  # one, then one that goes up, one that goes down
EDGES = (0x7F800000, 0xFF800000, 0x7F7FFFFF, 0xFF7FF000, 0, 0x80000000, 1, 0x80001001, 0x007FFFFF, 0x7F7FEFFF)


def roundings(seed: int) -> Iterator[Question]:
    """Plain elements, the recorded ties, NaN and subnormals, then edges and random ties of the model."""
    draw = Random(seed)
    yield from (modelled(bits) for bits in FIRST_ROUNDED)
    yield from (Question((int(t),), loaded_bits(DataType.TFLOAT32, int(t)), H200) for x in tied_loads() for t in x.ties)
    found = recorded_roundings()
    special = [q for q in found if q.given[0] & 0x7F800000 in (0, 0x7F800000) or q.given[0] & 0x1FFF == 0x1000]
    yield from special + draw.sample(found, 200)
    yield from (modelled(bits) for bits in EDGES)
    yield from (modelled(draw.getrandbits(18) << 14 | draw.choice((0x1000, 0x3000))) for _ in range(60))


def modelled(bits: int) -> Question:
    """What the model makes of one float32."""
    return Question((bits,), loaded_bits(DataType.TFLOAT32, bits), MODEL)


def reductions(op: ReduceOp, data_type: DataType, seed: int) -> Iterator[Question]:
    """Every pair of the recorded table, in an order drawn by the seed after the first plain ones; then random bits."""
    table, draw = reduce_table(op, data_type), Random(seed)
    known = table.operands.tolist()
    places = [(i, j) for i in range(len(known)) for j in range(len(known))]
    draw.shuffle(places)
    places.sort(key=lambda place: place != (known.index(PLAIN[data_type]),) * 2)
    yield from (Question((known[i], known[j]), int(table.result[i, j]), H200) for i, j in places)
    for _ in range(200):
        pair = draw.getrandbits(data_type.facts.bits), draw.getrandbits(data_type.facts.bits)
        yield Question(pair, reduced_bits(op, data_type, *pair) or 0, MODEL)


PLAIN = {  # 1 in each type that is asked about
    DataType.FLOAT32: 0x3F800000,
    DataType.FLOAT32_FTZ: 0x3F800000,
    DataType.FLOAT16: 0x3C00,
    DataType.BFLOAT16: 0x3F80,
}


def as_bits(got: Any, width: int) -> int:
    """A learner's element as an unsigned integer of ``width`` bits; Wrong where it is none."""
    if isinstance(got, (float, np.floating)):
        raise Wrong(f"the function returned the float {got!r}; wanted are its bits, as an integer.")
    try:
        bits = index(got)
    except TypeError:
        raise Wrong(f"the function returned {got!r}, not bits as an integer.") from None
    if not 0 <= bits < 1 << width:
        raise Wrong(f"the function returned {bits:#x}, which does not fit into {width} bits.")
    return bits


def beside(data_type: DataType, question: Question, got: int, names: tuple[str, ...]) -> Picture:
    """What was given, yours and the right bits, with the bits in which they differ marked."""
    given = [BitsRow(name, bits) for name, bits in zip(names, question.given, strict=True)]
    rows = [*given, BitsRow(question.by, question.right), BitsRow("yours", got, question.right)]
    return bits_picture("Yours beside the right bits", data_type, rows, first_bit(got ^ question.right))


def first_bit(apart: int) -> str:
    """The highest bit that differs."""
    count = apart.bit_count()
    return f"First difference: bit {apart.bit_length() - 1}; {count} bit{'s' * (count > 1)} in all."


SIZES = {
    **dict.fromkeys(("uint8", "int8", "bool", "float8_e4m3fn", "float8_e5m2"), 1),
    **dict.fromkeys(("uint16", "int16", "float16", "bfloat16"), 2),
    **dict.fromkeys(("uint32", "int32", "float32"), 4),
    **dict.fromkeys(("uint64", "int64", "float64", "complex64"), 8),
    "complex128": 16,
}
HAS_NAN = ("float16", "bfloat16", "float32", "float64", "complex64")  # as the fill's 16-bit pattern, in the array's own
ADDS: dict[str, tuple[DataType, ...]] = {
    "uint32": (DataType.UINT32, DataType.INT32),
    "int32": (DataType.UINT32, DataType.INT32),
    "uint64": (DataType.UINT64,),
    "int64": (DataType.UINT64,),
    "float16": (DataType.FLOAT16,),
    "bfloat16": (DataType.BFLOAT16,),
    "float32": (DataType.FLOAT32, DataType.TFLOAT32),
    "float64": (DataType.FLOAT64,),
}
MINS: dict[str, tuple[DataType, ...]] = {
    name: (DataType[name.upper()],) for name in ("uint32", "int32", "uint64", "int64", "float16", "bfloat16")
}


def types_for(dtype: str, use: str) -> tuple[DataType, ...]:
    """Every type that serves an array of ``dtype`` for a ``use``: load, nan fill, add or min; none where none does."""
    same = [t for t in DataType if not t.is_packed and t.size_bytes == SIZES[dtype]]
    copies = tuple(t for t in same if t not in ROUNDED_ON_LOADS)
    if use == "load":
        return copies
    if use == "nan fill":
        return tuple(t for t in copies if t.facts.is_float) if dtype in HAS_NAN else ()
    return (ADDS if use == "add" else MINS).get(dtype, ())


def choice_picture(dtype: str, use: str, name: str) -> Picture:
    """A choice beside what does it."""
    right = " or ".join(t.name for t in types_for(dtype, use)) or "none"
    sentence = f"First difference: {dtype} for {use}."
    return compare_rows(f"The type for {dtype}", [Row(f"{dtype}, {use}", name, right)], ("yours", "right"), sentence)


def is_served(data_type: DataType, use: str) -> bool:
    """Does the engine take the type for this use at all?"""
    return is_legal(ReduceOp[use.upper()], data_type)


def why_not(dtype: str, use: str, got: DataType | None) -> str:
    """What is wrong with a choice, where that is plain."""
    right = types_for(dtype, use)
    if got is None:
        return f"{' or '.join(t.name for t in right)} does it."
    if got.is_packed or got.size_bytes != SIZES[dtype]:
        return f"An element of {dtype} has {SIZES[dtype]} bytes, one of {got.name} has another size."
    if use == "load":
        return f"A load through {got.name} rounds."
    if use == "nan fill":
        return not_filled(dtype, got)
    if not is_served(got, use):
        return f"The engine has no {use} on {got.name}: it traps with 715."
    return f"{use} on {got.name} is another arithmetic than that of {dtype}."


def not_filled(dtype: str, got: DataType) -> str:
    """Why a type does not fill an array with NaN."""
    if got in ROUNDED_ON_LOADS:
        return f"A load through {got.name} rounds what lies inside."
    if not got.facts.is_float:
        return f"{got.name} is no float: the driver refuses the NaN fill."
    return f"The fill 0x7FF7 is a NaN to {got.name}, and no NaN of {dtype}."
