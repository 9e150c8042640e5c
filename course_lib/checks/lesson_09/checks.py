"""The checks of exercise 09: addresses in a swizzled tile, the way back, the mode for a read, and an unseen rule."""

from operator import index
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_09.pictures import learners_grid, read_picture, recorded_grid
from course_lib.checks.lesson_09.questions import (
    LAST_BASE,
    LINE_BYTES,
    WarpRead,
    asked_reads,
    asked_tiles,
    drawn_patterns,
    engine_of,
    right_address,
    window_picture,
)
from course_lib.checks.lesson_09.slips import address_slip, mode_slip, tile_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import as_integer, as_two_integers, must_be
from course_lib.model.facts.enums import Swizzle
from course_lib.model.facts.limits import INNER_UNIT_BYTES as UNIT_BYTES
from course_lib.model.facts.swizzle import Pattern
from course_lib.recordings.copies.swizzles import RecordedTile


@check("every byte lies where the H200 put it.")
def check_address_of(answer: Answer, seed: int) -> None:
    """Task 1: `address_of(swizzle, row_bytes, shared_address, row, byte)` gives a shared address."""
    draw = Random(seed)
    for tile in asked_tiles(seed):
        last = tile.addresses.size - 1
        for unit in (0, min(tile.units_in_row * 3, last), last, *(draw.randint(0, last) for _ in range(4))):
            examine_address(answer, tile, unit, draw.randrange(UNIT_BYTES))
    for row_bytes in (16, 48, 96):
        examine_plain_address(answer, row_bytes, draw.randrange(1, 9), draw.randrange(row_bytes))


def examine_address(answer: Answer, tile: RecordedTile, unit: int, rest: int) -> None:
    """One byte of one recorded tile."""
    row, number = divmod(unit, tile.units_in_row)
    case = (Swizzle(tile.tensor_map.swizzle), tile.row_bytes, tile.shared_address, row, number * UNIT_BYTES + rest)
    got, right = as_integer(ask(answer, *case), "an address"), int(tile.addresses[unit]) + rest
    if got != right:
        said = f"{case[0].name}, rows of {case[1]} bytes, shared address {case[2]}: row {row}, byte {case[4]}"
        raise Wrong(
            f"{said}: you say 0x{got:03x}, the H200 has it at 0x{right:03x}. {address_slip(got, *case)}",
            recorded_grid(tile, unit),
        )


def examine_plain_address(answer: Answer, row_bytes: int, row: int, byte: int) -> None:
    """One byte of a narrow tile without swizzle: its rows are packed."""
    got = as_integer(ask(answer, Swizzle.NONE, row_bytes, LINE_BYTES, row, byte), "an address")
    right = right_address(Swizzle.NONE, row_bytes, LINE_BYTES, row, byte)
    if got != right:
        said = f"NONE, rows of {row_bytes} bytes, shared address {LINE_BYTES}: row {row}, byte {byte}"
        raise Wrong(f"{said}: you say 0x{got:03x}, it lies at 0x{right:03x}. Without swizzle rows leave no gap.")


@check("every tile comes back in order.")
def check_tile_of(answer: Answer, seed: int) -> None:
    """Task 2: `tile_of(shared, swizzle, row_bytes, rows, shared_address)` gives the tile, rows × row_bytes."""
    for tile in asked_tiles(seed):
        mode, shape = Swizzle(tile.tensor_map.swizzle), (tile.rows, tile.row_bytes)
        got = as_tile(ask(answer, tile.shared, mode, tile.row_bytes, tile.rows, tile.shared_address), shape)
        wrong = np.argwhere(got != tile.tensor.reshape(shape))
        if wrong.size:
            row, byte = wrong[0]
            case = f"{mode.name}, {shape[0]} rows of {shape[1]} bytes, shared address {tile.shared_address}"
            said = (
                f"{case}: the first byte that differs is byte {byte} of row {row}; {len(wrong)} of {got.size} differ."
            )
            raise Wrong(f"{said} {tile_slip(got, tile)}".strip(), learners_grid(got, tile))


@check("each read has the mode that serves it fastest.")
def check_best_mode(answer: Answer, seed: int) -> None:
    """Task 3: `best_mode(row_bytes, lanes, access_bytes)` gives the Swizzle with the fewest turns."""
    for read in asked_reads(seed):
        got = as_mode(ask(answer, read.row_bytes, list(read.lanes), read.access_bytes))
        if got != read.best:
            raise Wrong(f"{read.name}, rows of {read.row_bytes} bytes: {mode_slip(got, read)}", read_picture(got, read))


