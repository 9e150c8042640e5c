"""The checks of exercise 00, proved four ways: untouched, mistaken, solved, and solved in other words."""

import numpy as np
import pytest

from course_lib.checks.lesson_00 import check_tile_map, check_words_that_differ
from course_lib.model.enums import DataType, Swizzle
from course_lib.model.tensor_map import TiledTensorMap
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
    (stride_in_elements, "global_strides is (1024,) and should be (2048,)"),
    (box_rows_first, "box_dim is (64, 32) and should be (32, 64)"),
    (swizzled, "swizzle is"),
    (bytes_instead, "returned a bytes, not a TiledTensorMap"),
]


def words_that_differ(ours, theirs):
    return [i for i in range(16) if ours[8 * i : 8 * i + 8] != theirs[8 * i : 8 * i + 8]]


def words_by_numpy_from_the_last(ours, theirs):
    a, b = (np.frombuffer(data, dtype="<u8") for data in (ours, theirs))
    return np.flatnonzero(a != b)[::-1]


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
    (only_the_first, "Some are missing."),
    (words_of_32_bits, "the words that differ are"),
    (yes_or_no, "returned True, not a list of word numbers"),
]


TASKS = [
    (check_tile_map, [tile_map, tile_map_with_numpy_integers_and_every_default], TILE_MAP_MISTAKES),
    (check_words_that_differ, [words_that_differ, words_by_numpy_from_the_last], WORDS_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


@pytest.mark.parametrize(
    ("check", "answer"), [(check_tile_map, stride_in_elements), (check_words_that_differ, only_the_first)]
)
def test_a_mistake_is_shown_in_the_sixteen_words(check, answer):
    assert "First difference: byte" in str(check(answer))


def test_another_seed_asks_other_questions():
    asked = []
    for seed in (1, 2):
        matrices = []
        check_tile_map(lambda **matrix: matrices.append(matrix) or tile_map(**matrix), seed=seed)  # noqa: B023
        asked.append(matrices)
    assert asked[0][0] == asked[1][0]
    assert asked[0][1:] != asked[1][1:]
