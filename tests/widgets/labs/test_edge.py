"""The stepper without a browser: what it says of loads, stores, faults and refusals, and every control over its range."""

from itertools import product

import numpy as np
import pytest

from course_lib import DataType, OobFill
from course_lib.model.copy.edge import load_edge, store_edge
from course_lib.widgets.labs.edge import FILLS, FIRST, SLIDERS, TYPES, edge_stepper


def said(widget):
    return widget.text.splitlines()[0]


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def test_it_starts_at_the_corner_of_the_lessons_tensor():
    widget = edge_stepper()
    assert (widget.call.global_dim, widget.coordinates) == ((7, 3), (4, -1))
    assert widget.call.data_type is DataType.FLOAT32
    assert widget.call.oob_fill is OobFill.NAN_REQUEST_ZERO_FMA
    assert said(widget).startswith("A load at (4, -1): 36 of 128 bytes come from the tensor, 92 are filled with NaN")


def test_a_start_setting_can_be_given_and_an_unknown_one_is_refused():
    assert edge_stepper(direction="store", row=1).state["row"] == 1
    with pytest.raises(KeyError, match="'rows_': the controls are data_type"):
        edge_stepper(rows_=1)


def test_a_step_to_the_side_faults_and_four_bring_the_next_unit():
    widget = edge_stepper().set(column=5)
    assert said(widget) == "The copy faults, CUresult 715: coordinates[0] = 5 starts at byte 20, no multiple of 16."
    assert said(widget.set(column=8)).startswith(
        "A load at (8, -1): 0 of 128 bytes come from the tensor, 128 are filled"
    )


def test_a_store_says_what_spills_and_faults_below_zero():
    widget = edge_stepper(direction="store", column=0, row=0)
    assert said(widget).endswith(
        "84 of 128 bytes go into the tensor, 12 spill past the ends of its rows, 32 are clipped."
    )
    assert "715: coordinates[1] = -1: a store must not start below 0" in said(widget.set(row=-1))
    assert panel(widget, "The bytes that the copy wrote") == "Nothing: the copy faults."


def test_a_refused_call_is_a_verdict():
    widget = edge_stepper().set(data_type=int(DataType.UINT8), box_columns=32)
    assert said(widget).startswith("Refused by the encode call: oob_fill = ")
    assert "rules broken: 1" in panel(widget, "Verdict")
    assert said(widget.set(oob_fill=0, column=0)).startswith("A load at (0, -1)")


def test_the_panels_hold_the_call_the_copy_and_the_bytes():
    widget = edge_stepper(direction="store", row=1)
    assert "store(tensor_map, (4, 1), shared_memory, global_memory)" in panel(widget, "The call and the copy in Python")
    assert "[tensorMap, {4, 1}], [shared];" in panel(widget, "The call and the copy in C and PTX")
    assert panel(widget, "The bytes that the copy wrote").count("[aa]") == 32
    widget.set(direction="load")
    assert "the barrier expects 128 bytes" in panel(widget, "The call and the copy in C and PTX")
    assert " f7  7f " in panel(widget, "The bytes that the copy wrote")


def test_the_python_of_the_panel_runs_and_copies_what_the_picture_says():
    widget, names = edge_stepper(), {}
    memory, shared = np.full(4096, 1, np.uint8), np.zeros(128, np.uint8)
    exec("from course_lib import *", names)
    exec(panel(widget, "The call and the copy in Python"), names | {"global_memory": memory, "shared_memory": shared})
    assert (shared == 1).sum() == 36


def test_start_again_brings_the_first_setting_back():
    widget = edge_stepper(row=2).set(column=0, rows=6, direction="store").set(again=1)
    assert widget.state == FIRST | {"row": 2, "again": 1}


def test_a_number_out_of_its_range_is_put_back():
    widget = edge_stepper()
    for slider in SLIDERS:
        for value in (slider.low - 1, slider.high + 1, None):
            assert widget.set(**{slider.name: value}).state[slider.name] == FIRST[slider.name]


@pytest.mark.parametrize("direction", ["load", "store"])
def test_the_sentence_counts_as_the_model_does(direction):
    edge = load_edge if direction == "load" else store_edge
    for column, row in product((0, 4, 8), (0, 2, 5)):
        widget = edge_stepper(direction=direction, column=column, row=row)
        assert f": {edge(widget.call, (column, row)).copied_bytes} of 128 bytes" in said(widget)


@pytest.mark.parametrize("direction", ["load", "store"])
@pytest.mark.parametrize("data_type", [value for value, _ in TYPES])
def test_every_control_can_be_turned_through_its_range_without_an_error(data_type, direction):
    widget = edge_stepper(data_type=data_type, direction=direction)
    for slider in SLIDERS:
        for value in range(slider.low, slider.high + 1):
            assert said(widget.set(**{slider.name: value}))
        for fill, _ in FILLS:
            assert said(widget.set(oob_fill=fill))


def test_the_farthest_corner_still_fits_the_picture():
    far = {"box_columns": 32, "box_rows": 6, "columns": 12, "rows": 6, "data_type": int(DataType.FLOAT64)}
    for column, row in product((-32, 32), (-8, 8)):
        assert len(edge_stepper(**far, column=column, row=row).picture.svg) < 60_000


def test_every_control_has_a_label_and_its_own_name():
    controls = edge_stepper().get_state()["_controls"]
    assert {control["name"] for control in controls} == set(FIRST)
    assert len({control["label"] for control in controls}) == len(controls)
