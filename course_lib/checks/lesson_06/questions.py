"""What the checks of exercise 06 ask about calls: pairs to walk between, and calls that a real driver answered."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from course_lib.model.call.sizes import element_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, L2Promotion, OobFill, Swizzle
from course_lib.recordings import committed, read_rows
from course_lib.recordings.copies.reports import reports
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.row import Row

Accepts = Callable[[Any], bool]
GOOD_START = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=0x7F0000000000,
    global_dim=(1024, 128, 4),
    global_strides=(4096, 524288),
    box_dim=(32, 64, 1),
    swizzle=Swizzle.B128,
)
STRIDE_RULES, ROW_RULES = (
    frozenset({"strides-are-aligned"}),
    frozenset({"inner-row-is-whole-units", "inner-row-fits-swizzle"}),
)


class JudgedCall(NamedTuple):
    """A call, and whether the recorded driver took it."""

    call: TiledTensorMap
    taken: bool


class CallWalk(NamedTuple):
    """A good call, a bad one, a driver, and the argument that the walk from the one to the other stops at."""

    good: TiledTensorMap
    bad: TiledTensorMap
    accepts: Accepts
    culprit: str


def the_model(call: TiledTensorMap) -> bool:
    """The driver of this chip, by the model."""
    return bool(call.check().accepted)


def another_driver(call: TiledTensorMap) -> bool:
    """A driver that nobody has: it takes promotion only for rows of 64 bytes or more, and no fill beside a swizzle."""
    inner_row_bytes = call.box_dim[0] * element_bytes(call)
    return the_model(call) and not (call.l2_promotion and inner_row_bytes < 64) and not (call.oob_fill and call.swizzle)


WRONG: tuple[tuple[str, Any], ...] = (
    ("global_address", 0x7F0000000008),
    ("global_dim", (1024, 0, 4)),
    ("global_strides", (4100, 524288)),
    ("box_dim", (64, 64, 1)),
    ("box_dim", (32, 257, 1)),
    ("element_strides", (1, 9, 1)),
)
FINE: tuple[tuple[str, Any], ...] = (
    ("global_address", 0x7F0000001000),
    ("global_dim", (1000, 128, 4)),
    ("global_strides", (8192, 2**20)),
    ("element_strides", (1, 2, 1)),
    ("l2_promotion", L2Promotion.L2_256B),
)


def walks(seed: int) -> list[CallWalk]:
    """Pairs of calls: one wrong argument, several, a pair of arguments that only fail together, and a driver of another kind."""
    draw = Random(seed)
    bads = [replace(GOOD_START, **dict([WRONG[3]])), replace(GOOD_START, **dict([FINE[1], WRONG[2], WRONG[4]]))]
    bads += [replace(GOOD_START, **dict([*draw.sample(FINE, 3), *draw.sample(WRONG, 2)])) for _ in range(6)]
    loose = replace(GOOD_START, box_dim=(8, 64, 1), swizzle=Swizzle.NONE)
    pairs = [(GOOD_START, bad, the_model) for bad in bads]
    pairs.append((loose, replace(loose, box_dim=(32, 64, 1), swizzle=Swizzle.B64, l2_promotion=2), the_model))
    odd = replace(
        GOOD_START, box_dim=(8, 64, 1), swizzle=Swizzle.B64, l2_promotion=L2Promotion.L2_128B, global_dim=(512, 64, 4)
    )
    pairs.append((GOOD_START, odd, another_driver))
    pairs.append(
        (GOOD_START, replace(GOOD_START, l2_promotion=1, oob_fill=OobFill.NAN_REQUEST_ZERO_FMA), another_driver)
    )
    pairs += [
        (GOOD_START, replace(GOOD_START, **change), the_model)
        for change in ({"data_type": 8}, dict([FINE[0], WRONG[5]]))
    ]
    return [CallWalk(good, bad, accepts, walk_steps(good, bad, accepts)[-1][0]) for good, bad, accepts in pairs]


def walk_steps(good: Any, bad: Any, accepts: Accepts) -> list[tuple[str, bool]]:
    """(argument, accepted) along the walk from ``good`` to ``bad``, up to the first refusal."""
    walked, now = [], good
    for name in vars(bad):
        now = replace(now, **{name: getattr(bad, name)})
        walked.append((name, accepts(now)))
        if not walked[-1][1]:
            break
    return walked


@lru_cache(1)
def tiled_rows() -> tuple[Row, ...]:
    """Every recorded tiled call of a known type that is not packed."""
    rows = read_rows(committed("encode.jsonl.xz"))
    return tuple(row for row in rows if row["api"] == "tiled" and row["data_type"] in range(13))


Kind = Callable[[Row], bool]


def strides_of(row: Row) -> list[int]:
    """The strides that the call reads."""
    strides: list[int] = row["global_strides"][: max(row["rank"] - 1, 0)]
    return strides


def inner_row_bytes(row: Row) -> int:
    """The bytes of a row of the box."""
    return int(row["box_dim"][0]) * DataType(row["data_type"]).size_bytes


STRIDE_KINDS: tuple[Kind, ...] = (
    lambda row: row["result"] == 0 and row["rank"] == 1,
    lambda row: row["result"] == 0 and any(s % 32 for s in strides_of(row)),
    lambda row: row["result"] == 0 and row["interleave"] == 2,
    lambda row: row["result"] == 0 and row["interleave"] == 1 and any(s % 32 for s in strides_of(row)),
    lambda row: row["result"] == 1 and row["interleave"] == 0 and any(s % 16 for s in strides_of(row)),
    lambda row: (
        row["result"] == 1 and strides_of(row)[1:] != [] and strides_of(row)[0] % 16 == 0 and row["interleave"] == 0
    ),
    lambda row: row["result"] == 1 and row["interleave"] == 2 and any(s % 32 == 16 for s in strides_of(row)),
)
ROW_KINDS: tuple[Kind, ...] = (
    lambda row: row["result"] == 0 and row["swizzle"] == 0 and inner_row_bytes(row) > 128,
    *(
        lambda row, mode=mode: (
            row["result"] == 0
            and row["swizzle"] == mode
            and inner_row_bytes(row) == 16 << mode
            and not row["interleave"]
        )
        for mode in (1, 2, 3)
    ),
    *(
        lambda row, mode=mode: (
            row["result"] == 1
            and row["swizzle"] == mode
            and inner_row_bytes(row) > 16 << mode
            and not row["interleave"]
        )
        for mode in (1, 2, 3)
    ),
    *(
        lambda row, mode=mode: (
            row["result"] == 0
            and row["swizzle"] == mode
            and inner_row_bytes(row) < 16 << mode
            and not row["interleave"]
        )
        for mode in (2, 3)
    ),
    lambda row: row["result"] == 0 and row["swizzle"] == 1 and row["interleave"] == 2 and inner_row_bytes(row) > 32,
    lambda row: row["result"] == 1 and not row["interleave"] and inner_row_bytes(row) % 16 != 0 and row["swizzle"] == 0,
    lambda row: row["result"] == 1 and row["interleave"] and inner_row_bytes(row) % 16 != 0,
    lambda row: row["result"] == 1 and row["data_type"] == 0 and inner_row_bytes(row) % 16 != 0,
)


@lru_cache(16)
def judged_calls(rules: frozenset[str], seed: int) -> tuple[JudgedCall, ...]:
    """Recorded calls of each kind, drawn by the seed: taken, or refused for these rules and no other. Reports come first."""
    draw = Random(seed)
    names = (
        ("T23", "T02", "T22", "T22fix", "T08fix", "T05")
        if rules is STRIDE_RULES
        else ("T25", "T14", "T16", "T17", "T19")
    )
    first = [JudgedCall(r.call, r.result == 0) for r in map(reports().__getitem__, names)]  # type: ignore[arg-type]
    kinds = STRIDE_KINDS if rules is STRIDE_RULES else ROW_KINDS
    return (*first, *(drawn for kind in kinds for drawn in draw_some(kind, rules, draw)))


def draw_some(kind: Kind, rules: frozenset[str], draw: Random, count: int = 3) -> Iterator[JudgedCall]:
    """A few calls of a kind that break these rules alone, or none."""
    rows = [row for row in tiled_rows() if kind(row)]
    for row in draw.sample(rows, len(rows)):
        call = tiled_map_of(row)
        if {broken.id for broken in call.check().broken} <= rules:
            yield JudgedCall(call, row["result"] == 0)
            count -= 1
        if not count:
            return
