"""The checks of exercise 04: addresses, views as encode calls, and a box loaded by hand."""

from functools import partial
from math import prod
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_04.questions import Row, box_bytes, inside_boxes, recorded_boxes, spoilt_views, views
from course_lib.checks.shared.answers import as_integer, as_map, as_shape, as_two_integers, as_word, quote_all
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.pictures import draw_if_it_fits
from course_lib.draw import box_picture, compare_values
from course_lib.model.call.sizes import ceil_div, descriptor_box_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.call.views import tensor_map_of_array
from course_lib.model.facts.enums import DataType
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, source_bytes

WORDS = ("", "last axis", "start", "stride")
draw_box = partial(draw_if_it_fits, box_picture)


@check("every element is found, in global memory and in the box.")
def check_addresses(answer: Answer, seed: int) -> None:
    """Task 1: `addresses(tensor_map, coordinates, index)` gives (global byte, byte in the box)."""
    draw = Random(seed)
    for row in inside_boxes(seed):
        m: Any = tensor_map_of(row)
        for index in ((0,) * m.rank, *(tuple(draw.randrange(b) for b in m.box_dim) for _ in range(3))):
            got = ask(answer, m, tuple(row["coordinates"]), index)
            ours = as_two_integers(got, "(global byte, byte in the box)", "a global byte", "a byte of the box")
            right, number = right_addresses(m, row["coordinates"], index)
            if ours != right:
                picture = draw_box(m, row["coordinates"], number)
                said = (
                    f"{case(m, row)}, index {index}: yours is {ours}, right is {right}. {address_slip(ours, right, m)}"
                )
                raise Wrong(said, picture)


@check("shape and strides of every view are in the driver's terms.")
def check_shape_of_view(answer: Answer, seed: int) -> None:
    """Task 2: `shape_of_view(array)` gives (global_dim, global_strides): elements and bytes, innermost first."""
    for question in views(seed):
        dims, strides = as_shape(ask(answer, question.array))
        right = tensor_map_of_array(question.array, question.array.shape, question.memory)
        if dims != tuple(right.global_dim):
            raise apart(question.words, "global_dim", dims, right.global_dim, dimension_slip(dims, right))
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
                raise apart(question.words, name, listed(ours), listed(theirs), map_slip(name, got, right))
        must_be_strides(question.words, tuple(got.global_strides), right)
        for name in ("element_strides", "interleave", "swizzle", "oob_fill"):
            ours, theirs = getattr(got, name), getattr(right, name)
            if ours != theirs:
                slip = "A plain copy of a view leaves it out."
                raise apart(question.words, name, listed(ours), listed(theirs), slip)


@check("every count is the one at which the H200's barrier completed.")
def check_bytes_of_copy(answer: Answer, seed: int) -> None:
    """Task 5: `bytes_of_copy(tensor_map)` gives what the barrier counts."""
    for row in recorded_boxes(seed):
        m: Any = tensor_map_of(row)
        got, right = as_integer(ask(answer, m), "a count of bytes"), row["transaction_bytes"]
        if got != right:
            case_words = f"box_dim={m.box_dim}, element_strides={m.element_strides}, {m.data_type.name}"
            picture = draw_box(m, (0,) * m.rank, -1) or compare_values([got], [right], ("yours", "H200"), "bytes")
            raise Wrong(f"for {case_words}: yours is {got}, the barrier counted {right}. {count_slip(got, m)}", picture)


@check("every byte of every box is the one that the H200 brought.")
def check_load_box(answer: Answer, seed: int) -> None:
    """Task 6: `load_box(tensor_map, coordinates, memory)` gives the bytes of a box, zero outside."""
    for row in recorded_boxes(seed):
        m: Any = tensor_map_of(row)
        memory = source_bytes(row["seed"], GLOBAL_BYTES_OF_LOADS)
        ours = as_bytes(ask(answer, m, tuple(row["coordinates"]), memory))
        right = box_bytes(row, memory)
        if ours.size != right.size:
            raise Wrong(f"{case(m, row)}: yours has {ours.size} bytes, the box has {right.size}.")
        if (ours != right).any():
            raise first_wrong_element(m, row, ours, right)


def first_wrong_element(m: Any, row: Row, ours: NDArray[np.uint8], right: NDArray[np.uint8]) -> Wrong:
    """Where a box parts from the H200's, by element."""
    size = m.data_type.size_bytes
    number = int(np.flatnonzero(ours != right)[0]) // size
    mine, theirs = (part[number * size : (number + 1) * size].tobytes().hex() for part in (ours, right))
    picture = draw_box(m, row["coordinates"], number) or compare_values([mine], [theirs], ("yours", "H200"), "elements")
    said = f"{case(m, row)}: element number {number} holds {mine}, the H200 brought {theirs}."
    return Wrong(f"{said}{' It is marked in the picture.' if picture else ''}", picture)


def case(m: Any, row: Row) -> str:
    """A copy in words."""
    steps = f", element_strides={m.element_strides}" if set(m.element_strides) != {1} else ""
    size = f"global_dim={m.global_dim}, global_strides={m.global_strides}, box_dim={m.box_dim}{steps}"
    return f"for {size}, {m.data_type.name}, coordinates {tuple(row['coordinates'])}"


