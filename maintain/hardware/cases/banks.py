"""Access patterns of one warp on the 32 banks of shared memory: 32 byte addresses each, one a lane."""

from collections.abc import Iterator
from itertools import product

from course_lib.rows.row import Row

BankPattern = tuple[str, list[int]]
LANES = range(32)
LINE_BYTES = 128  # all 32 banks once
FAR_BYTES = 4096  # the same bank, another line
TILES = ((128, 0), (132, 0), (136, 0), (144, 0), (128, 32), (128, 64), (128, 128), (64, 64), (64, 0), (32, 32), (32, 0))


def swizzle_address(address: int, span: int) -> int:
    """The shared-memory address after the 32-, 64- or 128-byte swizzle; 0 is none."""
    return address ^ (address >> 7 & span // 16 - 1) << 4 if span else address


def patterns_of_conflicts(size: int) -> Iterator[BankPattern]:
    """Degree d: of the lanes served together, d ask bank 0 for different lines, the others a bank of their own each."""
    group = LINE_BYTES // size  # lanes served together
    for degree in range(1, group + 1):
        served = [i * LINE_BYTES if i < degree else (i - degree + 1) * size for i in range(group)]
        yield f"degree {degree}", [served[i % group] + i // group * 2 * FAR_BYTES for i in LANES]


def patterns_that_share(size: int) -> Iterator[BankPattern]:
    """Lanes that ask for the same bytes."""
    yield "broadcast", [64] * 32
    yield "pairs share an address", [i // 2 * size for i in LANES]
    yield "halves share addresses", [i % 16 * size for i in LANES]
    yield "quarters share addresses", [i % 8 * size for i in LANES]
    yield "eight lanes of one address each", [i // 8 * size for i in LANES]
    for bit in range(5):
        below = 2**bit
        at = [(i % below + (i >> bit + 1 << bit)) * size for i in LANES]
        yield f"lanes share whose number differs in bit {bit}", at
    yield "lanes 0 and 1 share", [(i if i > 1 else 0) * size for i in LANES]
    yield "lanes 0 and 16 share", [(i if i != 16 else 0) * size for i in LANES]
    yield (
        "lower half shares by bit 0, upper by bit 1",
        [(i // 2 if i < 16 else 8 + i // 4 * 2 + i % 2) * size for i in LANES],
    )
    yield "all but lane 31 share by bit 0", [(i // 2 if i < 31 else 40) * size for i in LANES]
    yield "all but lane 31 at one address", [0 if i < 31 else size for i in LANES]
    yield "pairs share, the pairs in one bank", [i // 2 * LINE_BYTES for i in LANES]


def patterns_apart(size: int) -> Iterator[BankPattern]:
    """Lanes that ask for bytes of their own."""
    for stride in range(1, 34):
        yield f"stride {stride} x {size} bytes", [i * stride * size for i in LANES]
    yield "two addresses in one bank", [i % 2 * LINE_BYTES for i in LANES]
    yield "halves conflict: lane i and i + 16 one row apart", [i % 16 * size + i // 16 * FAR_BYTES for i in LANES]
    yield "quarters conflict: lane i and i + 8 rows apart", [i % 8 * size + i // 8 * FAR_BYTES for i in LANES]
    yield "pairs conflict: lane i and i + 1 rows apart", [i // 2 * size + i % 2 * FAR_BYTES for i in LANES]
    yield "reversed", [(31 - i) * size for i in LANES]
    yield "even lanes, then odd lanes", [(i // 2 + i % 2 * 16) * size for i in LANES]


def patterns_of_tiles(size: int) -> Iterator[BankPattern]:
    """Rows and columns of tiles of 32 rows: plain, padded, swizzled."""
    for pitch, span in ((pitch, span) for pitch, span in TILES if pitch % size == 0):
        label = f"pitch {pitch}" + (f", swizzle {span}" if span else "")
        per = min(pitch, LINE_BYTES) // size
        for column in (c for c in (0, 1, 3) if c < per):
            yield f"column {column}, {label}", [swizzle_address(i * pitch + column * size, span) for i in LANES]
        yield f"8-row columns, {label}", [swizzle_address(i % 8 * pitch + i // 8 % per * size, span) for i in LANES]
        yield f"rows, {label}", [swizzle_address(i // per * pitch + i % per * size, span) for i in LANES]


def patterns_of_matrices() -> Iterator[BankPattern]:
    """Four 8 x 8 matrices of 16-bit elements, by row pitch and by swizzle."""
    for pitch in range(16, 273, 16):
        yield f"ldmatrix.x4, row pitch {pitch}", [i * pitch for i in LANES]
    for pitch, span in product((32, 64, 128), (0, 32, 64, 128)):
        if span <= pitch:
            at = [swizzle_address(i % 8 * pitch + i // 8 * 16 % pitch, span) for i in LANES]
            yield f"ldmatrix.x4, 8 rows of pitch {pitch}, swizzle {span}", at


def bank_rows() -> Iterator[Row]:
    """Every pattern in 4, 8 and 16 bytes, and ldmatrix.x4 (access_bytes 0)."""
    for size in (4, 8, 16):
        for name, at in (
            *patterns_of_conflicts(size),
            *patterns_apart(size),
            *patterns_that_share(size),
            *patterns_of_tiles(size),
        ):
            yield {"pattern": name, "access_bytes": size, "addresses": at}
    for name, at in patterns_of_matrices():
        yield {"pattern": name, "access_bytes": 0, "addresses": at}
