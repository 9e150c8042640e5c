"""The widget of the banks without a browser: what a read costs, what faults, and every control over its range."""

import re

import pytest

from course_lib.recordings.times.banks import bank_read
from course_lib.widgets import bank_lab
from course_lib.widgets.labs.banks import CONTROLS, PATTERNS, WIDTHS, addresses_of
from tests.widgets.turning import through


def said(widget):
    return widget.text.splitlines()[0]


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def test_it_starts_with_the_worst_column():
    widget = bank_lab()
    assert said(widget) == "32 turns, 1 without conflicts."
    assert "the worst of degree 32: its busiest bank gives 32 words." in widget.text


@pytest.mark.parametrize("width", ["4", "8", "16"])
@pytest.mark.parametrize("pitch", [32, 64, 128, 132, 136, 144])
@pytest.mark.parametrize(("pattern", "name"), [("column", "column 0"), ("eight", "8-row columns"), ("rows", "rows")])
def test_it_counts_the_cycles_that_the_hardware_took(pattern, name, pitch, width):
    widget = bank_lab(pattern=pattern, pitch_bytes=pitch, width=width)
    if pitch % int(width):
        assert "(misaligned address)" in said(widget)
        assert widget.access is None
    else:
        assert widget.access.turns == int(bank_read(f"{name}, pitch {pitch}", int(width)).cycles)


@pytest.mark.parametrize("pitch", range(16, 273, 16))
def test_a_column_of_ldmatrix_takes_what_the_hardware_took(pitch):
    widget = bank_lab(width="ldmatrix", pitch_bytes=pitch)
    assert widget.access.turns == int(bank_read(f"ldmatrix.x4, row pitch {pitch}", 0).cycles)


def test_lanes_that_share_in_pairs_halve_the_phases_of_a_wide_read():
    widget = bank_lab(pattern="pairs", width="16", pitch_bytes=144)
    assert "2 phases" in widget.text
    assert "4 phases" in widget.set(pattern="column").text


def test_a_pitch_that_no_box_has_is_refused_by_the_driver_but_read_by_a_kernel():
    widget = bank_lab(pitch_bytes=132)
    assert said(widget) == "1 turn."
    assert "refused" in panel(widget, "Can a tensor copy bring this tile?")
    assert panel(widget.set(pitch_bytes=144), "Can a tensor copy bring this tile?").endswith("accepted")
    assert widget.tensor_map.box_dim == (36, 32)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_code_reads_where_the_picture_says(pattern, width):
    widget = bank_lab(pattern=pattern, width=width, pitch_bytes=80, byte=16)
    lines = panel(widget, "The read in a kernel").splitlines()
    row, piece = re.match(r"unsigned row = (.*), piece = (.*);", lines[1]).groups()
    address = re.match(r"unsigned a = (.*);", lines[2]).group(1)
    for lane in range(32):
        names = {"lane": lane}
        names |= {name: eval(words.replace("/", "//"), names) for name, words in (("row", row), ("piece", piece))}
        assert eval(address, names) == addresses_of(widget.state)[lane]


def test_start_again_brings_the_first_settings_back():
    widget = bank_lab(pattern="one", width="8", byte=8).set(again=1)
    assert widget.state == bank_lab().state | {"again": 1}


def test_an_unknown_setting_is_refused_with_the_names_that_there_are():
    with pytest.raises(KeyError, match="the controls are width, pattern"):
        bank_lab(pitch=128)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_control_can_be_turned_through_its_range_without_an_error(pattern, width):
    widget = bank_lab(pattern=pattern, width=width)
    for control in CONTROLS:
        for value in through(control, every=4):
            widget.set(**{control.name: value})
            assert widget.text
            assert len(widget.picture.svg.encode()) < 60_000
        widget.set(again=widget.state["again"] + 1).set(pattern=pattern, width=width)


def test_every_control_has_a_label_and_every_panel_a_look():
    assert all(control.label for control in CONTROLS)
    assert {control.name for control in CONTROLS} == set(bank_lab().state)
    assert set(bank_lab().get_state()["_panels"]) == set(bank_lab().get_state()["_panel_looks"])
