"""The descriptor microscope without a browser: what moves, what is refused, and every control over its range."""

from dataclasses import replace

import pytest

from course_lib import Swizzle
from course_lib.widgets import microscope
from course_lib.widgets.skeleton.arguments import call_of, controls_of, resize_call, values_of
from tests.draw.examples import CALLS, TILED


def said(widget):
    return widget.text.splitlines()[0]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_the_controls_hold_the_whole_call(call):
    assert call_of(values_of(call)) == call
    assert {control.name for control in controls_of(call)} == set(values_of(call))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_every_control_has_a_label_and_its_own_name(call):
    controls = list(controls_of(call))
    assert len({control.name for control in controls}) == len(controls)
    assert all(control.label for control in controls)


def test_it_starts_closed_with_nothing_moved():
    widget = microscope()
    assert widget.call == TILED
    assert widget.state["opened"] == ""
    assert said(widget) == "Change an argument, and see what moves."
    assert "▲" not in widget.picture.text


def test_a_turn_tells_what_moved_since_that_control_was_first_touched():
    widget = microscope()
    widget.set(box_dim_1=9).set(box_dim_1=16)
    assert said(widget) == "3 bits moved in 2 fields: box, box bytes."
    widget.set(swizzle=Swizzle.NONE)
    assert said(widget) == "4 bits moved in 2 fields: swizzle, swizzle repeat."


def test_opening_a_field_moves_nothing_and_shows_its_bits():
    widget = microscope().set(box_dim_1=16).set(opened="box")
    assert said(widget) == "3 bits moved in 2 fields: box, box bytes."
    assert "bits 448–455 box 1: 15 means 16; bit 451 moved" in widget.text


def test_an_illegal_setting_is_a_verdict_and_the_last_legal_picture_stays():
    widget = microscope().set(box_dim_1=16)
    before = widget.picture
    widget.set(box_dim_1=300)
    assert said(widget) == "Refused: box_dim[1] = 300: a box dimension must be 1 to 256 elements."
    assert widget.call.box_dim == (64, 300)
    assert widget.picture == before
    assert widget.set(global_strides_0=2002).text.startswith("Refused: global_strides[0] = 2002")
    assert "(the first of 2 broken rules)" in widget.text


def test_a_map_that_is_illegal_from_the_start_says_why():
    widget = microscope(replace(TILED, box_dim=(64, 0)))
    assert said(widget).startswith("Refused: box_dim[1] = 0")


def test_an_address_is_read_in_decimal_and_hexadecimal_and_nonsense_is_put_back():
    widget = microscope()
    assert widget.set(global_address="256").call.global_address == 256
    assert widget.set(global_address="0x200").state["global_address"] == "0x200"
    assert widget.set(global_address="somewhere").state["global_address"] == "0x200"


def test_start_again_brings_the_first_call_back():
    widget = microscope(CALLS[2]).set(box_dim_1=1, opened="box").set(rank=2).set(again=1)
    assert widget.call == CALLS[2]
    assert said(widget) == "Change an argument, and see what moves."


def test_two_turns_that_arrive_as_one_both_count():
    widget = microscope().set(box_dim_1=16, again=1)
    assert widget.call == TILED
    assert widget.set(rank=3, box_dim_0=32).call.box_dim == (32, 8, 1)


@pytest.mark.parametrize("rank", range(1, 6))
@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_another_rank_keeps_what_it_can_and_brings_its_controls(call, rank):
    widget = microscope(call).set(rank=rank)
    kept = min(call.rank, widget.call.rank)
    assert widget.call.rank == (rank if call.api == "tiled" else max(rank, 3))
    assert widget.call.global_dim[:kept] == call.global_dim[:kept]
    names = {control["name"] for control in widget.get_state()["_controls"]}
    assert names == set(widget.state)


@pytest.mark.parametrize("kind", ["tiled", "im2col", "im2col_wide"])
@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_any_call_turns_into_any_other_kind(call, kind):
    widget = microscope(call).set(kind=kind)
    assert widget.call.api == kind
    assert widget.call.check().target.name == "sm_90"


def test_a_new_dimension_lies_behind_the_others():
    values = resize_call(values_of(TILED), "tiled", 4)
    assert [values[f"global_strides_{i}"] for i in range(3)] == [2048, 2048 * 256, 2048 * 256]


@pytest.mark.parametrize("call", CALLS[:5], ids=lambda call: f"{call.api}-{call.rank}")
def test_every_control_can_be_turned_through_its_range_without_an_error(call):
    widget = microscope(call)
    for control in list(controls_of(call)):
        for value in through(control):
            widget.set(**{control.name: value})
            assert widget.text
        widget.set(again=widget.state["again"] + 1)


def through(control):
    if control.kind == "select":
        return [value for value, _ in control.options]
    if control.kind == "text":
        return ["0", "0x10", hex(2**57), "-1", ""]
    return [-1, 0, *(range(control.low, control.high + 1, 9) if control.high else (1, 2**33, 2**60))]


def test_the_panels_have_the_call_in_two_languages_and_the_bytes():
    panels = microscope().set(box_dim_1=16).get_state()["_panels"]
    assert panels["The call in Python"].startswith("TiledTensorMap(")
    assert "cuTensorMapEncodeTiled(" in panels["The call in C"]
    assert "[0f]" in panels["The 128 bytes"]
    assert panels["Verdict"].endswith("accepted")
    assert set(panels) == set(microscope().get_state()["_panel_looks"])
