"""The checks of exercise 04, proved four ways: untouched, mistaken, solved, and solved in other words."""

from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
import pytest

from course_lib.checks.lesson_04 import checks as lesson_04
from course_lib.checks.lesson_04.questions import box_bytes, plain_rows, recorded_loads, spoilt_views, views
from course_lib.model.call.sizes import descriptor_box_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.call.views import outer_strides, tensor_map_of_array
from course_lib.model.copy.transfer import load
from course_lib.model.facts.enums import DataType
from course_lib.recordings import source_bytes
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import digest
from tests.checks.four_ways import FourWays

# Task 1: one element


def addresses(m, coordinates, index, *, base=True, pitch=None, unit=1):
    size = m.data_type.size_bytes
    strides = (size, *m.global_strides)
    there = m.global_address * base + sum((c + i) * s for c, i, s in zip(coordinates, index, strides, strict=True))
    within = pitch or [size * prod(m.box_dim[:d]) for d in range(m.rank)]
    return there, sum(i * w for i, w in zip(index, within, strict=True)) // unit


def addresses_by_numpy(m, coordinates, index):
    strides = np.array([m.data_type.size_bytes, *m.global_strides])
    number = np.ravel_multi_index(index[::-1], m.box_dim[::-1])
    there = m.global_address + (np.array(coordinates) + np.array(index)) @ strides
    return [np.int64(there), np.int64(number) * m.data_type.size_bytes]


ADDRESS_MISTAKES = [
    (lambda m, c, i: addresses(m, c, i, base=False), "The tensor begins at global_address."),
    (
        lambda m, c, i: addresses(m, c, i, unit=m.data_type.size_bytes),
        "Yours counts elements in the box",
        "of global memory, byte",
    ),
    (
        lambda m, c, i: addresses(m, c, i, pitch=(m.data_type.size_bytes, *m.global_strides)),
        "In the box the rows lie close",
    ),
    (lambda m, c, i: addresses(m, (0,) * m.rank, i), "yours is"),
    (lambda m, c, i: addresses(m, c, i)[0], "not the pair (global byte, byte in the box)"),
]

# Task 2: the shape of a view


