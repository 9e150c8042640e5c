"""What exercise 00 asks about: matrices, and pairs of descriptors in which some words differ."""

import random

from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType

FIRST_MATRIX = {"address": 0x7F0000000000, "rows": 4096, "columns": 1024, "box_rows": 64, "box_columns": 32}


def matrices(seed: int) -> list[dict[str, int]]:
    """The arguments of `tile_map`: the lesson's matrix, then drawn ones."""
    draw = random.Random(seed)
    first = {"rows": 64, "columns": 72, "box_rows": 1, "box_columns": 8, "address": FIRST_MATRIX["address"]}
    last = {"rows": 999, "columns": 792, "box_rows": 64, "box_columns": 64, "address": FIRST_MATRIX["address"] + 2**20}
    steps = {"rows": 1, "columns": 8, "box_rows": 1, "box_columns": 8, "address": 16}
    drawn = [{name: draw.randrange(first[name], last[name] + 1, step) for name, step in steps.items()} for _ in "123"]
    return [FIRST_MATRIX, *drawn]


def tile_map(address: int, rows: int, columns: int, box_rows: int, box_columns: int) -> TiledTensorMap:
    """The right call for a row-major float16 matrix."""
    return TiledTensorMap(
        data_type=DataType.FLOAT16,
        global_address=address,
        global_dim=(columns, rows),
        global_strides=(2 * columns,),
        box_dim=(box_columns, box_rows),
    )


def descriptor_pairs(seed: int) -> list[tuple[bytes, bytes]]:
    """Two descriptors that differ in no word, in one, in some, in all."""
    draw = random.Random(seed)
    ours = tile_map(**FIRST_MATRIX).encode()
    pairs = [(ours, ours)]
    for count in (1, 2, 5, 16):
        theirs = bytearray(ours)
        for word in draw.sample(range(16), count):
            theirs[8 * word + draw.randrange(8)] ^= draw.randint(1, 255)
        pairs.append((ours, bytes(theirs)))
    return pairs
