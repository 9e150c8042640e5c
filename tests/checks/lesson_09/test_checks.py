"""The checks of exercise 09, proved four ways: untouched, mistaken, solved, and solved in other words."""

import numpy as np
import pytest

from course_lib.checks.lesson_09 import checks as lesson_09
from course_lib.checks.lesson_09.questions import (
    MODES,
    asked_reads,
    asked_tiles,
    drawn_patterns,
    engine_of,
    flat_tiles,
    right_address,
)
from course_lib.model.cost.banks import access
from course_lib.model.facts.enums import Swizzle
from course_lib.model.facts.swizzle import PATTERNS
from tests.checks.four_ways import FourWays

MASK = {0: 0, 1: 0x80, 2: 0x180, 3: 0x380}
SPAN = {1: 32, 2: 64, 3: 128}


# Task 1: the address of a byte


def address_of(swizzle, row_bytes, shared_address, row, byte):
    a = shared_address + row * SPAN.get(swizzle, row_bytes) + byte
    return a ^ (a & MASK[swizzle]) >> 3


def address_by_line_and_unit(swizzle, row_bytes, shared_address, row, byte):
    line, rest = divmod(shared_address + row * (row_bytes if swizzle == 0 else SPAN[swizzle]) + byte, 128)
    unit, inside = divmod(rest, 16)
    places = 1 << int(swizzle)
    return np.int64(128 * line + 16 * (unit ^ line % places) + inside)


def without_xor(swizzle, row_bytes, shared_address, row, byte):
    return shared_address + row * SPAN.get(swizzle, row_bytes) + byte


def keyed_to_the_tile(swizzle, row_bytes, shared_address, row, byte):
    return shared_address + address_of(swizzle, row_bytes, 0, row, byte)


def without_the_base(swizzle, row_bytes, shared_address, row, byte):
    return address_of(swizzle, row_bytes, 0, row, byte)


def dense_rows(swizzle, row_bytes, shared_address, row, byte):
    a = shared_address + row * row_bytes + byte
    return a ^ (a & MASK[swizzle]) >> 3


def one_mask_for_all(swizzle, row_bytes, shared_address, row, byte):
    a = shared_address + row * SPAN.get(swizzle, row_bytes) + byte
    return a ^ (a & (0x80 if swizzle else 0)) >> 3


def lines_without_swizzle(swizzle, row_bytes, shared_address, row, byte):
    return address_of(swizzle, row_bytes if swizzle else 128, shared_address, row, byte)


def address_in_words(*case):
    return hex(address_of(*case))


ADDRESS_MISTAKES = [
    (without_xor, "B128, rows of 128 bytes, shared address 0: row 3, byte", "What the H200 left"),
    (without_xor, "That is where it would lie without the XOR."),
    (keyed_to_the_tile, "That is keyed to the place in the tile; the key is the whole address."),
    (without_the_base, "That is the place in a tile at address 0."),
    (dense_rows, "A row takes a whole span in shared memory"),
    (one_mask_for_all, "the H200 has it at"),
    (lines_without_swizzle, "Without swizzle rows leave no gap."),
    (address_in_words, "not an address as an integer"),
]

# Task 2: the tile


def tile_of(shared, swizzle, row_bytes, rows, shared_address):
    row, byte = np.indices((rows, row_bytes))
    return shared[address_of(swizzle, row_bytes, shared_address, row, byte)]


def tile_unit_by_unit(shared, swizzle, row_bytes, rows, shared_address):
    out = bytearray()
    for row in range(rows):
        for byte in range(0, row_bytes, 16):
            at = address_by_line_and_unit(swizzle, row_bytes, shared_address, row, byte)
            out += bytes(shared[at : at + 16])
    return bytes(out)


def tile_as_it_lies(shared, swizzle, row_bytes, rows, shared_address):
    return shared[shared_address : shared_address + rows * row_bytes].reshape(rows, row_bytes)


def tile_at_the_start(shared, swizzle, row_bytes, rows, shared_address):
    return tile_of(shared, swizzle, row_bytes, rows, 0)


def tile_keyed_to_itself(shared, swizzle, row_bytes, rows, shared_address):
    return tile_of(shared[shared_address:], swizzle, row_bytes, rows, 0)


