"""The address lab without a browser: addresses that follow the settings, units that convert, code that says the same."""

import numpy as np
import pytest

from course_lib.model.call.strided import Strided
from course_lib.widgets import address_lab

ONE_AXIS, CUBE = {"rank": 1, "layout": "row-major"}, {"rank": 3, "layout": "row-major"}


def panels(widget):
    return widget.get_state()["_panels"]


def test_it_starts_with_padded_rows_and_says_where_the_element_lies():
    widget = address_lab()
    assert widget.array == Strided((4, 8), (48, 4), 4, 64)
    assert widget.text.startswith("Element [1, 2]: bytes 120 to 123. The array reaches from byte 64 to 239, 176 bytes")
    assert panels(widget)["The address"].splitlines() == [
        "64 + 1 × 48 + 2 × 4 = byte 120",
        "in hex 0x78; a multiple of 8 and of no higher power of two",
    ]


def test_another_unit_of_the_strides_leaves_every_address_as_it_is():
    widget = address_lab()
    before = widget.array
    widget.set(unit="elements")
    assert (widget.state["stride_0"], widget.state["stride_1"]) == (12, 1)
    assert widget.array == before
    assert panels(widget)["The address"].startswith("64 + (1 × 12 + 2 × 1) × 4 = byte 120")
    assert widget.set(unit="bytes").array == before


def test_strides_that_are_no_whole_elements_stay_in_bytes_and_it_says_so():
    widget = address_lab().set(stride_0=50).set(unit="elements")
    assert (widget.state["unit"], widget.state["stride_0"]) == ("bytes", 50)
    assert "they are no whole elements of 4 bytes" in widget.text
    assert "no whole elements" not in widget.set(stride_0=52).text


def test_a_layout_sets_the_strides_and_a_typed_stride_ends_it():
    widget = address_lab().set(layout="column-major")
    assert widget.array.strides == (4, 16)
    assert "column-major, without gaps" in widget.text
    widget.set(shape_0=5)
    assert widget.array.strides == (4, 20)
    widget.set(stride_1=24)
    assert widget.state["layout"] == "as typed"
    assert widget.set(shape_0=6).array.strides == (4, 24)


def test_another_element_size_moves_the_strides_of_a_layout():
    widget = address_lab().set(layout="row-major").set(item_bytes=8)
    assert widget.array.strides == (64, 8)
    assert widget.set(unit="elements").set(item_bytes=2).array.strides == (16, 2)


def test_another_rank_is_dense_again_and_has_its_own_controls():
    widget = address_lab().set(rank=3)
    assert widget.array == Strided((4, 8, 2), (64, 8, 4), 4, 64)
    names = [control["name"] for control in widget.get_state()["_controls"]]
    assert {"stride_2", "index_2", "shape_2"} <= set(names)
    widget.set(rank=1)
    assert widget.array == Strided((4,), (4,), 4, 64)
    assert "stride_1" not in [control["name"] for control in widget.get_state()["_controls"]]


def test_the_index_stays_in_the_array():
    widget = address_lab().set(shape_1=2)
    assert widget.index == (1, 1)
    assert widget.set(index_0=99).index == (3, 1)
    assert widget.set(index_0=-1).index == (0, 1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"shape_0": 0}, "Refused: shape[0] = 0: 1 to 16 can be drawn."),
        ({"base": -1}, "Refused: base = -1: 0 to"),
        ({"stride_0": 2**30}, "Refused: strides[0] = 1073741824"),
        (CUBE | {"shape_0": 16, "shape_2": 16}, "Refused: 2048 elements: 512 can be drawn."),
    ],
)
def test_what_cannot_be_drawn_is_said_and_not_raised(settings, words):
    assert address_lab().set(**settings).text.startswith(words)


@pytest.mark.parametrize(
    "settings", [{}, ONE_AXIS, CUBE, {"layout": "column-major"}, {"item_bytes": 2}, {"stride_0": 16}]
)
def test_the_numpy_panel_gives_the_element_of_the_picture(settings):
    widget = address_lab().set(**settings)
    memory = np.arange(4096).astype(np.uint8)
    made, element = panels(widget)["In NumPy"].splitlines()
    names = {"np": np, "memory": memory}
    exec(made, names)
    taken = widget.array.bytes_of(widget.index)
    assert eval(element, names).tobytes() == memory[taken.start : taken.stop].tobytes()


def test_the_other_languages_have_their_own_units():
    widget = address_lab()
    assert "(4, 8), (12, 1), 16)  # strides and offset: elements" in panels(widget)["In PyTorch"]
    assert panels(widget)["In C"] == "*(const float *)((const char *)memory + 64 + 1 * 48 + 2 * 4)"
    assert panels(widget.set(stride_0=-48, base=512))["In PyTorch"].startswith("not possible")
    assert panels(widget.set(stride_0=50))["In PyTorch"].startswith("not possible")


def test_an_address_of_0_is_a_multiple_of_everything():
    widget = address_lab().set(base=0, index_0=0, index_1=0)
    assert panels(widget)["The address"].endswith("in hex 0x0; a multiple of every power of two")


def test_start_again_brings_the_first_settings_back():
    widget = address_lab().set(rank=3, item_bytes=8, unit="elements").set(again=1)
    assert widget.array == address_lab().array
    assert widget.picture == address_lab().picture


@pytest.mark.parametrize("settings", [{}, ONE_AXIS, CUBE])
def test_every_control_has_a_label_and_can_be_turned_through_its_range(settings):
    widget = address_lab().set(**settings)
    for control in widget.get_state()["_controls"]:
        assert control["label"]
        options = [value for value, _ in control["options"]]
        for value in options or [control["low"], 0, 1, 3, 16, -5, 2**41]:
            widget.set(**{control["name"]: value})
            assert widget.text
            assert len(widget.picture.svg) < 60_000
        widget.set(again=widget.state["again"] + 1).set(**settings)


def test_an_unknown_setting_is_refused():
    with pytest.raises(KeyError, match="'pitch': the controls are rank"):
        address_lab(pitch=3)
    with pytest.raises(KeyError):
        address_lab(note="x")


def test_the_panels_are_those_that_are_announced():
    assert set(panels(address_lab())) == set(address_lab().get_state()["_panel_looks"])
