"""The widget of lesson 05 without a browser: what an element becomes, what traps, and every control over its range."""

import pytest

from course_lib import DataType, ReduceOp
from course_lib.recordings.copies.elements import loaded_elements, reduce_table
from course_lib.widgets.labs.float_bits import LIVE, examples, float_bits


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def names(widget):
    return [control["name"] for control in widget.get_state()["_controls"]]


def test_it_starts_with_a_tie_that_a_tf32_load_rounds_up():
    widget = float_bits()
    assert widget.result == 0x3F804000
    assert widget.text.startswith("TFLOAT32: a load changes 3 bits, to 0x3f804000.")
    assert "DataType.TFLOAT32" in panel(widget, "The call in Python")
    assert "no type here" in panel(widget, "The copy in PTX")


@pytest.mark.parametrize("data_type", LIVE)
def test_a_load_makes_of_an_element_what_the_hardware_made(data_type):
    loads = loaded_elements()[data_type]
    for before, after in list(zip(loads.before.tolist(), loads.after.tolist(), strict=True))[:20]:
        assert float_bits(data_type=int(data_type), value=hex(before), memory="0").result == after


@pytest.mark.parametrize("what", ["ADD", "MIN", "MAX"])
def test_a_reduction_makes_of_memory_what_the_hardware_made(what):
    table = reduce_table(ReduceOp[what], DataType.FLOAT16)
    widget = float_bits(data_type=int(DataType.FLOAT16), what=what, value="0", memory="0")
    for i, j in [(1, 2), (17, 8), (16, 36), (20, 0), (0, 20), (37, 38)]:
        widget.set(memory=hex(table.operands[i]), value=hex(table.operands[j]))
        assert widget.result == table.result[i, j]


def test_a_pair_that_traps_is_a_verdict_and_leaves_memory_as_it_was():
    widget = float_bits(what="MAX", data_type=int(DataType.FLOAT32))
    assert widget.result is None
    assert "max on FLOAT32 traps with 715" in panel(widget, "Verdict")
    assert "memory after" not in widget.text


@pytest.mark.parametrize("value", ["", "zz", "-1", "0x100000000"])
def test_bits_that_are_none_are_a_verdict_and_no_error(value):
    widget = float_bits().set(value=value)
    assert widget.text.startswith(f"Refused: its bits, {value!r}: up to 8 hex digits")
    assert widget.result is None


def test_memory_is_asked_for_only_where_it_matters():
    widget = float_bits()
    assert "memory" not in names(widget)
    assert "memory" in names(widget.set(what="ADD"))
    assert widget.set(memory="q").text.startswith("Refused: bits in memory before")


def test_another_type_keeps_the_bits_where_they_fit():
    widget = float_bits().set(data_type=int(DataType.FLOAT32))
    assert widget.state["value"] == "0x3f803000"
    assert widget.set(data_type=int(DataType.FLOAT16)).state["value"] == "0x3c00"


def test_an_example_sets_the_element_and_typing_leaves_it():
    widget = float_bits().set(example="a signalling NaN")
    assert (widget.state["value"], widget.result) == ("0x7f800001", 0x7FFFE000)
    assert widget.set(value="0x1").state["example"] == "as typed"


def test_start_again_brings_the_first_settings_back():
    widget = float_bits(what="ADD").set(data_type=int(DataType.UINT8)).set(again=1)
    assert widget.state == float_bits().state | {"again": 1}
    assert "memory" not in names(widget)


def test_an_unknown_setting_is_refused_with_the_names_that_there_are():
    with pytest.raises(KeyError, match="the controls are data_type, what"):
        float_bits(kind=1)


@pytest.mark.parametrize("what", ["load", "ADD", "MIN", "MAX"])
@pytest.mark.parametrize("data_type", LIVE)
def test_every_example_of_every_type_is_shown_and_small(data_type, what):
    widget = float_bits(what=what).set(data_type=int(data_type))
    for example in examples(data_type):
        widget.set(example=example)
        assert widget.text
        assert len(widget.picture.svg.encode()) < 60_000


def test_every_control_has_a_label_and_every_panel_a_look():
    widget = float_bits(what="ADD")
    assert set(names(widget)) == set(widget.state)
    assert all(control["label"] for control in widget.get_state()["_controls"])
    assert set(widget.get_state()["_panels"]) == set(widget.get_state()["_panel_looks"])
