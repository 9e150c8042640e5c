"""Random copies that go around the end of all addresses: three coordinates and strides sum to a multiple of 2**64.

S1 c1 + S2 c2 + 32 c3 = k 2**64 + 32 q      so the box lies 32 q bytes behind where coordinates of 0 would bring it
"""

from random import Random

from course_lib.model.call.tensor_map import Call
from course_lib.rows.row import Row
from maintain.hardware.cases import drawn as cases
from maintain.hardware.cases.stores import END, LEGAL_PAIRS, START
from maintain.hardware.fuzz.draws import complete_row

FAR_DIMENSIONS = 3
STEP_BYTES = 32  # what every interleave takes as a stride
COORDINATE_MAX = 2**31 - 16


def far_load(rng: Random, seed: int) -> tuple[str, Row]:
    """A load whose last three coordinates bring it back into memory."""
    draw = rng.choice((cases.tiled_map, cases.tiled_map, cases.im2col_map))
    row = cases.load_row(rng, deep_map(rng, draw, rng.choice(cases.TYPES), 1 << 20, 3 << 20), seed)
    return "load", complete_row("load", send_around(rng, row))


def far_store(rng: Random, seed: int) -> tuple[str, Row]:
    """The same for a store or a reduction."""
    op, kind = rng.choice((("store", rng.choice(cases.TYPES)), rng.choice(LEGAL_PAIRS)))
    m = deep_map(rng, cases.tiled_map, kind, START, END - 2**14, apart=True)
    return "store", complete_row("store", send_around(rng, cases.store_row(rng, m, seed, op)))


def deep_map(rng: Random, draw: cases.MapDraw, data_type: int, start: int, end: int, apart: bool = False) -> Call:
    """A legal map with three dimensions behind those that its inner rows need: rank 5 for im2col, else 4 or 5."""
    while True:
        m = cases.legal(rng, draw, rng.choice(cases.PAIRS), data_type, start, end, apart=apart)
        if m.rank == 5 or (m.rank == 4 and not m.is_im2col):
            return m


def send_around(rng: Random, row: Row) -> Row:
    """The row with the last three dimensions large, a box of 1 there, and coordinates that go around."""
    rank = row["rank"]
    far = list(range(rank - FAR_DIMENSIONS, rank))
    rng.shuffle(far)
    new = {name: list(value) for name, value in row.items() if isinstance(value, list)}
    for axis, (stride, coordinate) in zip(far, far_terms(rng), strict=True):
        new["global_strides"][axis - 1], new["coordinates"][axis] = stride, coordinate
        new["global_dim"][axis] = coordinate + 1 + rng.randrange(4)
        for name in ("box_dim", "element_strides", "im2col_offsets"):
            if name in new:
                new[name] = one_at(new[name], axis - (name == "im2col_offsets"), int(name != "im2col_offsets"))
        for name in ("pixel_box_lower_corner", "pixel_box_upper_corner"):
            if name in new:
                new[name] = one_at(new[name], axis - (0 if row["interleave"] else 1), 0)
    return row | new | ({"pixels_per_column": 1 + rng.randrange(4)} if "pixels_per_column" in row else {})


def one_at(values: list[int], place: int, value: int) -> list[int]:
    """The list with another entry; as it is where it has no such place."""
    return [value if i == place else entry for i, entry in enumerate(values)]


def far_terms(rng: Random) -> list[tuple[int, int]]:
    """Three pairs of stride and coordinate whose products sum to a multiple of 2**64, or a little more."""
    first = STEP_BYTES * rng.randrange(2**20, 2**35), rng.randrange(2**20, COORDINATE_MAX)
    second = rng.randrange(2**26, COORDINATE_MAX)
    left = -first[0] * first[1] % 2**64 + rng.choice((0, 2**64)) * (second > 2**28)
    stride = left // second // STEP_BYTES * STEP_BYTES
    rest = (left - stride * second) // STEP_BYTES
    return [first, (stride, second), (STEP_BYTES, rest + rng.randrange(8))]