def shape_of_view(array, *, unit=1):
    strides = zip(array.shape[-2::-1], array.strides[-2::-1], strict=True)
    return array.shape[::-1], tuple(0 if size == 1 else stride // unit for size, stride in strides)


def shape_of_view_with_dense_strides(array):
    return np.array(array.shape[::-1]), list(outer_strides(array))


def strides_as_they_are(array):
    return array.shape[::-1], array.strides[-2::-1]


def dense_strides(array):
    return array.shape[::-1], np.zeros(array.shape, array.dtype).strides[-2::-1]


SHAPE_MISTAKES = [
    (lambda array: (array.shape, shape_of_view(array)[1]), "The innermost dimension comes first."),
    (lambda array: shape_of_view(array, unit=array.itemsize), "Yours counts elements; wanted are bytes."),
    (lambda array: (array.shape[::-1], array.strides[::-1]), "that of the innermost dimension is not given."),
    (strides_as_they_are, "The driver checks the stride of an axis of size 1 as well", "First difference: number"),
    (dense_strides, "They are the view's own, not dense ones."),
    (lambda array: (array.shape[::-1], array.strides[:-1]), "The innermost stride comes first."),
]

# Task 3: what stands in the way


def why_not(array, address, *, size_one=False, negative=True, inner=None):
    pairs = list(zip(array.shape, array.strides, strict=True))
    if array.shape[-1] > 1 and array.strides[-1] != (inner or array.itemsize):
        return "last axis"
    if address % 16:
        return "start"
    bad = [s for n, s in pairs[:-1] if (n > 1 or size_one) and (s % 16 or (negative and s < 0))]
    return "stride" if bad else ""


def why_not_by_the_model(array, address):
    flat = np.zeros(1 << 16, np.uint8)
    same = np.ndarray(array.shape, array.dtype, flat, 0, (0,) * array.ndim)
    if array.shape[-1] > 1 and array.strides[-1] != array.itemsize:
        return "last axis"
    m = TiledTensorMap(
        data_type=DataType[array.dtype.name.upper()],
        global_address=address,
        global_dim=same.shape[::-1],
        global_strides=[0 if n == 1 else s for n, s in zip(array.shape[-2::-1], array.strides[-2::-1], strict=True)],
        box_dim=(16 // array.itemsize, *(1,) * (array.ndim - 1)),
    )
    fields = [finding.field for finding in m.check().broken]
    return "start" if "global_address" in fields else "stride" if fields else ""


WHY_MISTAKES = [
    (lambda array, address: why_not(array, address, size_one=True), "Nothing stands in its way."),
    (lambda array, address: why_not(array, address, negative=False), "is no multiple of 16, or negative."),
    (lambda array, address: why_not(array, 0), "bytes past a multiple of 16.", "yours possible, right start"),
    (lambda array, address: why_not(array, address, inner=array.strides[-1]), "Its last axis steps by"),
    (lambda array, address: why_not(array, address) == "", "not one of '', 'last axis', 'start', 'stride'"),
    (lambda array, address: why_not(array, address % 8), "bytes past a multiple of 16."),
    (lambda array, address: (why_not(array, address) and why_not(array, 0)) or why_not(array, address), "bytes past"),
    (lambda array, address: np.array(array.shape), "not one of '', 'last axis', 'start', 'stride'"),
]

# Task 4: the whole call


def map_of_view(array, box, memory, **changed):
    dims, strides = shape_of_view(array)
    start, base = (part.__array_interface__["data"][0] for part in (array, memory))
    given = {
        "data_type": DataType[array.dtype.name.upper()],
        "global_address": start - base,
        "global_dim": dims,
        "global_strides": strides,
        "box_dim": box[::-1],
    }
    return TiledTensorMap(**(given | changed))


MAP_MISTAKES = [
    (
        lambda a, box, memory: map_of_view(a, box, memory, global_address=0),
        "the distance of the view's first element",
        "First difference: number 0: yours 0, right 640.",
    ),
    (lambda a, box, memory: map_of_view(a, box, memory, box_dim=box), "The innermost dimension comes first."),
    (lambda a, box, memory: map_of_view(a, box, memory, global_strides=dense_strides(a)[1]), "the view's own"),
    (lambda a, box, memory: map_of_view(a, box, memory, data_type=7), "data_type is (FLOAT32), right is (FLOAT16)"),
    (lambda a, box, memory: vars(map_of_view(a, box, memory)), "of type dict, not a TiledTensorMap"),
    (
        lambda *view: replace(tensor_map_of_array(*view[:2], view[2]), swizzle=3),
        "A plain copy of a view leaves it out.",
    ),
    (lambda *view: replace(tensor_map_of_array(*view), oob_fill=1), "oob_fill is (NAN_REQUEST_ZERO_FMA)"),
    (lambda *view: replace(tensor_map_of_array(*view), element_strides=(2,) * view[0].ndim), "element_strides is (2"),
]

# Task 5: the bytes of a copy


def bytes_of_copy(m):
    return (
        len(range(0, m.box_dim[0]))
        * m.data_type.size_bytes
        * prod(len(range(0, box, step)) for box, step in zip(m.box_dim[1:], m.element_strides[1:], strict=True))
    )


def bytes_by_numpy(m):
    steps = np.array((1, *m.element_strides[1:]))
    return (-(-np.array(m.box_dim) // steps)).prod() * np.int64(m.data_type.size_bytes)


def first_entry_divided(m):
    pairs = zip(m.box_dim, m.element_strides, strict=True)
    return prod(-(-box // step) for box, step in pairs) * m.data_type.size_bytes


COUNT_MISTAKES = [
    (descriptor_box_bytes, "Yours is rounded down"),
    (first_entry_divided, "The copy ignores element_strides[0].", "bytes in shared memory"),
    (lambda m: prod(m.box_dim) * m.data_type.size_bytes, "divided by its element stride"),
    (lambda m: bytes_of_copy(m) // m.data_type.size_bytes, "Yours counts elements; wanted are bytes."),
    (lambda m: float(bytes_of_copy(m)), "not a count of bytes as an integer"),
]

# Task 6: load a box by hand


def load_box(m, coordinates, memory, *, steps=None, order=-1, fill=True):
    size, strides = m.data_type.size_bytes, (m.data_type.size_bytes, *m.global_strides)
    steps = steps or (1, *m.element_strides[1:])
    along = [range(c, c + b, s) for c, b, s in zip(coordinates, m.box_dim, steps, strict=True)]
    box = b""
    for backwards in product(*along[::order]):
        position = backwards[::order]
        at = m.global_address + sum(p * s for p, s in zip(position, strides, strict=True))
        inside = all(0 <= p < n for p, n in zip(position, m.global_dim, strict=True)) or not fill
        box += memory[at : at + size].tobytes().ljust(size, b"\0") if inside else bytes(size)
    return box


def load_box_with_the_library(m, coordinates, memory):
    shared = np.zeros(transaction_bytes(m), np.uint8)
    load(m, coordinates, memory, shared)
    return shared.view(m.data_type.facts.carrier).reshape(-1, m.box_dim[0])


def load_box_by_numpy(m, coordinates, memory):
    where = [
        c + np.arange(0, b, s) for c, b, s in zip(coordinates, m.box_dim, (1, *m.element_strides[1:]), strict=True)
    ]
    grid = np.meshgrid(*where[::-1], indexing="ij")[::-1]
    inside = np.all([(g >= 0) & (g < n) for g, n in zip(grid, m.global_dim, strict=True)], axis=0)
    strides = (m.data_type.size_bytes, *m.global_strides)
    at = m.global_address + sum(g * s for g, s in zip(grid, strides, strict=True))
    bytes_at = np.where(inside, at, 0)[..., None] + np.arange(strides[0])
    return memory[bytes_at] * inside[..., None].astype(np.uint8)


LOAD_MISTAKES = [
    (lambda m, c, memory: load_box(m, c, memory, order=1), "It is marked in the picture.", "of the box"),
    (lambda m, c, memory: load_box(m, c, memory, fill=False), "the H200 brought 00000000"),
    (lambda m, c, memory: load_box(m, c, memory, steps=m.element_strides), "bytes, the box has"),
    (lambda m, c, memory: load_box(m, (0,) * m.rank, memory), "element number 0 holds"),
    (lambda m, c, memory: list(load_box(m, c, memory)), "of type list, not bytes or an array"),
    (lambda m, coordinates, memory: np.array([None]), "not bytes or an array"),
]

TASKS = [
    (
        lesson_04.check_addresses,
        [addresses, addresses_by_numpy, lambda *given: np.array(addresses(*given))],
        ADDRESS_MISTAKES,
    ),
    (lesson_04.check_shape_of_view, [shape_of_view, shape_of_view_with_dense_strides], SHAPE_MISTAKES),
    (lesson_04.check_why_not, [why_not, why_not_by_the_model], WHY_MISTAKES),
    (lesson_04.check_map_of_view, [map_of_view, tensor_map_of_array], MAP_MISTAKES),
    (lesson_04.check_bytes_of_copy, [bytes_of_copy, bytes_by_numpy, transaction_bytes], COUNT_MISTAKES),
    (
        lesson_04.check_load_box,
        [load_box, load_box_with_the_library, load_box_by_numpy, lambda *given: memoryview(load_box(*given))],
        LOAD_MISTAKES,
    ),
]


class TestEachTask(FourWays):
    tasks = TASKS


@pytest.mark.parametrize("seed", range(3))
def test_the_boxes_asked_for_are_what_the_h200_brought(seed):
    for row in recorded_loads(seed):
        window = np.full(row["window_bytes"], 0xCD, np.uint8)
        box = box_bytes(row, source_bytes(row["seed"], 4 << 20))
        window[: box.size] = box
        assert digest(window) == row["blake2b_96"]
        assert row["status"] == 1
        assert row["transaction_bytes"] == box.size


def test_every_rank_every_word_and_both_kinds_of_rows_are_asked_for():
    assert {tensor_map_of(row).rank for row in recorded_loads(5)} == {1, 2, 3, 4, 5}
    assert {word for _, word in spoilt_views(5)} == {"", "last axis", "start", "stride"}
    assert len(plain_rows()[0]) > 60
    assert len(plain_rows()[1]) > 500


@pytest.mark.parametrize("seed", range(20))
def test_every_view_asked_for_is_one_that_the_driver_takes(seed):
    for question in views(seed):
        m = tensor_map_of_array(question.array, question.array.shape, question.memory)
        assert {finding.field for finding in m.check().broken} <= {"box_dim"}


def test_another_seed_asks_about_other_views():
    first, second = ([question.words for question in views(seed)][10:] for seed in (1, 2))
    assert first != second
