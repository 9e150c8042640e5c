"""Strided arrays: the addresses are NumPy's, for every layout."""

from itertools import permutations

import numpy as np
import pytest

from course_lib.model.call.strided import Strided, dense_strides

BASE = 512
VIEWS = {
    "dense": lambda a: a,
    "a transpose": lambda a: a.transpose(2, 0, 1),
    "every second": lambda a: a[:, ::2, 1:],
    "backwards": lambda a: a[::-1, :, ::-1],
    "one row for all": lambda a: np.broadcast_to(a[:, :1, :], a.shape),
    "windows": lambda a: np.lib.stride_tricks.sliding_window_view(a[0, 0], 3),
    "one element": lambda a: a[1:2, 2:3, 3:4],
}


def described(view, memory):
    start = view.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    return Strided(view.shape, view.strides, view.itemsize, start)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, np.float64])
@pytest.mark.parametrize("name", VIEWS)
def test_every_element_lies_where_numpy_finds_it(name, dtype):
    memory = np.random.default_rng(1).integers(0, 256, 4096, np.uint8)
    array = np.ndarray((3, 5, 8), dtype, memory, BASE)
    view = VIEWS[name](array)
    strided = described(view, memory)
    for index in strided.indices():
        taken = strided.bytes_of(index)
        assert memory[taken.start : taken.stop].tobytes() == view[index].tobytes()
        assert taken[0] in strided.span
        assert taken[-1] in strided.span


@pytest.mark.parametrize("name", VIEWS)
def test_the_span_is_no_larger_than_it_must_be(name):
    memory = np.zeros(4096, np.uint8)
    strided = described(VIEWS[name](np.ndarray((3, 5, 8), np.float32, memory, BASE)), memory)
    taken = {at for index in strided.indices() for at in strided.bytes_of(index)}
    assert (min(taken), max(taken)) == (strided.span[0], strided.span[-1])


@pytest.mark.parametrize("shape", sorted(set(permutations((1, 4, 6)))))
def test_the_order_is_numpys(shape):
    for order in "CF":
        array = np.zeros(shape, np.float32, order)
        rows, columns = array.flags.c_contiguous, array.flags.f_contiguous
        said = {(1, 1): "both", (1, 0): "row-major", (0, 1): "column-major"}[rows, columns]
        assert Strided(shape, array.strides, 4).order == said


@pytest.mark.parametrize(
    ("strides", "order"),
    [
        ((48, 4), "row-major with gaps"),
        ((24, 8), "neither"),
        ((48, 8), "row-major with gaps"),
        ((4, 16), "column-major"),
        ((4, 24), "column-major with gaps"),
        ((0, 4), "neither"),
        ((24, -4), "neither"),
        ((12, 4), "neither"),
    ],
)
def test_gaps_keep_the_order_and_overlaps_end_it(strides, order):
    assert Strided((4, 6), strides, 4).order == order


def test_dense_strides_are_numpys():
    assert dense_strides((3, 5, 8), 4) == np.zeros((3, 5, 8), np.float32).strides
    assert dense_strides((), 4) == ()


def test_an_index_outside_is_an_error_and_not_an_address():
    for index in ((4, 0), (0, 8), (-1, 0), (0,), (0, 0, 0)):
        with pytest.raises(IndexError, match="lies outside the shape"):
            Strided((4, 8), (32, 4), 4).address(index)


@pytest.mark.parametrize(("shape", "strides"), [((4, 8), (4,)), ((0, 8), (32, 4))])
def test_what_is_no_array_is_refused(shape, strides):
    with pytest.raises(ValueError, match=r"as many are needed|at least one element"):
        Strided(shape, strides, 4)
