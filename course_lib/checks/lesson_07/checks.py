"""The checks of exercise 07: the fill, the filled window, bytes that spill, sums without guards, a store that is exact."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_07.questions import (
    WindowQuestion,
    exact_store,
    fill_questions,
    maxima_matrices,
    memory_of,
    spill_questions,
    store_questions,
    window_questions,
)
from course_lib.checks.lesson_07.slips import bits_text, byte_slip, engine_slip, fill_slip, maximum_slip, spill_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, ask_for_anything, check
from course_lib.checks.shared.learner_values import as_integer, must_be
from course_lib.checks.shared.pictures import draw_if_it_fits
from course_lib.draw.copies.edge import edge_picture
from course_lib.draw.replies.compare import ComparedRow, compare_rows, compare_values
from course_lib.model.call.sizes import ceil_div
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.edge import SPILLED, store_edge
from course_lib.model.copy.transfer import load, store
from course_lib.model.facts.enums import DataType, OobFill
from course_lib.model.facts.limits import INNER_UNIT_BYTES

draw_edge = partial(draw_if_it_fits, edge_picture)


@check("every fill is the one that the H200 wrote, and every refusal the driver's.")
def check_fill_of(answer: Answer, seed: int) -> None:
    """Task 1: `fill_of(data_type, oob_fill)` gives the bits of one filled element, or -1 where the call is refused."""
    questions = fill_questions()
    got = {question: as_integer(ask(answer, *question)) for question in questions}
    rows = []
    for (data_type, oob_fill), right in questions.items():
        mine = got[data_type, oob_fill]
        rows.append(ComparedRow(f"{data_type.name} {oob_fill.name}", bits_text(mine), bits_text(right)))
        if mine != right:
            said = f"{data_type.name} with {oob_fill.name}: you say {bits_text(mine)}, it is {bits_text(right)}."
            picture = compare_rows("The fills up to the first difference", rows, ("yours", "H200"), said)
            raise Wrong(f"{said} {fill_slip(mine, data_type, oob_fill)}", picture)


@check("every window is filled as the engine fills it, recorded ones included.")
def check_window(answer: Answer, seed: int) -> None:
    """Task 2: `window(tensor, start, box, fill)` gives what a load delivers."""
    for asked in window_questions(seed):
        before = asked.tensor.copy()
        got = ask(answer, asked.tensor, asked.start, asked.box, asked.fill)
        if not np.array_equal(before, asked.tensor):
            raise Wrong("your function changed the tensor: a load fills shared memory, and leaves global memory alone.")
        compare_window(as_window(got, asked), asked)


@check("the count is right for every store, recorded ones included.")
def check_spilled_bytes(answer: Answer, seed: int) -> None:
    """Task 3: `spilled_bytes(tensor_map, coordinates)` counts what a store writes past the rows of the tensor."""
    for tensor_map, where in spill_questions(seed):
        got, right = as_integer(ask(answer, tensor_map, where)), store_edge(tensor_map, where).bytes_of(SPILLED)
        if got != right:
            size = tensor_map.data_type.size_bytes
            case = f"{tensor_map.data_type.name}, global_dim={tensor_map.global_dim}, box_dim={tensor_map.box_dim}"
            said = f"{case}, at {where}: you count {got} bytes, {right} spill."
            raise Wrong(f"{said} {spill_slip(got, right, size)}", draw_edge(tensor_map, where, "store"))


@check("every row has its maximum, at every edge.")
def check_row_maxima(answer: Answer, seed: int) -> None:
    """Task 4: `row_maxima(load_tile, shape, box)` gives the largest element of each row."""
    for matrix, box in maxima_matrices(seed):
        zeros: list[tuple[int, int]] = []
        got = as_floats(ask(answer, tile_loader(matrix, box, zeros), matrix.shape[::-1], box), matrix.shape[0])
        right = matrix.max(axis=1)
        case = f"a matrix of {matrix.shape[1]} × {matrix.shape[0]}, boxes of {box[0]} × {box[1]}"
        if not np.array_equal(got, right):
            row = int(np.flatnonzero(~(got == right))[0])
            said = f"{case}: row {row} of the maxima is {got[row]}, its largest element is {right[row]}."
            raise Wrong(
                f"{said} {maximum_slip(got[row])}", compare_values(got, right, ("yours", "reference"), "maxima")
            )
        if zeros:
            said = f"the maxima are right, but the box at {zeros[0]} was filled with zeros beyond the last column."
            raise Wrong(f"{case}: {said} Only a guard keeps them out; another fill needs none.")


@check("each store writes the bytes of the tensor, all of them and no other.")
def check_exact_store(answer: Answer, seed: int) -> None:
    """Task 5: `exact_store(store, tensor_map, coordinates, shared, memory)` stores without a spill."""
    for tensor_map, where in store_questions(seed):
        box, before = memory_of(seed)
        memory, right = before.copy(), exact_store(tensor_map, where, box, before.copy())
        shared, written = box.copy(), np.zeros(memory.size, np.uint8)
        ask_for_anything(answer, note_writes(memory, written), tensor_map, where, shared, memory)
        case = (
            f"{tensor_map.data_type.name}, global_dim={tensor_map.global_dim}, box_dim={tensor_map.box_dim}, at {where}"
        )
        if not np.array_equal(shared, box):
            raise Wrong(f"{case}: your function changed `shared`. A store reads the box, and leaves it as it is.")
        if not np.array_equal(memory, right):
            at = int(np.flatnonzero(memory != right)[0])
            slip = byte_slip(at, memory, before, tensor_map)
            raise Wrong(
                f"{case}: byte {at} of memory is {memory[at]:#04x}, not {right[at]:#04x}. {slip}",
                draw_edge(tensor_map, where, "store"),
            )
        said = engine_slip(written, tensor_map, where)
        if said:
            raise Wrong(f"{case}: the bytes are right, but {said}", draw_edge(tensor_map, where, "store"))


def tile_loader(
    matrix: NDArray[np.float32], box: tuple[int, int], zeros: list[tuple[int, int]] | None = None
) -> Callable[..., NDArray[np.float32]]:
    """`load_tile(column, row, oob_fill)` over a matrix: one tiled load, its box as an array of rows.

    ``zeros`` takes the start of each box that is filled with zeros beyond the last column.
    """
    columns, rows = matrix.shape[::-1]
    pitch = ceil_div(columns * 4, INNER_UNIT_BYTES) * INNER_UNIT_BYTES
    memory = np.zeros((rows, pitch), np.uint8)
    memory[:, : columns * 4] = np.ascontiguousarray(matrix).view(np.uint8)
    tensor_map = TiledTensorMap(
        data_type=DataType.FLOAT32, global_address=0, global_dim=(columns, rows), global_strides=(pitch,), box_dim=box
    )

    def load_tile(column: int, row: int, oob_fill: int = OobFill.NONE) -> NDArray[np.float32]:
        shared, start = np.zeros(box[0] * box[1] * 4, np.uint8), (index(column), index(row))
        filled = replace(tensor_map, oob_fill=oob_fill)
        load(filled, start, memory.reshape(-1), shared)
        if zeros is not None and filled.oob_fill == OobFill.NONE and start[0] < columns < start[0] + box[0]:
            zeros.append(start)
        return shared.view(np.float32).reshape(box[1], box[0])

    return load_tile


def note_writes(memory: NDArray[np.uint8], written: NDArray[np.uint8]) -> Callable[..., Any]:
    """`store`, which sets to 1 in ``written`` each byte of ``memory`` that it writes."""

    def storing(tensor_map: Any, coordinates: Any, shared_memory: Any, global_memory: Any, **named: Any) -> Any:
        if np.shares_memory(global_memory, memory):
            store(tensor_map, coordinates, np.ones_like(shared_memory), written, **named)
        return store(tensor_map, coordinates, shared_memory, global_memory, **named)

    return storing


def as_window(got: Any, asked: WindowQuestion) -> NDArray[Any]:
    """A learner's box; Wrong where its shape or type is another."""
    shape = asked.box[1], asked.box[0]
    try:
        with np.errstate(invalid="ignore"):
            given, array = np.asarray(got), np.asarray(got, asked.right.dtype)
    except (TypeError, ValueError, OverflowError):
        raise Wrong(f"your box does not hold {asked.right.dtype} numbers, in {shape[0]} rows of {shape[1]}.") from None
    if given.dtype.kind == "f" and not np.array_equal(given, array):
        raise Wrong("your box holds numbers with a fraction, or NaN: the elements are integers, or bits as integers.")
    if array.shape != shape:
        raise Wrong(f"a box of {asked.box} has the shape {shape} as an array of rows; yours has {array.shape}.")
    return array


def as_floats(got: Any, count: int) -> NDArray[np.float32]:
    """A learner's list of maxima; Wrong where it is none."""
    with must_be(got, "a number for each row"):
        array = np.asarray(got, np.float32)
    if array.shape != (count,):
        raise Wrong(f"the matrix has {count} rows; your answer has the shape {array.shape}.")
    return array


def compare_window(got: NDArray[Any], asked: WindowQuestion) -> None:
    """Wrong at the first element that differs."""
    differing = np.argwhere(got != asked.right)
    if len(differing):
        row, column = map(int, differing[0])
        x, y = asked.start[0] + column, asked.start[1] + row
        inside = 0 <= x < asked.tensor.shape[1] and 0 <= y < asked.tensor.shape[0]
        place = "inside the tensor" if inside else "outside: it is the fill"
        said = f"start={asked.start}, box={asked.box} of a tensor of {asked.tensor.shape[::-1]}, right by {asked.by}: row {row}, "
        said += f"element {column} of your box is {got[row, column]}, not {asked.right[row, column]}."
        said += f" That is column {x}, row {y} of the tensor, {place}."
        raise Wrong(said, draw_edge(asked.tensor_map, asked.start, "load", (row, column)))
