"""The skeleton of a lab: what it shows where there is a picture, and what where there is none."""

from dataclasses import replace

import pytest

from course_lib.draw.pen.svg import Drawing
from course_lib.widgets.skeleton.controls import AGAIN, Control, sliders_of, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec

CONTROLS = (Control("a", "range", "A", low=0, high=9), start_again())


def show(values):
    return f"a is {values['a']}", Drawing(10, 10, "t", "d").picture(f"picture of {values['a']}")


SPEC = Spec(
    {"a": 1, AGAIN: 0},
    CONTROLS,
    show,
    (
        Panel("Twice", lambda values: str(2 * values["a"]), open=True),
        Panel("Always", lambda _: "here", always=True),
        IN_WORDS,
    ),
    lambda values: "no picture of 13" if values["a"] == 13 else "",
)


def lab_of(**changes):
    """A lab of the same spec but for ``changes``."""
    return type("Sample", (Lab,), {"spec": replace(SPEC, **changes)})(SPEC.first)


def panels(widget):
    return widget.get_state()["_panels"]


def test_settings_with_a_picture_fill_every_panel():
    widget = lab_of().set(a=4)
    assert widget.text == "a is 4\npicture of 4"
    assert panels(widget) == {"Twice": "8", "Always": "here", "The picture in words": "picture of 4"}
    assert widget.get_state()["_panel_looks"]["Twice"] == {"open": True, "copy": False}


def test_a_reason_against_a_picture_stands_alone_with_the_panels_that_hold_always():
    widget = lab_of().set(a=13)
    assert widget.text == "no picture of 13"
    assert widget.picture.svg == ""
    assert panels(widget) == {"Always": "here"}


def test_the_other_panels_can_be_emptied():
    assert panels(lab_of(empties=True).set(a=13)) == {"Twice": "", "Always": "here", "The picture in words": ""}


@pytest.mark.parametrize(("sliders", "after"), [(sliders_of(CONTROLS), 1), ((), 10)])
def test_a_number_is_put_back_only_where_its_slider_is_named(sliders, after):
    assert lab_of(sliders=sliders).set(a=10).state["a"] == after


def test_the_button_brings_the_first_settings_back():
    assert lab_of().set(a=7).set(again=1).state == {"a": 1, AGAIN: 1}


def test_controls_may_depend_on_the_settings():
    widget = lab_of(controls=lambda values: [Control("a", "number", f"A, at first {values['a']}")])
    assert [control["label"] for control in widget.get_state()["_controls"]] == ["A, at first 1"]
