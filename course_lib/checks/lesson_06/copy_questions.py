"""What the checks of exercise 06 ask about copies and views: copies that a real device performed, and wild strides."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from course_lib.model.call.sizes import step_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.recordings import committed, read_rows
from course_lib.recordings.copies.reports import reports
from course_lib.rows.calls import tiled_map_of


class CopyQuestion(NamedTuple):
    """A copy, and the CUresult that it came to: 0, 1 for a refused call, 715 or 716; ``by`` says who answered."""

    call: TiledTensorMap
    direction: str
    coordinates: tuple[int, ...]
    shared_address: int
    code: int
    by: str


@lru_cache(1)
def recorded_copies() -> tuple[CopyQuestion, ...]:
    """Tiled loads and stores that an H200 performed, without those that failed for memory that is not there."""
    found = []
    for name in ("faults", "load", "store", "load_offset"):
        for row in read_rows(committed(f"{name}.jsonl.xz")):
            direction = row.get("op", "load")
            if row["api"] == "tiled" and direction in ("load", "store") and row.get("fault") in (None, 715, 716):
                call = tiled_map_of(row)
                start = tuple(row["coordinates"][: call.rank])
                found.append(
                    CopyQuestion(
                        call, direction, start, row.get("shared_address", 0), row.get("fault") or 0, "the H200"
                    )
                )
    return tuple(found)


def is_off_a_unit(copy: CopyQuestion) -> bool:
    """Does the innermost coordinate fall beside 16 bytes?"""
    return bool(copy.coordinates[0] * DataType(copy.call.data_type).size_bytes % 16)


def is_below_0_alone(copy: CopyQuestion) -> bool:
    """Is it a store that traps for a coordinate below 0, and for nothing else?"""
    return copy.code == 715 and copy.direction == "store" and min(copy.coordinates) < 0 and not is_off_a_unit(copy)


COPY_KINDS: tuple[Callable[[CopyQuestion], bool], ...] = (
    lambda c: c.code == 0 and c.direction == "load" and min(c.coordinates) >= 0,
    lambda c: c.code == 715 and c.direction == "load" and c.shared_address % 128 == 0,
    lambda c: c.code == 716 and c.direction == "load",
    lambda c: c.code == 0 and c.shared_address % 256 == 128,
    lambda c: c.code == 715 and c.shared_address % 128 != 0,
    lambda c: c.code == 0 and c.direction == "load" and min(c.coordinates) < 0,
    lambda c: is_below_0_alone(c) and min(c.coordinates[1:], default=0) >= 0,
    lambda c: is_below_0_alone(c) and c.coordinates[0] >= 0,
    lambda c: c.code == 715 and c.direction == "store" and is_off_a_unit(c),
    lambda c: c.code == 716 and c.direction == "store",
    lambda c: c.code == 0 and c.direction == "store",
    lambda c: c.code == 0 and c.call.interleave != Interleave.NONE and is_off_a_unit(c),
    lambda c: c.code == 0 and c.direction == "store" and min(c.coordinates) > 0,
    lambda c: is_below_0_alone(c) and min(c.coordinates) == -1,
    lambda c: c.code == 715 and c.coordinates[0] * DataType(c.call.data_type).size_bytes % 16 == 8,
    lambda c: c.code == 0 and bool(c.coordinates[0] % 16) and not is_off_a_unit(c) and not c.call.interleave,
)


def asked_copies(seed: int) -> list[CopyQuestion]:
    """A refused call, copies of each kind, and a copy of the reports; the device answered all but the last ones."""
    draw = Random(seed)
    refused = [CopyQuestion(reports()[name].call, "load", (0, 0), 0, 1, "the H200") for name in ("T02", "T14")]  # type: ignore[arg-type]
    drawn = [copy for kind in COPY_KINDS for copy in draw.sample(list(filter(kind, recorded_copies())), 1)]
    more = [copy for kind in COPY_KINDS for copy in draw.choices(list(filter(kind, recorded_copies())), k=2)]
    odd = CopyQuestion(reports()["T02"].call, "store", (1, 0), 64, 1, "the H200")  # type: ignore[arg-type]
    return [*refused, *drawn, odd, *more]


def wild_views(seed: int) -> list[TiledTensorMap]:
    """Calls whose strides are wild: on axes of size 1, on others, on both, with an interleave, or nowhere."""
    draw = Random(seed)
    known: list[Any] = [reports()[name].call for name in ("T05", "T08", "T02", "T07", "T22")]
    return [*known, *(wild_view(draw, number) for number in range(12))]


def wild_view(draw: Random, number: int) -> TiledTensorMap:
    """A 4-dimensional call with one or two wild strides."""
    ones = draw.sample(range(1, 4), draw.randint(1, 2))
    dims = [64, *(1 if axis in ones else draw.randint(2, 40) for axis in range(1, 4))]
    strides = [128 * draw.randint(1, 2**20) for _ in range(3)]
    for axis in ones:
        strides[axis - 1] = draw.choice((2, 24, 2**40, 2**61 + 16, 48))
    if number % 3 == 2:
        real = draw.choice([axis for axis in range(1, 4) if axis not in ones])
        strides[real - 1] += draw.choice((2, 8, 2**40))
    return TiledTensorMap(
        data_type=DataType.BFLOAT16,
        global_address=0x7F0000000000,
        global_dim=dims,
        global_strides=strides,
        box_dim=(64, 1, 1, 1) if number % 4 else (16, 1, 1, 1),
        interleave=Interleave.NONE if number % 4 else Interleave.B32,
        swizzle=Swizzle.B128 if number % 4 else Swizzle.B32,
    )


def can_stay(call: TiledTensorMap) -> bool:
    """Is the call legal once the strides of its axes of size 1 are?"""
    unit = step_bytes(call) or 16
    strides = [unit if dim == 1 else s for dim, s in zip(call.global_dim[1:], call.global_strides, strict=True)]
    return bool(replace(call, global_strides=strides).check().accepted)
