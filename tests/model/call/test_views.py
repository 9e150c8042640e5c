"""A NumPy view as a tensor map: the same elements, in the driver's order and units."""

import numpy as np
import pytest

from course_lib.model.call.views import data_type_of, outer_strides, tensor_map_of_array
from course_lib.model.copy.transfer import load
from course_lib.model.facts.enums import DataType
from course_lib.recordings import committed, read_rows, source_bytes
from course_lib.rows.calls import tensor_map_of, tensor_map_of_report

MEMORY = np.arange(1 << 16, dtype=np.uint32).view(np.uint8)[: 1 << 16].copy()
A = MEMORY[:2560].view(np.float32).reshape(4, 10, 16)
windows, as_strided = np.lib.stride_tricks.sliding_window_view, np.lib.stride_tricks.as_strided
VIEWS = {
    "a[1]": A[1],
    "columns": A[1, :, 4:12],
    "rows apart": A[0, 1::3],
    "permuted": A.transpose(1, 0, 2),
    "broadcast": np.broadcast_to(A[0, 3], (6, 16)),
    "windows": windows(A[0, 0], 8)[::4],
    "panels": A[0].reshape(10, 2, 8).transpose(1, 0, 2),
    "size 1": A[0, :, None],
    "rank 1": A.ravel(),
    "rank 5": A.reshape(4, 5, 2, 2, 8),
    "band": as_strided(A[0], (8, 4), (80, 4)),
}


@pytest.mark.parametrize("name", [name for name, view in VIEWS.items() if view.size <= 256])
def test_a_box_of_the_whole_view_brings_what_numpy_sees(name):
    view, shared = VIEWS[name], np.zeros(4096, np.uint8)
    load(tensor_map_of_array(view, view.shape, MEMORY), (0,) * view.ndim, MEMORY, shared)
    assert shared[: view.nbytes].tobytes() == view.tobytes()


@pytest.mark.parametrize("name", VIEWS)
def test_the_arguments_are_the_arrays_turned_round(name):
    view = VIEWS[name]
    m = tensor_map_of_array(view, view.shape, MEMORY)
    assert (m.global_dim, m.box_dim) == (view.shape[::-1], view.shape[::-1])
    used = [
        (ours, s)
        for ours, s, n in zip(m.global_strides, view.strides[-2::-1], view.shape[-2::-1], strict=True)
        if n > 1
    ]
    assert all(ours == stride for ours, stride in used)


def test_an_axis_of_size_1_gets_the_stride_of_the_reports_fix():
    view = as_strided(MEMORY.view(np.uint16), (5, 1, 16, 64), (4096, 2, 128, 2))
    reports = {row["id"]: row for row in read_rows(committed("reports.jsonl.xz"))}
    assert outer_strides(view) == tensor_map_of_report(reports["T05fix"]).global_strides
    assert outer_strides(np.zeros((1, 511), np.uint16)) == (1024,)


def test_what_the_call_has_no_place_for_is_said_and_the_right_axis_is_named():
    with pytest.raises(ValueError, match=r"stride of 8 bytes; a tensor map has none but 4 there$"):
        tensor_map_of_array(A[0, :, ::2], (1, 4), MEMORY)
    with pytest.raises(ValueError, match=r"Axis 0 has it: move that axis to the end"):
        tensor_map_of_array(A[0].T, (1, 4), MEMORY)
    with pytest.raises(ValueError, match="no view of this memory"):
        tensor_map_of_array(np.zeros((4, 4), np.float32), (1, 4), MEMORY[:64])


def test_what_the_driver_refuses_is_left_to_the_verdict():
    for view, field in ((A[0, :, 1:], "global_address"), (A[0, ::-1], "global_strides")):
        assert [f.field for f in tensor_map_of_array(view, (1, 4), MEMORY).check().broken] == [field]


@pytest.mark.parametrize(
    "name", ["uint8", "uint16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64"]
)
def test_a_numpy_type_has_its_element_type(name):
    assert data_type_of(name) == DataType[name.upper()]


def test_types_without_a_name_of_their_own():
    assert data_type_of(np.int8) == DataType.UINT8
    halves = MEMORY.view(np.uint16)[:64]
    assert tensor_map_of_array(halves, (8,), MEMORY, data_type=DataType.BFLOAT16).data_type == DataType.BFLOAT16
    with pytest.raises(ValueError, match="FLOAT32 has 4 bytes an element, the array 2"):
        tensor_map_of_array(halves, (8,), MEMORY, data_type=DataType.FLOAT32)
    with pytest.raises(ValueError, match="no element type carries complex128"):
        data_type_of(np.complex128)


def recorded_views():
    """(row, the view that it names) of every recorded box of a real view."""
    memory = source_bytes(104, 4 << 20)
    a = memory[1 << 20 :][:2560].view(np.float32).reshape(4, 10, 16)
    names = {"np": np, "a": a, "windows": windows, "band": lambda base, shape: as_strided(base, shape, (80, 4))}
    return [(row, eval(row["view"], names), memory) for row in read_rows(committed("load_views.jsonl.xz"))]


@pytest.mark.parametrize(
    ("row", "view", "memory"), recorded_views(), ids=lambda value: value.get("view") if isinstance(value, dict) else ""
)
def test_each_recorded_map_is_that_of_the_view_it_names(row, view, memory):
    recorded = tensor_map_of(row)
    steps = recorded.element_strides
    made = tensor_map_of_array(view, recorded.box_dim[::-1], memory, element_strides=steps)
    if 1 in view.shape:
        made, recorded = ((m.global_address, m.global_dim, m.global_strides[1:]) for m in (made, recorded))
    elif "::-1" in row["view"]:
        made, recorded = ((m.global_address, m.global_dim, m.global_strides[0] % 2**64) for m in (made, recorded))
    assert made == recorded


def test_without_a_memory_the_map_has_the_arrays_own_pointer():
    array = np.zeros((4, 64), np.float32)
    m = tensor_map_of_array(array[1:], (2, 32))
    assert (m.global_address, m.global_dim, m.box_dim) == (array.ctypes.data + 256, (64, 3), (32, 2))