def as_mode(got: Any) -> int:
    """The number of a mode."""
    with must_be(got, "a Swizzle, as Swizzle.NONE is one", TypeError):
        return index(got)


BITS = range(7, 13)  # of an address, of which a mask may have some


@check("you found the rule of every engine.")
def check_rule_of(answer: Answer, seed: int) -> None:
    """Task 4: `rule_of(load)` gives (mask, shift) of an engine that nobody has described."""
    for number, pattern in enumerate(drawn_patterns(seed), 1):
        mask, shift = as_two_integers(ask(answer, engine_of(pattern)), "(mask, shift)", "a mask", "a shift")
        if shift > BITS[-1] >= mask:
            raise Wrong(f"engine {number}: mask {mask}, shift {shift}: the mask comes first.")
        ours = Pattern(mask, shift) if 0 <= mask < 2**32 and 0 <= shift < 32 else Pattern(0, 0)
        for base in range(0, LAST_BASE + 1, LINE_BYTES):
            places = base + UNIT_BYTES * np.arange(64)
            wrong = np.flatnonzero(ours(places) != pattern(places))
            if wrong.size:
                said = f"engine {number}: mask 0x{mask:x}, shift {shift} does not fit the tile at 0x{base:x}. "
                told = f"Unit {wrong[0] // 8}.{wrong[0] % 8} lies at 0x{int(pattern(places)[wrong[0]]):x}, "
                rule = f"your rule says 0x{int(ours(places)[wrong[0]]):x}. "
                fits = "It does fit the tile at 0: ask the engine at other addresses." if base else ""
                raise Wrong(said + told + rule + fits, window_picture(engine_of(pattern), base, wrong.tolist()))
        if mask != pattern.mask:
            raise Wrong(f"engine {number}: mask 0x{mask:x} has more bits than the rule: no place depends on them.")


@check("four reads, one turn each, and every byte is read once.")
def check_skewed(answer: Answer, seed: int) -> None:
    """Task 5: `skewed(unit)` gives four reads of 32 (row, byte): a 16-byte column of 32 rows under B128, no conflict."""
    for unit in range(8):
        reads = as_reads(ask(answer, unit))
        wanted = {(row, UNIT_BYTES * unit + 4 * word) for row in range(32) for word in range(4)}
        missing = sorted(wanted - {lane for read in reads for lane in read})
        if missing or sum(map(len, reads)) != len(wanted):
            said = (
                f"row {missing[0][0]}, byte {missing[0][1]} is never read."
                if missing
                else "four reads of 32 lanes make 128."
            )
            raise Wrong(f"unit {unit}: {said}")
        for number, lanes in enumerate(reads):
            read = WarpRead(f"read {number}", LINE_BYTES, lanes, 4)
            turns = read.turns(Swizzle.B128)
            if turns != 1:
                raise Wrong(f"unit {unit}: read {number} takes {turns} turns, not 1.", read_picture(Swizzle.B128, read))


def as_tile(got: Any, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """The tile as bytes, of this shape, or as a bytes object."""
    try:
        data: NDArray[Any] = np.frombuffer(got, np.uint8) if isinstance(got, bytes | bytearray) else np.asarray(got)
    except ValueError:
        raise Wrong("the function returned rows of different lengths.") from None
    if data.size != shape[0] * shape[1]:
        raise Wrong(
            f"the function returned {data.size} bytes; {shape[0]} rows of {shape[1]} bytes are {shape[0] * shape[1]}."
        )
    if data.shape != shape and not isinstance(got, bytes | bytearray):
        raise Wrong(f"the function returned an array of shape {data.shape}; a row of the tile is a row of it: {shape}.")
    if data.dtype.kind not in "ui" or data.min() < 0 or data.max() > 255:
        raise Wrong("the function returned something other than bytes: integers from 0 to 255.")
    return data.reshape(shape).astype(np.uint8)


def as_reads(got: Any) -> list[list[tuple[int, int]]]:
    """Four reads of (row, byte)."""
    try:
        reads = [[(index(row), index(byte)) for row, byte in read] for read in got]
    except (TypeError, ValueError):
        raise Wrong("the function returned no list of reads, each a list of (row, byte).") from None
    if len(reads) != 4 or any(not 0 < len(read) <= 32 for read in reads):
        raise Wrong(f"the function returned reads of {[len(read) for read in reads]} lanes; four of 32 are wanted.")
    return reads