def right_addresses(m: Any, coordinates: Any, index: Any) -> tuple[tuple[int, int], int]:
    """The global byte and the byte in the box of one element, and its number in the box."""
    strides = (m.data_type.size_bytes, *m.global_strides)
    position = [c + i for c, i in zip(coordinates, index, strict=True)]
    number = sum(i * prod(m.box_dim[:d]) for d, i in enumerate(index))
    there = m.global_address + sum(p * s for p, s in zip(position, strides, strict=True))
    return (there, number * m.data_type.size_bytes), number


def address_slip(got: tuple[int, int], right: tuple[int, int], m: Any) -> str:
    """What went wrong with the addresses, where that is plain."""
    if got[0] == right[0] - m.global_address:
        return "The tensor begins at global_address."
    if got[1] * m.data_type.size_bytes == right[1] != got[1]:
        return "Yours counts elements in the box; wanted are bytes."
    return "In the box the rows lie close, without the tensor's row pitch." if got[0] == right[0] else ""


def must_be_strides(words: str, got: tuple[int, ...], right: TiledTensorMap) -> None:
    """Wrong where a stride is not the view's; on an axis of size 1 any that the driver takes will do."""
    wanted = tuple(right.global_strides)
    if len(got) != len(wanted):
        slip = f"A map of rank {right.rank} has {len(wanted)} strides: that of the innermost dimension is not given."
        raise apart(words, "global_strides", got, wanted, slip)
    for size, ours, theirs in zip(right.global_dim[1:], got, wanted, strict=True):
        if size == 1 and (ours % 16 or not 0 <= ours < 2**40):
            slip = "The driver checks the stride of an axis of size 1 as well: give it a multiple of 16."
            raise apart(words, "global_strides", got, wanted, slip)
        if size != 1 and ours != theirs:
            raise apart(words, "global_strides", got, wanted, stride_slip(got, right))


def apart(words: str, name: str, got: Any, right: Any, slip: str) -> Wrong:
    """One argument beside the right one."""
    picture = compare_values(got, right, ("yours", "right"), f"entries of {name}")
    return Wrong(f"for {words}: {name} is {spelled(got)}, right is {spelled(right)}. {slip}", picture)


def listed(value: Any) -> tuple[Any, ...]:
    """One value or several, for a list."""
    return tuple(value) if isinstance(value, tuple) else (value,)


def spelled(values: Any) -> str:
    """Values in a sentence."""
    shown = [getattr(value, "name", value) for value in values]
    return f"({', '.join(map(str, shown))})"


def dimension_slip(got: tuple[int, ...], right: TiledTensorMap) -> str:
    """What went wrong with the dimensions, where that is plain."""
    return "The innermost dimension comes first." if got == tuple(right.global_dim)[::-1] else ""


def stride_slip(got: tuple[int, ...], right: TiledTensorMap) -> str:
    """What went wrong with the strides, where that is plain."""
    wanted, size = tuple(right.global_strides), DataType(right.data_type).size_bytes
    if tuple(size * stride for stride in got) == wanted:
        return "Yours counts elements; wanted are bytes."
    return "The innermost stride comes first." if got == wanted[::-1] else "They are the view's own, not dense ones."


def map_slip(name: str, got: TiledTensorMap, right: TiledTensorMap) -> str:
    """What went wrong with an argument, where that is plain."""
    if name == "global_address":
        return "It is the distance of the view's first element from the start of the memory, in bytes."
    reversed_ = name in ("global_dim", "box_dim") and getattr(got, name) == getattr(right, name)[::-1]
    return "The innermost dimension comes first." if reversed_ else ""


def why_slip(array: Any, address: int, right: str) -> str:
    """Why the right word is right."""
    return {
        "": "Nothing stands in its way.",
        "last axis": f"Its last axis steps by {array.strides[-1:]} bytes; an element has {array.itemsize}.",
        "start": f"It starts {address % 16} bytes past a multiple of 16.",
        "stride": f"One of {array.strides[:-1]} is no multiple of 16, or negative.",
    }[right]


def count_slip(got: int, m: Any) -> str:
    """What went wrong with the count, where that is plain."""
    size, pairs = m.data_type.size_bytes, list(zip(m.box_dim, m.element_strides, strict=True))
    slips = {
        descriptor_box_bytes(m): "Yours is rounded down, as the descriptor's word is; the copy rounds up.",
        size * prod(ceil_div(box, step) for box, step in pairs): "The copy ignores element_strides[0].",
        size * prod(m.box_dim): "Each box entry but the first is divided by its element stride.",
        transaction_bytes(m) // size: "Yours counts elements; wanted are bytes.",
    }
    return slips.get(got, "")


def as_bytes(got: Any) -> NDArray[np.uint8]:
    """What a learner returned as bytes: bytes, or an array of any type; Wrong where it is neither."""
    if isinstance(got, (bytes, bytearray, memoryview)):
        return np.frombuffer(bytes(got), np.uint8)
    if not isinstance(got, np.ndarray) or got.dtype.hasobject:
        raise Wrong(f"the function returned something of type {type(got).__name__}, not bytes or an array.")
    return np.ascontiguousarray(got).reshape(-1).view(np.uint8)