TILE_MISTAKES = [
    (
        tile_as_it_lies,
        "B128, 16 rows of 128 bytes, shared address 0: the first byte that differs is byte 0 of row 1",
        "Your tile, row after row",
    ),
    (tile_as_it_lies, "That is the tile as it lies in shared memory"),
    (tile_at_the_start, "shared address 128: the first byte that differs is byte 0 of row 0"),
    (tile_at_the_start, "That is what lies at address 0; the tile begins at shared_address."),
    (tile_keyed_to_itself, "shared address 128: the first byte that differs is byte 0 of row 0"),
    (tile_keyed_to_itself, "That is keyed to the place in the tile"),
    (lambda *asked: tile_of(*asked).ravel(), "an array of shape (2048,); a row of the tile is a row of it: (16, 128)."),
    (lambda shared, *_: shared, "the function returned 4096 bytes; 16 rows of 128 bytes are 2048."),
    (lambda *_: [[1], [1, 2]], "the function returned rows of different lengths."),
    (lambda *asked: tile_of(*asked) + np.int64(256), "something other than bytes: integers from 0 to 255."),
    (lambda *asked: tile_of(*asked) + 0.5, "something other than bytes: integers from 0 to 255."),
    (lambda *asked: tile_of(*asked).astype(str), "something other than bytes: integers from 0 to 255."),
]

# Task 3: the mode


def best_mode(row_bytes, lanes, access_bytes):
    def turns(mode):
        return access([address_of(mode, row_bytes, 0, *lane) for lane in lanes], access_bytes).turns

    return min((mode for mode in MODES if row_bytes <= SPAN.get(mode, row_bytes)), key=turns)


def best_mode_by_a_loop(row_bytes, lanes, access_bytes):
    best = None
    for mode in range(4):
        if mode and row_bytes > 16 << mode:
            continue
        rows = np.array(lanes)
        turns = access(address_of(mode, row_bytes, 2048, rows[:, 0], rows[:, 1]), access_bytes).turns
        best = (turns, mode) if best is None or turns < best[0] else best
    return np.int64(best[1])


def always_b128(*_):
    return Swizzle.B128


def mode_of_the_row(row_bytes, *_):
    return next(mode for mode in MODES[1:] if row_bytes <= SPAN[mode])


def any_mode(row_bytes, lanes, access_bytes):
    return min(MODES, key=lambda m: access([address_of(m, row_bytes, 0, *p) for p in lanes], access_bytes).turns)


MODE_MISTAKES = [
    (always_b128, "16-byte units of 8 rows, rows of 64 bytes: B128 takes 4 turns, and so does B64, which comes first."),
    (mode_of_the_row, "rows of 48 bytes: B64 takes 4 turns, and so does NONE, which comes first."),
    (any_mode, "the driver refuses the call."),
    (lambda *_: Swizzle.NONE, "NONE takes 32 turns, B128 takes 4.", "NONE: the units that the lanes read are dark"),
    (lambda *_: 4, "you say 4, which is no mode of this chip."),
    (lambda *_: "B128", "returned 'B128', not a Swizzle, as Swizzle.NONE is one."),
    (lambda row_bytes, lanes, access_bytes: lanes.clear() or Swizzle.NONE, "NONE takes 32 turns, B128 takes 4."),
]

# Task 4: an unseen rule


def rule_of(load):
    turned = {bit: int(load(1 << bit)[0]) for bit in range(7, 13)}
    mask = sum(1 << bit for bit, number in turned.items() if number)
    lowest = min(bit for bit, number in turned.items() if number)
    return mask, lowest - 4 - turned[lowest].bit_length() + 1


