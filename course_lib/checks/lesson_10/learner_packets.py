"""What exercise 10 takes for an array, a fetch and a pair of truth values; Wrong where it is none."""

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.shared.base import Wrong
from course_lib.checks.shared.learner_values import as_two, is_truth, must_be


def as_array(got: Any, shape: tuple[int, ...], of: tuple[int, ...] | None, kind: Any) -> NDArray[Any]:
    """A learner's array, of a type of its own where it is one, of ``kind`` where it is a list; Wrong for another shape."""
    try:
        array = np.asarray(got, None if hasattr(got, "dtype") else kind)
    except (TypeError, ValueError, OverflowError):
        raise Wrong("the function returned no array of numbers.") from None
    if array.shape != shape:
        about = f"values {of}" if of else "this box"
        raise Wrong(f"{about}: the result has the shape {shape}; yours has {array.shape}.")
    if array.dtype.kind == "i" and array.dtype.itemsize == np.dtype(kind).itemsize:
        return np.ascontiguousarray(array).view(kind)
    return array


def as_fetch(got: Any) -> tuple[list[tuple[int, ...]], int]:
    """A learner's coordinates and count; Wrong where they are none."""
    what = "(list of coordinates, bytes)"
    where, count = as_two(got, what)
    with must_be(got, what):
        return [tuple(map(index, place)) for place in where], index(count)


def as_truths(got: Any) -> tuple[bool, bool]:
    """A learner's pair of truth values; Wrong where it is none."""
    first, second = as_two(got, "of True or False")
    if not (is_truth(first) and is_truth(second)):
        raise Wrong(f"the function returned {got!r}, not the pair of True or False.")
    return bool(first), bool(second)
