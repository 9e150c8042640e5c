"""What the checks of banks ask: reads that an H200 timed, reads drawn by a seed, tiles and their reads, boxes to pad."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np

from course_lib.draw import Picture, bank_picture
from course_lib.model.call.sizes import ceil_div
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.banks import TURN_BYTES, Access, Addresses, access, ldmatrix
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES, WARP_LANES
from course_lib.recordings.times.banks import LDMATRIX, bank_reads

LANES = np.arange(WARP_LANES)
FIRST_BANK_READS = (  # every common slip meets one that shows it, the plain ones first
    ("rows, pitch 128", 4),
    ("column 0, pitch 128", 4),
    ("column 3, pitch 144", 4),
    ("two addresses in one bank", 4),
    ("broadcast", 4),
    ("degree 5", 4),
    ("stride 1 x 8 bytes", 8),
    ("degree 3", 8),
    ("stride 1 x 16 bytes", 16),
    ("pairs conflict: lane i and i + 1 rows apart", 16),
    ("column 0, pitch 144", 16),
    ("8-row columns, pitch 128", 16),
    ("broadcast", 16),
    ("pairs share, the pairs in one bank", 16),
    ("lanes share whose number differs in bit 1", 16),
    ("lanes share whose number differs in bit 2", 16),
    ("all but lane 31 at one address", 16),
    ("lower half shares by bit 0, upper by bit 1", 16),
    ("pairs share an address", 8),
)


class BankQuestion(NamedTuple):
    """A read, and who knows its turns."""

    name: str
    access_bytes: int
    found: Access
    addresses: Addresses
    by: str

    @property
    def is_shared(self) -> bool:
        """Do some lanes read at one address?"""
        return len(set(self.addresses.tolist())) < self.addresses.size


def timed_questions() -> dict[tuple[str, int], BankQuestion]:
    """Every recorded read but ldmatrix: the cycles that an H200 took are its turns."""
    reads = (read for read in bank_reads() if read.access_bytes != LDMATRIX and "swizzle" not in read.pattern)
    return {
        (read.pattern, read.access_bytes): BankQuestion(
            read.pattern, read.access_bytes, read.modelled, np.array(read.addresses), f"the H200 took {read.cycles:.2f}"
        )
        for read in reads
    }


def drawn_question(draw: Random, size: int) -> BankQuestion:
    """A read that nobody recorded: some different addresses in a few lines."""
    lanes = WARP_LANES if size > 4 else draw.randint(1, WARP_LANES)
    at = size * np.array(draw.sample(range(draw.choice((64, 256))), lanes))
    return BankQuestion("addresses at random", size, access(at, size), at, "the model counts them")


def bank_questions(seed: int, sizes: tuple[int, ...] = (4, 8, 16), shared: bool = True) -> Iterator[BankQuestion]:
    """Known reads first, then recorded and drawn ones by the seed. ``shared=False``: no two lanes at one address."""
    recorded, draw = timed_questions(), Random(seed)
    fit = {k: q for k, q in recorded.items() if q.access_bytes in sizes and (shared or not q.is_shared)}
    yield from (fit[key] for key in FIRST_BANK_READS if key in fit)
    yield from draw.sample(list(fit.values()), 24)
    yield from (drawn_question(draw, draw.choice(sizes)) for _ in range(12))


class TileRead(NamedTuple):
    """A tile and how a warp reads it: ``read(pitch)`` gives the 32 addresses."""

    name: str
    row_bytes: int
    step_bytes: int
    access_bytes: int
    read: Callable[[int], Addresses]

    def turns(self, pitch: int) -> int:
        """What the read takes with rows this far apart."""
        return access(self.read(pitch), self.access_bytes).turns

    @property
    def best(self) -> int:
        """The smallest pitch of those with the fewest turns."""
        first = ceil_div(self.row_bytes, self.step_bytes) * self.step_bytes
        return min(range(first, self.row_bytes + TURN_BYTES + 1, self.step_bytes), key=self.turns)


def read_column(row_bytes: int, step: int, size: int) -> TileRead:
    """Lane i reads in row i."""
    return TileRead("a column of 32 rows", row_bytes, step, size, lambda pitch: pitch * LANES)


def read_eight_rows(row_bytes: int, step: int, size: int) -> TileRead:
    """Four neighbouring pieces of each of 8 rows."""
    return TileRead(
        "4 pieces of 8 rows", row_bytes, step, size, lambda pitch: pitch * (LANES % 8) + size * (LANES // 8)
    )


def read_every_second(row_bytes: int, step: int, size: int) -> TileRead:
    """Lane i reads in row 2 i."""
    return TileRead("every second row", row_bytes, step, size, lambda pitch: 2 * pitch * LANES)


def read_by_twos(row_bytes: int, step: int, size: int) -> TileRead:
    """Lanes 2 i and 2 i + 1 read at the same place of row i."""
    return TileRead("a row for two lanes", row_bytes, step, size, lambda pitch: pitch * (LANES // 2))


def read_two_rows(row_bytes: int, step: int, size: int) -> TileRead:
    """The lanes of each half read side by side, in a row of their own."""
    return TileRead(
        "16 lanes side by side in two rows",
        row_bytes,
        step,
        size,
        lambda pitch: pitch * (LANES // 16) + size * (LANES % 16),
    )


def tile_reads(seed: int) -> Iterator[TileRead]:
    """Padding that is 4, 8 or 16 bytes or none; a best pitch that is not free; lanes that share; then some of all."""
    yield from (
        read_column(128, 4, 4),
        read_column(128, 16, 4),
        read_column(132, 4, 4),
        read_column(100, 8, 8),
        read_column(128, 16, 16),
    )
    yield from (
        read_eight_rows(128, 4, 4),
        read_eight_rows(256, 16, 16),
        read_every_second(128, 4, 4),
        read_by_twos(160, 16, 16),
    )
    yield from (read_two_rows(68, 4, 4), read_two_rows(80, 16, 4))  # the best pitch lies far off
    draw = Random(seed)
    for _ in range(8):
        size = draw.choice((4, 8, 16))
        make, step = draw.choice((read_column, read_eight_rows, read_every_second)), size * draw.choice((1, 16 // size))
        yield make(4 * draw.randint(4, 80), step, size)


def calls_to_pad(seed: int) -> Iterator[TiledTensorMap]:
    """Dense matrices whose box is as wide as a row; some need no padding."""
    yield from (
        matrix_in_a_box(DataType.BFLOAT16, 64),
        matrix_in_a_box(DataType.FLOAT32, 32),
        matrix_in_a_box(DataType.FLOAT16, 24),
    )
    yield from (matrix_in_a_box(DataType.UINT8, 32), matrix_in_a_box(DataType.FLOAT64, 16))
    draw = Random(seed)
    for _ in range(8):
        data_type = draw.choice((DataType.UINT8, DataType.BFLOAT16, DataType.INT32, DataType.FLOAT64))
        width = draw.randint(1, 14) * INNER_UNIT_BYTES // data_type.size_bytes
        yield matrix_in_a_box(data_type, width, draw.choice((8, 16, 64)))


def matrix_in_a_box(data_type: DataType, width: int, rows: int = 32) -> TiledTensorMap:
    """``rows`` rows of ``width`` elements, in one box."""
    return TiledTensorMap(
        data_type=data_type,
        global_address=0x7F0000000000,
        global_dim=(width, 4 * rows),
        global_strides=(width * data_type.size_bytes,),
        box_dim=(width, rows),
    )


def columns_of(box: TiledTensorMap) -> Access:
    """The 16 bytes at the start of each of 8 rows of a box, as one matrix of ldmatrix."""
    return ldmatrix(box.box_dim[0] * DataType(box.data_type).size_bytes * np.arange(8))


def turns_picture(question: Any) -> Picture:
    """The read turn by turn."""
    return bank_picture(question.found, question.name)
