"""The checks of exercise 04: addresses, views as encode calls, and a box loaded by hand."""

from functools import partial
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_04.questions import (
    box_bytes,
    inside_loads,
    recorded_loads,
    right_addresses,
    spoilt_views,
    views,
)
from course_lib.checks.lesson_04.slips import address_slip, count_slip, dimension_slip, map_slip, stride_slip, why_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import as_integer, as_map, as_shape, as_two_integers, as_word, quote_all
from course_lib.checks.shared.pictures import draw_if_it_fits
from course_lib.draw import box_picture, compare_values
from course_lib.model.call.sizes import element_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.call.views import tensor_map_of_array
from course_lib.model.facts.enums import DataType
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, source_bytes
from course_lib.rows.row import Row

WORDS = ("", "last axis", "start", "stride")
draw_box = partial(draw_if_it_fits, box_picture)


@check("every element is found, in global memory and in the box.")
def check_addresses(answer: Answer, seed: int) -> None:
    """Task 1: `addresses(tensor_map, coordinates, index)` gives (global byte, byte in the box)."""
    draw = Random(seed)
    for row in inside_loads(seed):
        m = tiled_map_of(row)
        for index in ((0,) * m.rank, *(tuple(draw.randrange(b) for b in m.box_dim) for _ in range(3))):
            got = ask(answer, m, tuple(row["coordinates"]), index)
            ours = as_two_integers(got, "(global byte, byte in the box)", "a global byte", "a byte of the box")
            right, number = right_addresses(m, row["coordinates"], index)
            if ours != right:
                picture = draw_box(m, row["coordinates"], number)
                said = f"{load_words(m, row)}, index {index}: yours is {ours}, right is {right}. {address_slip(ours, right, m)}"
                raise Wrong(said, picture)


@check("shape and strides of every view are in the driver's terms.")
def check_shape_of_view(answer: Answer, seed: int) -> None:
    """Task 2: `shape_of_view(array)` gives (global_dim, global_strides): elements and bytes, innermost first."""
    for question in views(seed):
        dims, strides = as_shape(ask(answer, question.array))
        right = tensor_map_of_array(question.array, question.array.shape, question.memory)
        if dims != tuple(right.global_dim):
            raise argument_difference(question.words, "global_dim", dims, right.global_dim, dimension_slip(dims, right))
        must_be_strides(question.words, strides, right)


@check("for every view you know what stands in its way.")
def check_why_not(answer: Answer, seed: int) -> None:
    """Task 3: `why_not(array, address)` gives "", "last axis", "start" or "stride"."""
    for question, right in spoilt_views(seed):
        address = int(question.array.__array_interface__["data"][0] - question.memory.__array_interface__["data"][0])
        got = as_word(ask(answer, question.array, address), WORDS, f", not one of {quote_all(WORDS)}.")
        if got != right:
            picture = compare_values([got or "possible"], [right or "possible"], ("yours", "right"), "answers")
            raise Wrong(f"{question.words} at address {address}. {why_slip(question.array, address, right)}", picture)


@check("every view becomes the call that means it.")
def check_map_of_view(answer: Answer, seed: int) -> None:
    """Task 4: `map_of_view(array, box, memory)` gives the TiledTensorMap of a view."""
    for question in views(seed):
        box = tuple(max(1, size - number % 2) for number, size in enumerate(question.array.shape))
        got = as_map(ask(answer, question.array, box, question.memory))
        right = tensor_map_of_array(question.array, box, question.memory)
        for name in ("data_type", "global_address", "global_dim", "box_dim"):
            ours, theirs = getattr(got, name), getattr(right, name)
            if ours != theirs:
                raise argument_difference(
                    question.words, name, list_values(ours), list_values(theirs), map_slip(name, got, right)
                )
        must_be_strides(question.words, tuple(got.global_strides), right)
        for name in ("element_strides", "interleave", "swizzle", "oob_fill"):
            ours, theirs = getattr(got, name), getattr(right, name)
            if ours != theirs:
                slip = "A plain copy of a view leaves it out."
                raise argument_difference(question.words, name, list_values(ours), list_values(theirs), slip)


