"""The checks of exercise 00, proved four ways: untouched, mistaken, solved, and solved in other words."""

from dataclasses import replace
from itertools import chain, combinations, islice, product

import numpy as np
import pytest

from course_lib.checks.lesson_00.checks import (
    check_mended,
    check_telling_matrix,
    check_tile_map,
    check_words_that_differ,
)
from course_lib.checks.lesson_00.mended_calls import BREAKS, GOOD_CALL, calls_to_mend
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, Swizzle
from tests.checks.four_ways import FourWays


def tiled(address, dims, strides, box, **more):
    return TiledTensorMap(
        data_type=DataType.FLOAT16,
        global_address=address,
        global_dim=dims,
        global_strides=strides,
        box_dim=box,
        **more,
    )


def tile_map(address, rows, columns, box_rows, box_columns):
    return tiled(address, (columns, rows), (2 * columns,), (box_columns, box_rows))


def tile_map_with_numpy_integers_and_every_default(address, rows, columns, box_rows, box_columns):
    dims, box = np.array([columns, rows]), np.array([box_columns, box_rows])
    strides = [np.int64(columns) * 2]
    return tiled(np.int64(address), dims, strides, list(box), element_strides=[1, 1], swizzle=Swizzle.NONE)


def rows_first(address, rows, columns, box_rows, box_columns):
    return tiled(address, (rows, columns), (2 * columns,), (box_rows, box_columns))


def stride_in_elements(address, rows, columns, box_rows, box_columns):
    return tiled(address, (columns, rows), (columns,), (box_columns, box_rows))


def box_rows_first(address, rows, columns, box_rows, box_columns):
    return tiled(address, (columns, rows), (2 * columns,), (box_rows, box_columns))


def swizzled(address, rows, columns, box_rows, box_columns):
    return tiled(address, (columns, rows), (2 * columns,), (box_columns, box_rows), swizzle=Swizzle.B128)


def bytes_instead(**matrix):
    return tile_map(**matrix).encode()


TILE_MAP_MISTAKES = [
    (rows_first, "global_dim is (4096, 1024) and should be (1024, 4096)"),
    (stride_in_elements, "global_strides is (1024,) and should be (2048,)", "First difference: byte"),
    (box_rows_first, "box_dim is (64, 32) and should be (32, 64)"),
    (swizzled, "swizzle is"),
    (bytes_instead, "returned a bytes, not a TiledTensorMap"),
]


def words_that_differ(ours, theirs):
    return [i for i in range(16) if ours[8 * i : 8 * i + 8] != theirs[8 * i : 8 * i + 8]]


def words_by_numpy_from_the_last(ours, theirs):
    a, b = (np.frombuffer(data, dtype="<u8") for data in (ours, theirs))
    return np.flatnonzero(a != b)[::-1]


def words_lazily(ours, theirs):
    return (number for number in words_that_differ(ours, theirs))


def words_until_it_breaks(ours, theirs):
    yield from words_that_differ(ours, theirs)
    raise ZeroDivisionError("no more words")


def bytes_that_differ(ours, theirs):
    return [i for i in range(128) if ours[i] != theirs[i]]


def only_the_first(ours, theirs):
    return words_that_differ(ours, theirs)[:1]


def words_of_32_bits(ours, theirs):
    return [i for i in range(32) if ours[4 * i : 4 * i + 4] != theirs[4 * i : 4 * i + 4]]


def yes_or_no(ours, theirs):
    return ours == theirs


WORDS_MISTAKES = [
    (bytes_that_differ, "Yours are numbers of bytes"),
    (only_the_first, "Some are missing.", "First difference: byte"),
    (words_of_32_bits, "the words that differ are"),
    (yes_or_no, "returned True, not a list of word numbers"),
    (words_until_it_breaks, "of another kind than asked: ZeroDivisionError: no more words"),
]


def mended(tensor_map):
    for broken in tensor_map.check().broken:
        if broken.fix:
            tensor_map = replace(tensor_map, **dict([broken.fix]))
    return tensor_map


def mended_by_asking_again_after_each_fix(tensor_map):
    while not (verdict := tensor_map.check()).accepted:
        name, value = next(broken.fix for broken in verdict.broken if broken.fix)
        tensor_map = replace(tensor_map, **{name: value})
    return tensor_map


def mended_by_the_verdict_itself(tensor_map):
    return tensor_map.check().mended


def only_the_first_fix(tensor_map):
    for broken in tensor_map.check().broken[:1]:
        return replace(tensor_map, **dict([broken.fix]))
    return tensor_map


def replaced_and_thrown_away(tensor_map):
    for broken in tensor_map.check().broken:
        replace(tensor_map, **dict([broken.fix]))
    return tensor_map


def each_fix_on_the_first_call(tensor_map):
    result = tensor_map
    for broken in tensor_map.check().broken:
        result = replace(tensor_map, **dict([broken.fix]))
    return result


def the_verdict_instead(tensor_map):
    return tensor_map.check()


def set_in_place(tensor_map):
    for broken in tensor_map.check().broken:
        setattr(tensor_map, *broken.fix)
    return tensor_map


def every_call_made_the_same_in_place(tensor_map):
    for name, value in vars(GOOD_CALL).items():
        object.__setattr__(tensor_map, name, value)
    return tensor_map


def with_its_swizzle_lost(tensor_map):
    return replace(mended(tensor_map), swizzle=Swizzle.NONE)


