"""A tile copied by threads, 16 bytes at a time: the arithmetic that every thread does, and that a tensor copy replaces.

    piece      0    1    2  …     piece number = turn × threads + thread: neighbouring threads take neighbouring pieces
    row 0   │ t0 │ t1 │ t2 │ …    of one row, so a warp reads whole rows
    row 1   │ t8 │ t9 │ …

Written after the kernel (gpu/kernels/measure_tile_cp_async.cu), not after the plan of the tensor copy: the two are held
against each other. Source: PTX ISA 9.4, cp.async (16 bytes; the first ``src-size`` are copied, the others become zero).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from course_lib.model.call.arguments import Memory
from course_lib.model.call.sizes import ceil_div, element_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.element_bits import ROUNDED_ON_LOADS
from course_lib.model.copy.layout import row_pitch_bytes
from course_lib.model.facts.enums import Interleave, OobFill
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.model.facts.swizzle import pattern_of


class ThreadCopy(NamedTuple):
    """One cp.async of one thread: ``inside`` bytes (0 to 16) from ``source`` to ``target``, the rest of 16 is zero.

    ``turn`` counts the copies of a thread; ``row`` and ``unit`` are the piece's place in the box. Addresses in bytes.
    """

    thread: int
    turn: int
    row: int
    unit: int
    source: int
    inside: int
    target: int


def thread_copies(
    tensor_map: TiledTensorMap, coordinates: Sequence[int], threads: int, shared_address: int = 0
) -> list[ThreadCopy]:
    """The copies of ``threads`` threads that bring the box at ``coordinates``, piece after piece.

    A tiled box of rank 2, every element of it, zero fill, no interleave, and a type that loads unchanged; the box starts
    on 16 bytes. ValueError for anything else: threads would do it in another way.
    """
    m = tensor_map
    must_be_plain(m, coordinates, threads)
    element, units = element_bytes(m), m.box_dim[0] * element_bytes(m) // INNER_UNIT_BYTES
    width, height = m.global_dim[0] * element, m.global_dim[1]
    left, top = coordinates[0] * element, coordinates[1]
    pitch, place = row_pitch_bytes(m), pattern_of(m.swizzle)
    copies = []
    for piece in range(m.box_dim[1] * units):
        (turn, thread), (row, unit) = divmod(piece, threads), divmod(piece, units)
        column, line = left + unit * INNER_UNIT_BYTES, top + row
        inside = inside_of(column, width) if 0 <= line < height else 0
        source = m.global_address + (line * m.global_strides[0] + column if inside else 0)
        target = int(place(shared_address + row * pitch + unit * INNER_UNIT_BYTES))
        copies.append(ThreadCopy(thread, turn, row, unit, source, inside, target))
    return copies


def inside_of(column: int, width: int) -> int:
    """How many of the 16 bytes at byte ``column`` of a row of ``width`` bytes are the tensor's."""
    return 0 if column < 0 else min(max(width - column, 0), INNER_UNIT_BYTES)


def perform(copies: Iterable[ThreadCopy], global_memory: Memory, shared_memory: Memory) -> int:
    """Do the copies; how many there were."""
    count = 0
    for count, copy in enumerate(copies, 1):  # noqa: B007
        target = shared_memory[copy.target : copy.target + INNER_UNIT_BYTES]
        target[: copy.inside] = global_memory[copy.source : copy.source + copy.inside]
        target[copy.inside :] = 0
    return count


def most_copies(rows: int, row_bytes: int, threads: int) -> int:
    """How many copies of 16 bytes the busiest of ``threads`` threads has. Sizes in bytes; ValueError below 1."""
    if min(rows, row_bytes, threads) < 1 or row_bytes % INNER_UNIT_BYTES:
        raise ValueError(f"{rows} rows of {row_bytes} bytes by {threads} threads: rows of whole 16-byte pieces")
    return ceil_div(rows * row_bytes // INNER_UNIT_BYTES, threads)


def must_be_plain(m: TiledTensorMap, coordinates: Sequence[int], threads: int) -> None:
    """ValueError for a box that this file does not copy."""
    if not isinstance(m, TiledTensorMap) or m.rank != 2 or m.interleave != Interleave.NONE or m.element_strides[1] != 1:
        raise ValueError("threads copy tiled boxes of rank 2 here, every row of them, without interleave")
    if m.oob_fill != OobFill.NONE or m.data_type in ROUNDED_ON_LOADS:
        raise ValueError("cp.async fills with zero alone and changes no value")
    if threads < 1 or len(coordinates) != 2 or coordinates[0] * element_bytes(m) % INNER_UNIT_BYTES:
        raise ValueError("1 thread or more, and a box that starts on 16 bytes")
