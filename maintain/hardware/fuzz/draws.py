"""Random questions for a fuzz run: encode calls legal and broken, copies that must not fault, copies that must.

Every function draws from a ``random.Random`` alone, so that a seed fixes the run and hypothesis can steer it.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from course_lib.model.call.sizes import transaction_bytes
from course_lib.model.facts.enums import ReduceOp
from course_lib.rows.calls import row_of, tensor_map_of
from course_lib.rows.memory import window_for
from course_lib.rows.row import Row
from maintain.hardware.cases import drawn as cases
from maintain.hardware.cases.bulk import IN_CLUSTER, REDUCTIONS, bulk_row, bulk_window_bytes
from maintain.hardware.cases.encode import ADDRESSES, BOXES, DIMS, ELEMENT_STRIDES, STRIDES, UNKNOWN
from maintain.hardware.cases.stores import END, LEGAL_PAIRS, START

Drawn = tuple[str, Row]  # what to do, the row
Draw = Callable[[Random, int], Drawn]
MAPS = (cases.tiled_map, cases.im2col_map, cases.wide_map)
CORNERS = tuple(sign * 2**bits + d for bits in (4, 7, 15) for sign in (-1, 1) for d in (-1, 0, 1))
COUNTS = (0, 1, 2, 4, 255, 256, 257, 512, 1023, 1024, 1025, 2**16, 2**31, 2**32 - 1)
THRESHOLDS: dict[str, tuple[int, ...]] = {
    "global_address": ADDRESSES,
    "global_dim": DIMS,
    "global_strides": STRIDES,
    "box_dim": BOXES,
    "element_strides": ELEMENT_STRIDES,
    "channels_per_pixel": COUNTS,
    "pixels_per_column": COUNTS,
    "pixel_box_lower_corner": CORNERS,
    "pixel_box_upper_corner": CORNERS,
    "pixel_box_lower_corner_width": CORNERS,
    "pixel_box_upper_corner_width": CORNERS,
    "data_type": (*range(17), *UNKNOWN),
    "interleave": (0, 1, 2, 3, *UNKNOWN),
    "swizzle": (*range(8), *UNKNOWN),
    "l2_promotion": (*range(5), *UNKNOWN),
    "oob_fill": (0, 1, 2, *UNKNOWN),
    "wide_mode": (0, 1, 2, *UNKNOWN),
}
BITS = {"global_address": 64, "global_dim": 64, "global_strides": 64}  # 32 for the others
SIGNED = tuple(name for name in THRESHOLDS if "corner" in name)
SPREAD = (2**14, 2**18, 2**22, 2**31, 2**39)  # gaps that a stride may have


def any_map(rng: Random) -> Any:
    """A map that may be legal, its tensor anywhere and of any size."""
    pair, kind = rng.choice(cases.PAIRS), rng.choice(cases.TYPES)
    return rng.choice(MAPS)(rng, pair, kind, 32 * rng.randrange(2 ** rng.choice((3, 20, 35, 52))))


def encode_call(rng: Random, seed: int) -> Drawn:
    """An encode call: legal as often as not, else with one to three arguments changed. ``seed`` is not needed."""
    row = row_of(any_map(rng))
    if rng.random() < 0.3:
        widen(rng, row)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 1, 2, 3))):
        change_argument(rng, row)
    return "encode", row


def widen(rng: Random, row: Row) -> None:
    """Larger boxes and columns, wherever the row stays as it is: up to and over the cap of the whole box."""
    if "box_dim" in row:
        row["box_dim"] = [row["box_dim"][0], *(rng.randint(1, 256) for _ in row["box_dim"][1:])]
    else:
        row["pixels_per_column"] = rng.randint(1, 1024)
    row["global_strides"] = [16 * rng.randrange(rng.choice(SPREAD) // 8) for _ in row["global_strides"]]
    row["global_dim"] = [rng.randint(1, 2 ** rng.choice((8, 16, 32))) for _ in row["global_dim"]]


def change_argument(rng: Random, row: Row) -> None:
    """One argument changed in place: to a threshold, a neighbour, or anything; now and then the rank."""
    if rng.random() < 0.05:
        set_rank(row, rng.randint(0, 6))
        return
    name = rng.choice([name for name in THRESHOLDS if name in row])
    if not isinstance(row[name], list):
        row[name] = another(rng, name, row[name])
    elif row[name]:
        place = rng.randrange(len(row[name]))
        row[name] = [another(rng, name, n) if i == place else n for i, n in enumerate(row[name])]


def another(rng: Random, name: str, value: int) -> int:
    """Another value of an argument, within the C type's range."""
    bits = BITS.get(name, 32)
    wild = rng.getrandbits(rng.choice((3, 8, 16, bits)))
    number = rng.choice((rng.choice(THRESHOLDS[name]), value + rng.choice((-16, -1, 1, 16)), 2 * value, wild))
    number = rng.choice((1, -1)) * wild if name in SIGNED and number == wild else number
    return max(-(2**31), min(number, 2**31 - 1)) if name in SIGNED else number % 2**bits