MENDED_MISTAKES = [
    (only_the_first_fix, "The driver still refuses it: rules broken: 2.", "refused with CUDA_ERROR_INVALID_VALUE"),
    (replaced_and_thrown_away, "global_address is 0x7f0000000008 and should be 0x7f0000000010. Nothing was changed"),
    (each_fix_on_the_first_call, "The driver still refuses it"),
    (the_verdict_instead, "returned a Verdict, not a TiledTensorMap"),
    (set_in_place, "raised FrozenInstanceError"),
    (every_call_made_the_same_in_place, "global_address is"),
    (with_its_swizzle_lost, "swizzle is"),
]


def telling_matrix(rows, columns, box_rows, box_columns):
    return np.random.default_rng(0).integers(0, 256, (rows, columns), dtype=np.uint8)


def tiles_that_carry_their_number(rows, columns, box_rows, box_columns):
    matrix = np.zeros((rows, columns), np.uint8)
    for row in range(rows // box_rows):
        for column in range(columns // box_columns):
            number = row * (columns // box_columns) + column
            matrix[row * box_rows, column * box_columns : column * box_columns + 2] = divmod(number, 256)
    return matrix


def counted(rows, columns, box_rows, box_columns):
    return np.arange(rows * columns).astype(np.uint8).reshape(rows, columns)


def ones(rows, columns, box_rows, box_columns):
    return np.ones((rows, columns), np.uint8)


def tile_number_in_one_byte(rows, columns, box_rows, box_columns):
    row, column = np.indices((rows, columns))
    return (row // box_rows * (columns // box_columns) + column // box_columns).astype(np.uint8)


def float_instead(rows, columns, box_rows, box_columns):
    return np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)


class Unlike(np.ndarray):
    """An array that never gives the same bytes twice."""

    def tobytes(self, *_):
        return repr(object()).encode()


def zeros_that_look_unlike(rows, columns, box_rows, box_columns):
    return np.zeros((rows, columns), np.uint8).view(Unlike)


def turned_round(rows, columns, box_rows, box_columns):
    return telling_matrix(columns, rows, box_columns, box_rows)


def a_list(rows, columns, box_rows, box_columns):
    return telling_matrix(rows, columns, box_rows, box_columns).tolist()


TELLING_MISTAKES = [
    (
        counted,
        "tile (0, 0) and tile (0, 4) hold the same bytes",
        "All 8 first bytes are equal: tile (0, 0) = tile (0, 4).",
    ),
    (ones, "tile (0, 0) and tile (16, 0) hold the same bytes"),
    (ones, "A tile is named by the column and the row of its first element."),
    (tile_number_in_one_byte, "for rows=64, columns=512, box_rows=4, box_columns=16: tile (0, 0) and tile (0, 32)"),
    (float_instead, "returned float32, not an array of uint8"),
    (turned_round, "the shape is (64, 16) and should be (16, 64)"),
    (a_list, "returned list, not an array of uint8"),
    (zeros_that_look_unlike, "tile (0, 0) and tile (16, 0) hold the same bytes"),
]


TASKS = [
    (check_tile_map, [tile_map, tile_map_with_numpy_integers_and_every_default], TILE_MAP_MISTAKES),
    (check_words_that_differ, [words_that_differ, words_by_numpy_from_the_last, words_lazily], WORDS_MISTAKES),
    (check_mended, [mended, mended_by_asking_again_after_each_fix, mended_by_the_verdict_itself], MENDED_MISTAKES),
    (check_telling_matrix, [telling_matrix, tiles_that_carry_their_number], TELLING_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


def test_a_call_that_is_still_refused_is_shown_as_a_verdict():
    assert "refused: CUDA_ERROR_INVALID_VALUE (1)" in check_mended(only_the_first_fix).picture.svg


def test_the_sentence_on_two_equal_tiles_stands_last_below_them():
    assert check_telling_matrix(counted).picture.text.endswith(
        "All 8 first bytes are equal: tile (0, 0) = tile (0, 4)."
    )


def test_another_seed_asks_other_questions():
    asked = []
    for seed in (1, 2):
        matrices = []
        check_tile_map(lambda **matrix: matrices.append(matrix) or tile_map(**matrix), seed=seed)  # noqa: B023
        asked.append(matrices)
    assert asked[0][0] == asked[1][0]
    assert asked[0][1:] != asked[1][1:]


def break_at(*names):
    """Every call that is broken at these arguments."""
    for values in product(*(BREAKS[name] for name in names)):
        yield replace(GOOD_CALL, **dict(zip(names, values, strict=True)))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_call_that_a_class_seed_can_draw_is_mended_by_its_fixes_in_whatever_way_they_are_applied(count):
    for call in chain.from_iterable(break_at(*names) for names in combinations(BREAKS, count)):
        assert all(broken.fix for broken in call.check().broken)
        assert mended(call) == mended_by_asking_again_after_each_fix(call) == call.check().mended
        assert mended(call).check().accepted


def test_the_calls_of_real_reports_are_refused_and_can_be_mended():
    for call in islice(calls_to_mend(0), 3, 6):
        assert not call.check().accepted
        assert call.check().mended.check().accepted


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BREAKS.items() for value in values])
def test_every_break_breaks_a_rule_of_its_own_argument(name, value):
    verdict = replace(GOOD_CALL, **{name: value}).check()
    assert [broken.field for broken in verdict.broken] == [name]