def rule_by_trying_all(load):
    bases = (0, 0x80, 0x100, 0x200, 0x400, 0x800, 0x1000, 0x1C00)
    seen = [(base, load(base)) for base in bases]
    for bits in range(1, 4):
        for first in range(7, 14 - bits):
            for to in range(4, 8 - bits):
                mask, shift = (1 << bits) - 1 << first, first - to
                places = [base + 16 * np.arange(64) for base in bases]
                if all(
                    (((a ^ ((a & mask) >> shift)) - base) // 16 == units).all()
                    for a, (base, units) in zip(places, seen, strict=True)
                ):
                    return np.array([mask, shift])
    return None


def rule_of_b128(load):
    return 0x380, 3


def rule_of_the_tile_at_zero(load):
    first = load(0)[::8] % 8
    mask = sum(1 << 7 + bit for bit in range(3) if first[1 << bit])
    if not mask:
        return 0, 3
    lowest = next(bit for bit in range(3) if first[1 << bit])
    return mask, 7 + lowest - 4 - int(first[1 << lowest]).bit_length() + 1


def shift_in_units(load):
    mask, shift = rule_of(load)
    return mask, shift + 4


RULE_MISTAKES = [
    (rule_of_b128, "engine 1: mask 0x380, shift 3 does not fit the tile at 0x0."),
    (
        rule_of_the_tile_at_zero,
        "It does fit the tile at 0: ask the engine at other addresses.",
        "A tile of 8 rows at 0x",
    ),
    (shift_in_units, "your rule says"),
    (lambda load: rule_of(load)[::-1], "the mask comes first."),
    (lambda load: rule_of(load)[0], "not the pair (mask, shift)"),
    (lambda load: load(100), "raised ValueError: base = 100: a multiple of 128"),
    (lambda load: (1 << 70, 3), "does not fit the tile at 0x"),
    (lambda load: (0x380, 1 << 70), "does not fit the tile at 0x"),
    (lambda load: (rule_of(load)[0] | 1 << 13, rule_of(load)[1]), "has more bits than the rule"),
    (lambda load: (rule_of(load)[0] | 8, rule_of(load)[1]), "has more bits than the rule"),
]

# Task 5: a column without conflicts


def skewed(unit):
    return [[(row, 16 * unit + 4 * ((row // 8 + k) % 4)) for row in range(32)] for k in range(4)]


def skewed_the_other_way(unit):
    rows = np.arange(31, -1, -1)
    return [np.stack([rows, 16 * unit + 4 * ((k - rows // 8) % 4)], 1) for k in (2, 0, 3, 1)]


def straight(unit):
    return [[(row, 16 * unit + 4 * k) for row in range(32)] for k in range(4)]


def by_the_row(unit):
    return [[(row, 16 * unit + 4 * ((row + k) % 4)) for row in range(32)] for k in range(4)]


def one_word_four_times(unit):
    return [skewed(unit)[0]] * 4


SKEWED_MISTAKES = [
    (straight, "unit 0: read 0 takes 4 turns, not 1.", "B128: the units that the lanes read are dark"),
    (by_the_row, "unit 0: read 0 takes 4 turns, not 1."),
    (one_word_four_times, "row 0, byte 4 is never read."),
    (lambda unit: skewed(unit)[0], "no list of reads"),
    (lambda unit: skewed(unit)[:3], "four of 32 are wanted"),
]

TASKS = [
    (lesson_09.check_address_of, [address_of, address_by_line_and_unit], ADDRESS_MISTAKES),
    (lesson_09.check_tile_of, [tile_of, tile_unit_by_unit], TILE_MISTAKES),
    (lesson_09.check_best_mode, [best_mode, best_mode_by_a_loop], MODE_MISTAKES),
    (lesson_09.check_rule_of, [rule_of, rule_by_trying_all], RULE_MISTAKES),
    (lesson_09.check_skewed, [skewed, skewed_the_other_way], SKEWED_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


@pytest.mark.parametrize("tile", flat_tiles())
def test_the_address_that_is_asked_for_is_where_the_hardware_put_each_unit(tile):
    mode, units = Swizzle(tile.tensor_map.swizzle), range(tile.addresses.size)
    places = [divmod(unit, tile.units_in_row) for unit in units]
    said = [right_address(mode, tile.row_bytes, tile.shared_address, row, 16 * number) for row, number in places]
    assert said == tile.addresses.tolist()


@pytest.mark.parametrize("seed", range(50))
def test_an_unseen_rule_is_no_known_mode_keeps_units_whole_and_lines_together(seed):
    for pattern in drawn_patterns(seed):
        turned = pattern.mask >> pattern.shift
        assert pattern not in PATTERNS.values()
        assert pattern.mask & 0x1F80 == pattern.mask
        assert turned & 0x70 == turned == (pattern.mask >> pattern.shift << pattern.shift) >> pattern.shift
        assert turned.bit_count() == pattern.mask.bit_count() in (1, 2, 3)
        for base in (0, 128, 0xC00, 7168):
            assert sorted(engine_of(pattern)(base)) == list(range(64))


def test_another_seed_asks_about_other_rules_tiles_and_reads():
    assert drawn_patterns(1) != drawn_patterns(2)
    assert [t.shared_address for t in asked_tiles(1)] != [t.shared_address for t in asked_tiles(2)]
    assert [read.row_bytes for read in asked_reads(1)] != [read.row_bytes for read in asked_reads(2)]


def test_every_mode_is_the_best_for_one_of_the_reads():
    assert {read.best for read in asked_reads(0)} == set(MODES)
