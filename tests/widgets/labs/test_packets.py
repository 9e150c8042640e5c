"""The packets without a browser: what is said, what is refused, and every control over its range."""

from itertools import product

import numpy as np
import pytest

from course_lib import DataType, Interleave, Swizzle
from course_lib.widgets.labs.packets import FIRST, SLIDERS, TYPES, packet_lab


def said(widget):
    return widget.text.splitlines()


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def test_it_starts_with_19_channels_of_half_floats_in_packets_of_16_bytes():
    widget = packet_lab()
    assert widget.tensor_map.global_dim == (12, 5, 3, 1)
    assert widget.tensor_map.global_strides == (192, 960, 2880)
    assert widget.coordinates == (3, 1, 0, 0)
    assert said(widget)[0] == "16 packets of 16 bytes, 256 bytes in all, of slice 0: channels 0 to 7."


def test_a_start_setting_can_be_given_and_an_unknown_one_is_refused():
    assert packet_lab(slice=2).state["slice"] == 2
    with pytest.raises(KeyError, match="'slices': the controls are channels"):
        packet_lab(slices=2)


def test_four_pixels_of_half_floats_are_refused_although_each_is_a_packet():
    widget = packet_lab(box_width=4)
    assert said(widget) == ["Refused: box_dim[0] = 4: a row of the box is 8 bytes; it must be a multiple of 16 bytes."]
    assert said(widget.set(data_type=int(DataType.FLOAT32)))[0].startswith("8 packets")


def test_a_shared_address_off_128_traps():
    widget = packet_lab(shared_address=64)
    assert said(widget) == ["The copy traps (716): shared_address = 64 is no multiple of 128."]


def test_a_pair_that_documents_forbid_is_drawn_with_a_warning():
    widget = packet_lab(interleave=int(Interleave.B32), swizzle=int(Swizzle.B64))
    assert "Warning: swizzle = B64 (2): documents forbid interleave B32 with any swizzle but B32." in said(widget)
    assert widget.picture.svg


def test_a_read_of_32_byte_packets_needs_a_swizzle_to_be_free_of_conflicts():
    turns = {s: said(packet_lab(interleave=2, swizzle=int(s)))[2] for s in (Swizzle.NONE, Swizzle.B32)}
    assert "take 8 turns" in turns[Swizzle.NONE]
    assert "take 4 turns" in turns[Swizzle.B32]
    assert "take 4 turns" in said(packet_lab())[2]


def test_the_numpy_of_the_panel_makes_the_memory_that_the_map_reads():
    names = {"np": np, "values": np.ones((1, 19, 5, 12), np.float16)}
    exec(panel(packet_lab(), "The memory in NumPy"), names)
    assert names["memory"].shape == (1, 3, 5, 12, 8)
    assert names["memory"].sum() == 19 * 60


def test_the_ptx_names_the_coordinates_and_the_count():
    assert "{3, 1, 0, 0}" in panel(packet_lab(), "The copy in PTX")
    assert "expects 256 bytes" in panel(packet_lab(), "The copy in PTX")


def test_start_again_brings_the_first_settings_back_and_wrong_numbers_are_put_back():
    assert packet_lab(slice=2).set(x=0).set(again=1).state == FIRST | {"again": 1}
    widget = packet_lab()
    for slider in SLIDERS:
        for value in (slider.low - 1, slider.high + 1, None):
            assert widget.set(**{slider.name: value}).state[slider.name] == FIRST[slider.name]


@pytest.mark.parametrize(("data_type", "interleave"), list(product(TYPES, (1, 2))))
def test_every_control_can_be_turned_through_its_range_without_an_error(data_type, interleave):
    widget = packet_lab(data_type=int(data_type), interleave=interleave, box_width=16)
    for slider in SLIDERS:
        for value in range(slider.low, slider.high + 1, slider.step):
            assert said(widget.set(**{slider.name: value}))
    for swizzle in range(4):
        assert said(widget.set(swizzle=swizzle))


def test_the_largest_pictures_fit():
    for x, y in product((-4, 12), (-2, 5)):
        widget = packet_lab(interleave=2, box_width=16, box_height=3, x=x, y=y, data_type=0, channels=40)
        assert 0 < len(widget.picture.svg) < 60_000


def test_every_control_has_a_label_and_its_own_name():
    controls = packet_lab().get_state()["_controls"]
    assert {control["name"] for control in controls} == set(FIRST)
    assert len({control["label"] for control in controls}) == len(controls)