def set_rank(row: Row, rank: int) -> None:
    """Another rank; entries that lack are 1, or 4096 for a stride."""
    row["rank"] = rank
    for name, value in row.items():
        if isinstance(value, list):
            row[name] = (value + [4096 if name == "global_strides" else 1] * 6)[:6]


def load(rng: Random, seed: int) -> Drawn:
    """A load through a legal map, its box around every edge."""
    draw, pair, kind = rng.choice(MAPS), rng.choice(cases.PAIRS), rng.choice(cases.TYPES)
    return "load", cases.load_row(rng, cases.legal(rng, draw, pair, kind, 1 << 20, 4 << 20), seed)


def store(rng: Random, seed: int) -> Drawn:
    """A store or, as often, a reduction, through a map whose elements lie apart."""
    op, kind = rng.choice((("store", rng.choice(cases.TYPES)), rng.choice(LEGAL_PAIRS)))
    m = cases.legal(rng, rng.choice(MAPS[:2]), rng.choice(cases.PAIRS), kind, START, END, apart=True)
    return "store", cases.store_row(rng, m, seed, op)


def bulk(rng: Random, seed: int) -> Drawn:
    """A linear copy or reduction; now and then of a size that is not whole, the barrier told what comes."""
    direction = rng.choice(("global_to_shared", "shared_to_global", "shared_to_cluster"))
    table = {"shared_to_global": REDUCTIONS, "shared_to_cluster": IN_CLUSTER}.get(direction)
    op = rng.choice(("copy", *table)) if table else "copy"
    kind = rng.choice(table[op]) if table and op != "copy" else ""
    size = 16 * rng.randrange(2 ** rng.randint(1, 10)) + (rng.randrange(16) if rng.random() < 0.1 else 0)
    row = bulk_row(seed, direction, size, 16 * rng.randrange(1000), 16 * rng.randrange(500), op, kind)
    return "bulk", row | ({"transaction_bytes": size // 16 * 16} if "transaction_bytes" in row else {})


def trap(rng: Random, seed: int) -> Drawn:
    """A copy with one thing wrong that may fault; keep those of which the model says so."""
    do, row = rng.choice((load, store, bulk))(rng, seed)
    if do == "bulk":
        return do, row | {rng.choice(("source", "destination")): 16 * rng.randrange(100) + rng.randrange(1, 16)}
    at = list(row["coordinates"])
    place = rng.randrange(row["rank"])
    at[place] += rng.choice((-1, 1, -8, 3, -(2**20), 2**20))
    off_128 = row.get("shared_address", 0) % 4096 + rng.randrange(1, 128)
    wrong = rng.choice(({"coordinates": at}, {"shared_address": off_128}, {"op": other_op(rng)}))
    return do, complete_row(do, row | {name: value for name, value in wrong.items() if name in row})


def other_op(rng: Random) -> str:
    """Any reduction, legal for the type or not."""
    return rng.choice([op.name.lower() for op in ReduceOp])


def complete_row(do: str, row: Row) -> Row:
    """The row with what follows from its map filled in anew: the bytes to expect, the window."""
    if do == "encode":
        return row
    if do == "bulk":
        window = bulk_window_bytes(row["direction"], row["destination"] + row["size"])
        sizes = {"transaction_bytes": row["size"] // 16 * 16, "window_bytes": window}
        return row | {name: value for name, value in sizes.items() if name in row}
    m = tensor_map_of(row)
    if do == "store":
        return row | {"bytes": transaction_bytes(m)}
    window = window_for(row["shared_address"] + cases.footprint_bytes(m))
    return row | {"transaction_bytes": transaction_bytes(m), "window_bytes": window}
