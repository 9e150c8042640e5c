"""The checks of exercise 07, proved four ways: untouched, mistaken, solved, and solved in other words."""

from dataclasses import replace

import numpy as np

from course_lib import DataType, OobFill
from course_lib.checks import Status
from course_lib.checks.lesson_07 import checks as lesson_07
from course_lib.checks.lesson_07.questions import (
    is_askable,
    recorded_window,
    spill_questions,
    store_questions,
    window_questions,
)
from course_lib.recordings.copies.edges import digests_by_rule, edge_loads, edge_stores
from tests.checks.four_ways import SEEDS, FourWays

NAN = OobFill.NAN_REQUEST_ZERO_FMA

# Task 1: the fill


def fill_of(data_type, oob_fill):
    if oob_fill == OobFill.NONE:
        return 0
    return int("7FF7" * (data_type.size_bytes // 2), 16) if data_type.facts.is_float else -1


def fill_from_an_array(data_type, oob_fill):
    if not data_type.facts.is_float:
        return -int(oob_fill)
    return np.full(8, 0x7FF7 * oob_fill, "<u2").view(f"<u{data_type.size_bytes}")[0]


def same_pattern_for_all(data_type, oob_fill):
    return min(fill_of(data_type, oob_fill), 0x7FF7)


def canonical_nan(data_type, oob_fill):
    return {2: 0x7FFF, 4: 0x7FFFFFFF, 8: 2**63 - 1}.get(data_type.size_bytes, -1) if oob_fill else 0


def nan_for_integers_too(data_type, oob_fill):
    return int("7FF7" * max(data_type.size_bytes // 2, 1), 16) if oob_fill else 0


def fill_in_words(data_type, oob_fill):
    return hex(fill_of(data_type, oob_fill))


def fill_with_the_highest_byte_first(data_type, oob_fill):
    right = fill_of(data_type, oob_fill)
    return int("F77F" * (data_type.size_bytes // 2), 16) if right > 0 else right


def other_nan(data_type, oob_fill):
    return fill_of(data_type, oob_fill) | (oob_fill and data_type.facts.is_float and 8)


FILL_MISTAKES = [
    (fill_with_the_highest_byte_first, "it is 0x7ff7. The bytes of each 16 bits are the other way round"),
    (other_nan, "you say 0x7fff, it is 0x7ff7. That is a NaN, but not the engine's."),
    (same_pattern_for_all, "The 16-bit pattern is written over and over", "FLOAT32 NAN_REQUEST_ZERO_FMA"),
    (
        canonical_nan,
        "UINT16 with NAN_REQUEST_ZERO_FMA: you say 0x7fff, it is refused. The driver takes the NaN fill for floats",
    ),
    (nan_for_integers_too, "it is refused. The driver takes the NaN fill for floats only."),
    (fill_in_words, "the function returned '0x0', not an integer."),
]

# Task 2: the window


def window(tensor, start, box, fill):
    out = np.full(box[::-1], fill, tensor.dtype)
    for i, row in enumerate(range(start[1], start[1] + box[1])):
        for j, column in enumerate(range(start[0], start[0] + box[0])):
            if 0 <= row < len(tensor) and 0 <= column < len(tensor[0]):
                out[i, j] = tensor[row, column]
    return out


def window_by_masks(tensor, start, box, fill):
    columns, rows = start[0] + np.arange(box[0]), start[1] + np.arange(box[1])[:, None]
    inside = (columns >= 0) & (columns < tensor.shape[1]) & (rows >= 0) & (rows < tensor.shape[0])
    taken = tensor[rows.clip(0, tensor.shape[0] - 1), columns.clip(0, tensor.shape[1] - 1)]
    return np.where(inside, taken, tensor.dtype.type(fill))


def window_as_lists(tensor, start, box, fill):
    return [[int(value) for value in row] for row in reversed(list(reversed(window(tensor, start, box, fill))))]


def wrapped(tensor, start, box, fill):
    out = window(tensor, start, box, fill)
    for i in range(box[1]):
        for j in range(box[0]):
            if start[1] + i < len(tensor) and start[0] + j < len(tensor[0]):
                out[i, j] = tensor[(start[1] + i) % len(tensor), (start[0] + j) % len(tensor[0])]
    return out


def filled_by_units(tensor, start, box, fill):
    out = window(tensor, start, box, fill)
    last = tensor.shape[1] // (16 // tensor.itemsize) * (16 // tensor.itemsize) - start[0]
    out[:, max(last, 0) :] = fill
    return out


def clamped(tensor, start, box, fill):
    columns, rows = start[0] + np.arange(box[0]), start[1] + np.arange(box[1])[:, None]
    return tensor[rows.clip(0, tensor.shape[0] - 1), columns.clip(0, tensor.shape[1] - 1)]


def transposed(tensor, start, box, fill):
    return window(tensor, start, box, fill).T


def filling_the_tensor(tensor, start, box, fill):
    right = window(tensor, start, box, fill)
    tensor[-1, -1] = fill
    return right


WINDOW_MISTAKES = [
    (
        wrapped,
        "That is column 4, row -1 of the tensor, outside: it is the fill.",
        "marked: row 0, element 0 of the box",
    ),
    (filled_by_units, "element 4 of your box is 0, not 5. That is column 4, row 0 of the tensor, inside the tensor."),
    (
        clamped,
        "start=(0, 0), box=(8, 4) of a tensor of (7, 3), right by the model: row 0, element 7 of your box is 7, not 0.",
    ),
    (transposed, "a box of (8, 4) has the shape (4, 8) as an array of rows; yours has (8, 4)."),
    (filling_the_tensor, "your function changed the tensor"),
    (lambda *_: [["x"] * 8] * 4, "your box does not hold uint32 numbers"),
    (lambda *asked: window(*asked) + 0.5, "your box holds numbers with a fraction, or NaN"),
    (lambda _, start, box, fill: np.full(box[::-1], np.nan), "your box holds numbers with a fraction, or NaN"),
]

# Task 3: what spills


def spilled_bytes(m, where):
    end, begin = m.global_dim[0] * m.data_type.size_bytes, where[0] * m.data_type.size_bytes
    rows = min(m.box_dim[1], m.global_dim[1] - where[1]) if m.rank == 2 else 1
    cut = begin < end < begin + m.box_dim[0] * m.data_type.size_bytes
    return -end % 16 * max(rows, 0) if cut else 0


def spilled_unit_by_unit(m, where):
    size, total = m.data_type.size_bytes, 0
    for row in range(m.box_dim[1] if m.rank == 2 else 1):
        if m.rank == 1 or row + where[1] < m.global_dim[1]:
            for unit in range(where[0] * size, (where[0] + m.box_dim[0]) * size, 16):
                inside = min(max(m.global_dim[0] * size - unit, 0), 16)
                total += 16 - inside if inside else 0
    return np.int64(total)


def spilled_elements(m, where):
    return spilled_bytes(m, where) // m.data_type.size_bytes


def spilled_of_one_row(m, where):
    return min(spilled_bytes(m, where), -m.global_dim[0] * m.data_type.size_bytes % 16)


def spilled_of_every_box_row(m, where):
    cut = spilled_bytes(replace(m, global_dim=(m.global_dim[0], 2**20)) if m.rank == 2 else m, where)
    return cut


def all_outside(m, where):
    size = m.data_type.size_bytes
    rows = min(m.box_dim[1], m.global_dim[1] - where[1]) if m.rank == 2 else 1
    return max(0, (where[0] + m.box_dim[0] - m.global_dim[0]) * size) * max(rows, 0)


def spilled_wherever_the_box_is(m, where):
    rows = min(m.box_dim[1], m.global_dim[1] - where[1]) if m.rank == 2 else 1
    return -m.global_dim[0] * m.data_type.size_bytes % 16 * max(rows, 0)


SPILL_MISTAKES = [
    (
        spilled_elements,
        "you count 3 bytes, 12 spill. Yours counts elements; wanted are bytes.",
        "12 spill past the ends of its rows",
    ),
    (spilled_of_one_row, "you count 4 bytes, 12 spill. Each row of the tensor that the box reaches has its own end."),
    (spilled_of_every_box_row, "at (0, 0): you count 16 bytes, 12 spill. Of a unit in which a row of the tensor ends"),
    (all_outside, "Whole units and rows outside are clipped."),
    (spilled_wherever_the_box_is, "at (8, 0): you count 12 bytes, 0 spill. Nothing spills where no row"),
    (lambda m, where: "twelve", "the function returned 'twelve', not an integer."),
]

# Task 4: maxima


def row_maxima(load_tile, shape, box, fill=NAN, reduce=np.fmax, start=np.nan):
    out = np.full(shape[1] + box[1], start, np.float32)
    for row in range(0, shape[1], box[1]):
        for column in range(0, shape[0], box[0]):
            part = out[row : row + box[1]]
            part[:] = reduce(part, reduce.reduce(load_tile(column, row, fill), axis=1))
    return out[: shape[1]]


def maxima_by_nanmax(load_tile, shape, box):
    found = []
    for row in reversed(range(0, shape[1], box[1])):
        tiles = [load_tile(np.int64(column), row, 1) for column in range(0, shape[0], box[0])]
        found = [float(np.nanmax(line)) for line in np.hstack(tiles)[: shape[1] - row]] + found
    return found


def maxima_with_zeros(load_tile, shape, box):
    return row_maxima(load_tile, shape, box, OobFill.NONE, np.maximum, -np.inf)


def maxima_that_spread(load_tile, shape, box):
    return row_maxima(load_tile, shape, box, NAN, np.maximum, -np.inf)


def maxima_without_the_last_tile(load_tile, shape, box):
    return row_maxima(load_tile, (shape[0] // box[0] * box[0], shape[1]), box)


def maxima_of_filled_rows_too(load_tile, shape, box):
    return row_maxima(load_tile, (shape[0], -(-shape[1] // box[1]) * box[1]), box)


def maxima_with_a_guard(load_tile, shape, box):
    def cut(column, row, fill):
        return load_tile(column, row)[:, : shape[0] - column]

    return row_maxima(cut, shape, box)


MAXIMA_MISTAKES = [
    (maxima_with_a_guard, "the maxima are right, but the box at (8, 0) was filled with zeros beyond the last column."),
    (maxima_with_zeros, "0 is the fill, not an element.", "First difference: number"),
    (maxima_that_spread, "np.maximum hands it on, np.fmax takes the number beside it."),
    (maxima_without_the_last_tile, ", its largest element is "),
    (maxima_of_filled_rows_too, "the matrix has 5 rows; your answer has the shape (8,)."),
    (lambda *_: "large", "not a number for each row"),
]

# Task 5: an exact store


def exact_store(store, m, where, shared, memory, whole_of=lambda columns, unit: columns - columns % unit):
    size, (columns, rows), (width, height), (x, y) = m.data_type.size_bytes, m.global_dim, m.box_dim, where
    whole = whole_of(columns, 16 // size)
    if whole:
        store(replace(m, global_dim=(whole, rows)), where, shared, memory)
    for i in range(min(height, rows - y)):
        for c in range(max(x, whole), min(x + width, columns)):
            to, at = m.global_address + (y + i) * m.global_strides[0] + c * size, (i * width + c - x) * size
            memory[to : to + size] = shared[at : at + size]


def exact_store_that_mends_afterwards(store, m, where, shared, memory):
    kept = memory.copy()
    store(m, where, shared, memory)
    end = m.global_dim[0] * m.data_type.size_bytes
    for row in range(m.global_dim[1]):
        behind = m.global_address + row * m.global_strides[0] + end
        gap = slice(behind, behind + m.global_strides[0] - end)
        memory[gap] = kept[gap]


def exact_store_by_views(store, m, where, shared, memory):
    size, (width, height) = m.data_type.size_bytes, m.box_dim
    unit = 16 // size
    whole = m.global_dim[0] // unit * unit
    if whole > where[0]:
        store(replace(m, global_dim=(whole, m.global_dim[1])), np.array(where), shared, memory)
    rows, first = max(0, min(height, m.global_dim[1] - where[1])), max(whole - where[0], 0)
    last = min(width, m.global_dim[0] - where[0])
    if rows and first < last:
        box = shared[: width * height * size].reshape(height, width * size)
        start = m.global_address + where[1] * m.global_strides[0] + where[0] * size
        for i in range(rows):
            begin = start + i * m.global_strides[0]
            memory[begin + first * size : begin + last * size] = box[i, first * size : last * size]
    return memory


def plain_store(store, m, where, shared, memory):
    store(m, where, shared, memory)


def store_without_the_tail(store, m, where, shared, memory):
    unit = 16 // m.data_type.size_bytes
    if m.global_dim[0] >= unit:
        store(replace(m, global_dim=(m.global_dim[0] // unit * unit, m.global_dim[1])), where, shared, memory)


def store_with_a_dimension_of_zero(store, m, where, shared, memory):
    unit = 16 // m.data_type.size_bytes
    store(replace(m, global_dim=(m.global_dim[0] // unit * unit, m.global_dim[1])), where, shared, memory)
    exact_store(lambda *_: None, m, where, shared, memory)


def store_by_hand_alone(store, m, where, shared, memory):
    exact_store(store, m, where, shared, memory, whole_of=lambda columns, unit: 0)


def store_of_the_wrong_bytes(store, m, where, shared, memory):
    exact_store(store, m, where, shared[::-1].copy(), memory)


def store_into_a_copy(store, m, where, shared, memory):
    exact_store(lambda m, at, box, _: store(m, at, box, memory.copy()), m, where, shared, memory)
    exact_store(store, m, where, shared, memory, whole_of=lambda columns, unit: 0)


def store_of_one_row(store, m, where, shared, memory):
    exact_store(lambda m, *rest: store(replace(m, global_dim=(m.global_dim[0], 1)), *rest), m, where, shared, memory)
    exact_store(store, m, where, shared, memory, whole_of=lambda columns, unit: 0)


def store_that_takes_the_box(store, m, where, shared, memory):
    exact_store(store, m, where, shared, memory)
    shared[:] = 0


def store_that_reads_the_gap_into_the_box(store, m, where, shared, memory):
    size, row_bytes = m.data_type.size_bytes, m.box_dim[0] * m.data_type.size_bytes
    for row in range(min(m.box_dim[1], max(m.global_dim[1] - where[1], 0))):
        start = m.global_address + (where[1] + row) * m.global_strides[0] + where[0] * size
        inside = min(max((m.global_dim[0] - where[0]) * size, 0), row_bytes)
        shared[row * row_bytes + inside : (row + 1) * row_bytes] = memory[start + inside : start + row_bytes]
    store(m, where, shared, memory)


STORE_MISTAKES = [
    (store_that_takes_the_box, "your function changed `shared`."),
    (store_that_reads_the_gap_into_the_box, "your function changed `shared`."),
    (plain_store, "It is byte 28 from the start of row 0, which has 28: it must stay as it was.", "A store at (0, 0)"),
    (store_without_the_tail, "It is byte 16 of row 0 of the tensor, and nobody wrote it."),
    (store_with_a_dimension_of_zero, "raised IllegalTensorMap"),
    (store_by_hand_alone, "the bytes are right, but the engine stored none of them.", "A store at (0, 0)"),
    (store_of_the_wrong_bytes, "and holds something else than the box."),
    (exact_store_that_mends_afterwards, "to put those bytes back afterwards is a race."),
    (store_into_a_copy, "the bytes are right, but the engine stored none of them."),
    (store_of_one_row, "the engine left out bytes that lie in whole 16-byte units."),
]

TASKS = [
    (lesson_07.check_fill_of, [fill_of, fill_from_an_array], FILL_MISTAKES),
    (lesson_07.check_window, [window, window_by_masks, window_as_lists], WINDOW_MISTAKES),
    (lesson_07.check_spilled_bytes, [spilled_bytes, spilled_unit_by_unit], SPILL_MISTAKES),
    (lesson_07.check_row_maxima, [row_maxima, maxima_by_nanmax], MAXIMA_MISTAKES),
    (lesson_07.check_exact_store, [exact_store, exact_store_by_views], STORE_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS
    message_seeds = SEEDS


def test_the_picture_of_a_wrong_fill_does_not_tell_the_fills_behind_it():
    assert "FLOAT64" not in lesson_07.check_fill_of(same_pattern_for_all).picture.text


def test_a_wrong_window_of_the_hardware_says_so():
    def right_for_the_model(tensor, start, box, fill):
        return window(tensor, start, box, fill if tensor.shape in ((3, 7),) else fill + 1)

    questions = list(window_questions(0))
    assert [asked.by for asked in questions].count("an H200") == 6
    assert lesson_07.check_window(right_for_the_model).status is Status.INCORRECT


def test_the_right_windows_of_the_checks_are_the_recorded_bytes():
    recorded = [recorded_window(copy) for copy in edge_loads() if is_askable(copy)]
    assert len(recorded) == 63
    assert all(np.array_equal(window_by_masks(w.tensor, w.start, w.box, w.fill), w.right) for w in recorded)


def test_recorded_stores_among_the_questions_have_the_digest_of_the_rule_that_is_asked():
    recorded = {(copy.tensor_map, copy.coordinates): copy for copy in edge_stores() if copy.row["op"] == "store"}
    asked = [recorded[question] for question in spill_questions(0) if question in recorded]
    assert len(asked) == 9
    assert all(digests_by_rule(copy).unit == copy.row["blake2b_96"] for copy in asked)


def test_every_seed_asks_for_a_store_that_needs_no_engine_and_one_that_needs_no_hand():
    for seed in SEEDS:
        asked = [(m.global_dim[0] * m.data_type.size_bytes) for m, _ in store_questions(seed)]
        assert min(asked) < 16
        assert any(row_bytes % 16 == 0 for row_bytes in asked)


def test_a_data_type_may_be_named_by_its_number_or_its_name():
    assert lesson_07.check_fill_of(lambda t, f: fill_of(DataType(int(t)), OobFill(int(f)))).is_correct
