"""What the checks of descriptors ask: tiled calls with their right 128 bytes, written by the recorded driver or the model."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave, L2Promotion, OobFill, Swizzle
from course_lib.recordings import committed, read_rows
from course_lib.recordings.copies.descriptors import recorded_fields
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import Row


class DescriptorQuestion(NamedTuple):
    """A call, its right bytes, and who wrote them: "H200" or "model"."""

    call: TiledTensorMap
    data: bytes
    by: str


def wide_stride(row: Row) -> bool:
    """Does a stride need more than 32 bits in units of 16 bytes?"""
    return max(row["global_strides"][: row["rank"] - 1], default=0) >= 2**36


def rounded_box(row: Row) -> bool:
    """Does it matter whether the box is divided by its element strides, and which way that is rounded?"""
    return any(
        b % s and b > s for b, s in zip(row["box_dim"][1 : row["rank"]], row["element_strides"][1:], strict=False)
    )


def of_type(*types: DataType) -> Callable[[Row], bool]:
    """Is the element type one of these?"""
    return lambda row: row["data_type"] in types


# One recorded call is drawn of each kind, so that every common slip meets a call that shows it.
CALL_KINDS: tuple[Callable[[Row], bool], ...] = (
    *((lambda row, rank=rank: row["rank"] == rank) for rank in range(1, 6)),
    wide_stride,
    lambda row: row["rank"] == 5 and row["global_strides"][3] >= 2**36,
    lambda row: max(row["global_strides"][: row["rank"] - 1], default=0) >= 2**39,
    lambda row: any(stride >> 35 & 1 for stride in row["global_strides"][: row["rank"] - 1]),
    rounded_box,
    lambda row: max(row["global_dim"][: row["rank"]]) > 2**31,
    *(of_type(data_type) for data_type in DataType if not data_type.is_packed),
    *((lambda row, mode=mode: row["swizzle"] == mode) for mode in range(4)),
    *((lambda row, mode=mode: row["interleave"] == mode) for mode in (1, 2)),
    *((lambda row, mode=mode: row["l2_promotion"] == mode) for mode in range(4)),
    lambda row: row["oob_fill"] == 1,
)


# The lesson's own tile comes first, then with one argument changed at a time: so the first mistake that shows is a plain one.
FIRST_CHANGES: tuple[Row, ...] = (
    {},
    {"element_strides": (1, 3)},
    {"global_strides": (2**36,)},
    {"data_type": DataType.FLOAT64},
    {"data_type": DataType.TFLOAT32},
    {"swizzle": Swizzle.B128},
)


def first_questions() -> list[DescriptorQuestion]:
    """The lesson's tile and its variants; the driver wrote the bytes."""
    answers = recorded_fields()
    calls = [replace(next(iter(answers)), **change) for change in FIRST_CHANGES]
    return [DescriptorQuestion(call, answers[call].bytes or b"", "H200") for call in calls]  # type: ignore[arg-type]


@lru_cache(1)
def accepted_rows() -> tuple[Row, ...]:
    """Every tiled call of the first recording that the driver accepted: the same for ever, so a seed asks the same."""
    return tuple(row for row in read_rows(committed("encode.jsonl.xz")) if row["api"] == "tiled" and row["result"] == 0)


@lru_cache(16)
def recorded_questions(seed: int) -> tuple[DescriptorQuestion, ...]:
    """The first questions, then a recorded call of each kind, drawn by the seed; the driver wrote the bytes."""
    draw = Random(seed)
    rows = [draw.choice([row for row in accepted_rows() if kind(row)]) for kind in CALL_KINDS]
    drawn = [DescriptorQuestion(tensor_map_of(row), bytes.fromhex(row["bytes"]), "H200") for row in rows]  # type: ignore[arg-type]
    return (*first_questions(), *drawn)


def model_questions(seed: int, count: int = 12) -> list[DescriptorQuestion]:
    """Legal calls that nobody recorded, drawn by the seed; the model wrote the bytes."""
    draw = Random(seed + 1)
    calls = [legal_call(draw) for _ in range(count)]
    return [DescriptorQuestion(call, call.encode(), "model") for call in calls]


def legal_call(draw: Random) -> TiledTensorMap:
    """A tiled call that the driver accepts."""
    rank = draw.randint(1, 5)
    data_type = draw.choice([t for t in DataType if not t.is_packed])
    swizzle = draw.choice([Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128])
    units = draw.randint(1, {Swizzle.B32: 2, Swizzle.B64: 4}.get(swizzle, 8))
    fills = list(OobFill) if data_type.facts.is_float else [OobFill.NONE]
    return TiledTensorMap(
        data_type=data_type,
        global_address=32 * draw.randrange(1, 2**52),
        global_dim=[draw.randint(1, 2 ** draw.randint(1, 32)) for _ in range(rank)],
        global_strides=[32 * draw.randrange(2 ** draw.randint(1, 35)) for _ in range(rank - 1)],
        box_dim=[16 * units // data_type.size_bytes, *(draw.randint(1, 5) for _ in range(rank - 1))],
        element_strides=[draw.randint(1, 8) for _ in range(rank)],
        interleave=draw.choice(list(Interleave)) if rank >= 3 else Interleave.NONE,
        swizzle=swizzle,
        l2_promotion=draw.choice(list(L2Promotion)),
        oob_fill=draw.choice(fills),
    )