@check("every count is the one at which the H200's barrier completed.")
def check_bytes_of_copy(answer: Answer, seed: int) -> None:
    """Task 5: `bytes_of_copy(tensor_map)` gives what the barrier counts."""
    for row in recorded_loads(seed):
        m = tiled_map_of(row)
        got, right = as_integer(ask(answer, m), "a count of bytes"), row["transaction_bytes"]
        if got != right:
            case_words = f"box_dim={m.box_dim}, element_strides={m.element_strides}, {DataType(m.data_type).name}"
            picture = draw_box(m, (0,) * m.rank, -1) or compare_values([got], [right], ("yours", "H200"), "bytes")
            raise Wrong(f"for {case_words}: yours is {got}, the barrier counted {right}. {count_slip(got, m)}", picture)


@check("every byte of every box is the one that the H200 brought.")
def check_load_box(answer: Answer, seed: int) -> None:
    """Task 6: `load_box(tensor_map, coordinates, memory)` gives the bytes of a box, zero outside."""
    for row in recorded_loads(seed):
        m = tiled_map_of(row)
        memory = source_bytes(row["seed"], GLOBAL_BYTES_OF_LOADS)
        ours = as_bytes(ask(answer, m, tuple(row["coordinates"]), memory))
        right = box_bytes(row, memory)
        if ours.size != right.size:
            raise Wrong(f"{load_words(m, row)}: yours has {ours.size} bytes, the box has {right.size}.")
        if (ours != right).any():
            raise first_wrong_element(m, row, ours, right)


def first_wrong_element(m: TiledTensorMap, row: Row, ours: NDArray[np.uint8], right: NDArray[np.uint8]) -> Wrong:
    """Where a box parts from the H200's, by element."""
    size = element_bytes(m)
    number = int(np.flatnonzero(ours != right)[0]) // size
    mine, theirs = (part[number * size : (number + 1) * size].tobytes().hex() for part in (ours, right))
    picture = draw_box(m, row["coordinates"], number) or compare_values([mine], [theirs], ("yours", "H200"), "elements")
    said = f"{load_words(m, row)}: element number {number} holds {mine}, the H200 brought {theirs}."
    return Wrong(f"{said}{' It is marked in the picture.' if picture else ''}", picture)


def load_words(m: TiledTensorMap, row: Row) -> str:
    """A copy in words."""
    steps = f", element_strides={m.element_strides}" if set(m.element_strides) != {1} else ""
    size = f"global_dim={m.global_dim}, global_strides={m.global_strides}, box_dim={m.box_dim}{steps}"
    return f"for {size}, {DataType(m.data_type).name}, coordinates {tuple(row['coordinates'])}"


def must_be_strides(words: str, got: tuple[int, ...], right: TiledTensorMap) -> None:
    """Wrong where a stride is not the view's; on an axis of size 1 any that the driver takes will do."""
    wanted = tuple(right.global_strides)
    if len(got) != len(wanted):
        slip = f"A map of rank {right.rank} has {len(wanted)} strides: that of the innermost dimension is not given."
        raise argument_difference(words, "global_strides", got, wanted, slip)
    for size, ours, theirs in zip(right.global_dim[1:], got, wanted, strict=True):
        if size == 1 and (ours % 16 or not 0 <= ours < 2**40):
            slip = "The driver checks the stride of an axis of size 1 as well: give it a multiple of 16."
            raise argument_difference(words, "global_strides", got, wanted, slip)
        if size != 1 and ours != theirs:
            raise argument_difference(words, "global_strides", got, wanted, stride_slip(got, right))


def argument_difference(words: str, name: str, got: Any, right: Any, slip: str) -> Wrong:
    """One argument beside the right one."""
    picture = compare_values(got, right, ("yours", "right"), f"entries of {name}")
    return Wrong(f"for {words}: {name} is {values_text(got)}, right is {values_text(right)}. {slip}", picture)


def list_values(value: Any) -> tuple[Any, ...]:
    """One value or several, for a list."""
    return tuple(value) if isinstance(value, tuple) else (value,)


def values_text(values: Any) -> str:
    """Values in a sentence."""
    shown = [getattr(value, "name", value) for value in values]
    return f"({', '.join(map(str, shown))})"


def as_bytes(got: Any) -> NDArray[np.uint8]:
    """What a learner returned as bytes: bytes, or an array of any type; Wrong where it is neither."""
    if isinstance(got, (bytes, bytearray, memoryview)):
        return np.frombuffer(bytes(got), np.uint8)
    if not isinstance(got, np.ndarray) or got.dtype.hasobject:
        raise Wrong(f"the function returned something of type {type(got).__name__}, not bytes or an array.")
    return np.ascontiguousarray(got).reshape(-1).view(np.uint8)
