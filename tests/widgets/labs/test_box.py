"""The box slider without a browser: addresses that follow the settings, refusals and traps in words."""

from dataclasses import replace

import pytest

from course_lib import DataType, Swizzle
from course_lib.widgets import box_slider
from tests.draw.copies.test_box import LINE, PANELS, TILE

MAPS = {"matrix": None, "line": LINE, "panels": PANELS}


def said(widget):
    return widget.text.splitlines()[0]


def panels(widget):
    return widget.get_state()["_panels"]


def test_it_starts_at_the_origin_and_says_what_the_copy_brings():
    widget = box_slider()
    assert widget.coordinates == (0, 0)
    assert said(widget) == (
        "8 × 4 = 32 elements, 128 bytes in shared memory: 32 from global memory, all between bytes 4096 and 4319."
    )


def test_the_addresses_follow_the_box():
    widget = box_slider().set(coordinate_0=8, coordinate_1=8, picked=3)
    assert panels(widget)["The addresses"].splitlines() == [
        "shared    0 to   31: from (8, 8): global bytes 4640 to 4671",
        "shared   32 to   63: from (8, 9): global bytes 4704 to 4735",
        "shared   64 to   95: from (8, 10): outside, filled",
        "shared   96 to  127: from (8, 11): outside, filled",
        "element (11, 8): 4096 + 11 × 4 + 8 × 64 = byte 4652 of global memory, byte 12 of the box",
    ]
    assert panels(widget)["The copy in PTX"].endswith("[shared], [map, {8, 8}], [barrier];")


def test_a_start_off_16_bytes_traps_and_the_last_picture_stays():
    widget = box_slider().set(coordinate_0=4)
    before = widget.picture
    widget.set(coordinate_0=5)
    assert said(widget) == "The copy traps. CUresult 715: coordinates[0] = 5 starts at byte 20, no multiple of 16."
    assert widget.picture == before
    assert panels(widget)["The addresses"] == "none: no copy is made"


def test_a_refused_call_says_which_rule():
    widget = box_slider().set(global_strides_0=40)
    assert said(widget) == "Refused: global_strides[0] = 40: a stride must be a multiple of 16 bytes."
    assert "rules broken: 1" in panels(widget)["Verdict"]
    assert "global_strides=(40,)" in panels(widget)["The call in Python"]


def test_element_strides_skip_rows_and_entry_0_is_ignored():
    widget = box_slider().set(box_dim_1=5, element_strides_1=2)
    assert said(widget).startswith("8 × 3 = 24 elements, 96 bytes")
    assert said(widget.set(element_strides_0=2)).startswith("8 × 3 = 24 elements, 96 bytes")
    assert widget.call.element_strides == (2, 2)


def test_a_box_too_large_to_draw_is_said_not_raised():
    assert said(box_slider(PANELS).set(box_dim_1=12, box_dim_2=12)).startswith("Not drawn: a box of 1152 elements")


def test_start_again_brings_the_first_map_back():
    widget = box_slider().set(coordinate_0=4, data_type=DataType.FLOAT64).set(again=1)
    assert (widget.call, widget.coordinates) == (widget.first, (0, 0))
    assert widget.picture == box_slider().picture


def test_a_map_that_the_picture_cannot_show_is_refused():
    with pytest.raises(ValueError, match="without swizzle"):
        box_slider(replace(TILE, swizzle=Swizzle.B32))


@pytest.mark.parametrize("name", MAPS)
def test_every_control_has_a_label_a_name_and_a_value(name):
    widget = box_slider(MAPS[name])
    controls = widget.get_state()["_controls"]
    assert len({control["name"] for control in controls}) == len(controls)
    assert {control["name"] for control in controls} == set(widget.state)
    assert all(control["label"] for control in controls)


@pytest.mark.parametrize("name", MAPS)
def test_every_control_can_be_turned_through_its_range_without_an_error(name):
    widget = box_slider(MAPS[name])
    for control in widget.get_state()["_controls"]:
        for value in through(control):
            widget.set(**{control["name"]: value})
            assert said(widget)
            assert len(widget.picture.svg) < 60_000
        widget.set(again=widget.state["again"] + 1)


def through(control):
    if control["kind"] == "select":
        return [value for value, _ in control["options"]]
    if control["kind"] == "range":
        return range(control["low"], control["high"] + 1)
    return [0, 1, 16, 40, 2**33, -1]


def test_the_panels_are_those_that_are_announced():
    assert set(panels(box_slider())) == set(box_slider().get_state()["_panel_looks"])
