"""What the checks of swizzles ask: recorded tiles, reads of a warp, and engines whose rule nobody has described."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.draw.copies.swizzle_grid import swizzle_grid
from course_lib.draw.pen.svg import Picture
from course_lib.model.cost.banks import access
from course_lib.model.facts.enums import Swizzle
from course_lib.model.facts.limits import INNER_UNIT_BYTES as UNIT_BYTES
from course_lib.model.facts.limits import SWIZZLE_SPAN_BYTES
from course_lib.model.facts.swizzle import PATTERNS, Pattern
from course_lib.recordings.copies.swizzles import RecordedTile, recorded_tiles

MODES = (Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128)
LINE_BYTES = 128
LAST_BASE = 7168
Lanes = Sequence[tuple[int, int]]
Engine = Callable[[int], NDArray[np.int64]]


def flat_tiles() -> list[RecordedTile]:
    """The recorded tiles of two dimensions."""
    return [tile for tile in recorded_tiles() if tile.tensor_map.rank == 2]


def asked_tiles(seed: int) -> list[RecordedTile]:
    """The plain ones first: no swizzle, then B128 at 0 and off 1024 bytes, B64, B32, a narrow row; then some of all."""
    tiles = flat_tiles()
    first = [tiles[i] for i in (0, 24, 25, 17, 9, 40)]
    return first + Random(seed).sample(tiles, 12)


def plain_address(swizzle: Swizzle, row_bytes: int, shared_address: int, row: int, byte: int) -> int:
    """Where a byte of the tile would lie without the XOR."""
    return shared_address + row * (SWIZZLE_SPAN_BYTES[swizzle] or row_bytes) + byte


def right_address(swizzle: Swizzle, row_bytes: int, shared_address: int, row: int, byte: int) -> int:
    """Where it lies."""
    return PATTERNS[swizzle](plain_address(swizzle, row_bytes, shared_address, row, byte))


class WarpRead(NamedTuple):
    """A warp's read of a tile at a multiple of 1024 bytes: (row, byte) for each lane."""

    name: str
    row_bytes: int
    lanes: Lanes
    access_bytes: int

    def turns(self, swizzle: Swizzle) -> int | None:
        """What it takes in this mode; None where a row is wider than the span."""
        if self.row_bytes > (SWIZZLE_SPAN_BYTES[swizzle] or self.row_bytes):
            return None
        at = [right_address(swizzle, self.row_bytes, 0, row, byte) for row, byte in self.lanes]
        return access(at, self.access_bytes).turns

    @property
    def best(self) -> Swizzle:
        """The mode with the fewest turns, the first of equals."""
        legal = [(turns, mode) for mode in MODES if (turns := self.turns(mode)) is not None]
        return min(legal)[1]


def column_read(row_bytes: int, byte: int) -> WarpRead:
    """4 bytes in each of 32 rows."""
    return WarpRead("a column of 4-byte elements", row_bytes, [(row, byte // 4 * 4) for row in range(32)], 4)


def matrices_read(row_bytes: int) -> WarpRead:
    """16 bytes in each of 8 rows, four times side by side."""
    units = row_bytes // UNIT_BYTES
    return WarpRead(
        "16-byte units of 8 rows", row_bytes, [(i % 8, i // 8 % units * UNIT_BYTES) for i in range(32)], UNIT_BYTES
    )


def rows_read(row_bytes: int) -> WarpRead:
    """4 bytes a lane, row after row."""
    each = row_bytes // 4
    return WarpRead("whole rows of 4-byte elements", row_bytes, [(i // each, i % each * 4) for i in range(32)], 4)


def asked_reads(seed: int) -> Iterator[WarpRead]:
    """Rows as wide as a span; rows that are narrower, and wider than every span; then some of all kinds."""
    yield from (matrices_read(width) for width in (128, 64, 32, 48))
    yield from (
        column_read(128, 8),
        rows_read(128),
        column_read(16, 4),
        matrices_read(256),
        column_read(160, 12),
        column_read(32, 4),
        column_read(64, 60),
    )
    draw = Random(seed)
    for _ in range(8):
        width = draw.randrange(16, 129, 16)
        yield draw.choice((column_read(width, draw.randrange(width)), matrices_read(width), rows_read(width)))


UNSEEN = [  # rules that no mode has: one to three neighbouring bits from 7 to 12, XORed into bits 4 to 6
    pattern
    for bits in (1, 2, 3)
    for first in range(7, 14 - bits)
    for to in range(4, 8 - bits)
    if (pattern := Pattern((1 << bits) - 1 << first, first - to)) not in PATTERNS.values()
]


def drawn_patterns(seed: int) -> list[Pattern]:
    """Five rules of UNSEEN, drawn by the seed; the last two have the lowest and the highest bit that a mask may have."""
    draw = Random(seed)
    found: list[Pattern] = []
    while len(found) < 5:
        bits, to = draw.randint(1, 3), draw.randint(4, 6)
        first = draw.randint(7, 13 - bits)
        pattern = Pattern((1 << bits) - 1 << first, first - to)
        if pattern in UNSEEN and pattern not in found:
            found.append(pattern)
    return found + [draw.choice([pattern for pattern in UNSEEN if pattern.mask & bit]) for bit in (1 << 7, 1 << 12)]


def engine_of(pattern: Pattern) -> Engine:
    """A copy engine with this rule: load(base) brings a tile of 8 rows of 128 bytes, and says what lies where."""

    def load(base: int) -> NDArray[np.int64]:
        if base % LINE_BYTES or not 0 <= base <= LAST_BASE:
            raise ValueError(f"base = {base}: a multiple of {LINE_BYTES} from 0 to {LAST_BASE}")
        places = base + UNIT_BYTES * np.arange(64)
        return (pattern(places) - base) // UNIT_BYTES

    return load


def unseen_engine(seed: int = 0) -> Engine:
    """An engine to look at: the first one that the check with this seed asks about."""
    return engine_of(drawn_patterns(seed)[0])


def window_picture(engine: Engine, base: int, marked: Sequence[int] = ()) -> Picture:
    """What the engine leaves at ``base``, in 16-byte units."""
    whole = [-1] * (base // UNIT_BYTES) + engine(base).tolist()
    return swizzle_grid(whole, 8, base, marked, f"A tile of 8 rows at 0x{base:x}")
