"""The swizzle widget without a browser: where a byte lies, what is refused, and every control over its range."""

import numpy as np
import pytest

from course_lib import Swizzle
from course_lib.model.facts.swizzle import PATTERNS
from course_lib.recordings.copies.swizzles import recorded_tiles
from course_lib.widgets.labs.swizzle import CONTROLS, swizzle_lab
from tests.widgets.turning import through


def said(widget):
    return widget.text.splitlines()[0]


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def test_it_starts_with_a_column_through_b128():
    widget = swizzle_lab()
    assert said(widget) == "Row 3, byte 84 lies at 0x1e4, not at 0x1d4."
    assert "take 4 turns, 32 without the XOR." in widget.text
    assert panel(widget, "Verdict").endswith("accepted")


@pytest.mark.parametrize("tile", [t for t in recorded_tiles() if t.tensor_map.rank == 2 and t.rows <= 16])
def test_it_shows_each_unit_where_the_hardware_put_it(tile):
    base = min(tile.shared_address, 1920)
    widget = swizzle_lab(
        mode=int(tile.tensor_map.swizzle), row_bytes=tile.row_bytes, rows=tile.rows, shared_address=base, row=0, byte=0
    )
    lines = [
        line.split() for line in widget.picture.text.splitlines() if line.startswith("0x") and "becomes" not in line
    ]
    drawn = [word.rstrip("*") for line in lines for word in line[1:]]
    units = tile.units[base // 16 :]
    names = [f"{unit // tile.units_in_row}.{unit % tile.units_in_row}" if unit >= 0 else "–" for unit in units]
    assert drawn == names[: len(drawn)]
    assert set(names[len(drawn) :]) <= {"–"}


def test_another_base_moves_the_pattern_and_the_same_base_modulo_the_repeat_does_not():
    widget = swizzle_lab(mode=2, row_bytes=64)
    grids = []
    for base in (0, 128, 512):
        lines = widget.set(shared_address=base).picture.text.splitlines()
        grids.append([line.split()[1:] for line in lines if line.startswith("0x") and "becomes" not in line])
    assert grids[0] == grids[2] != grids[1]


def test_a_row_that_is_too_wide_is_a_verdict_and_no_error():
    widget = swizzle_lab().set(mode=int(Swizzle.B64))
    assert said(widget) == "Refused: box_dim[0] = 128: a row of the box is 128 bytes; this swizzle takes at most 64."
    assert widget.set(row_bytes=64).text.startswith("Row 3, byte 63 lies at")


def test_a_shared_address_off_128_traps():
    assert said(swizzle_lab(shared_address=64)).startswith("shared_address = 64: a multiple of 128, or the copy traps")


def test_a_newer_mode_is_drawn_as_documented_and_refused_on_this_chip():
    widget = swizzle_lab(mode=int(Swizzle.B128_ATOM_32B))
    assert "Refused on this chip: swizzle = B128_ATOM_32B (4)" in widget.text
    assert "refused with CUDA_ERROR_INVALID_VALUE" in panel(widget, "Verdict")
    assert "bit 6 ^= bit 8, bit 5 ^= bit 7" in widget.text


def test_the_code_of_each_mode_finds_the_byte_that_the_picture_shows():
    for mode, pattern in PATTERNS.items():
        code = panel(swizzle_lab(mode=int(mode), row_bytes=32), "The read in a kernel")
        line = next(line for line in code.splitlines() if line.startswith("uint32_t b ="))
        expression = line.split("=")[1].strip().removesuffix(";")
        for a in np.arange(0, 4096, 7):
            assert eval(expression, {"a": int(a)}) == pattern(int(a))


def test_start_again_brings_the_first_settings_back():
    widget = swizzle_lab(mode=1, row_bytes=16, rows=2).set(again=1)
    assert widget.state == swizzle_lab().state | {"again": 1}


def test_an_unknown_setting_is_refused_with_the_names_that_there_are():
    with pytest.raises(KeyError, match="the controls are mode, row_bytes"):
        swizzle_lab(base=128)


@pytest.mark.parametrize("mode", [int(mode) for mode in PATTERNS])
def test_every_control_can_be_turned_through_its_range_without_an_error(mode):
    widget = swizzle_lab(mode=mode, row_bytes=32)
    for control in CONTROLS:
        for value in through(control):
            widget.set(**{control.name: value})
            assert widget.text
            assert len(widget.picture.svg.encode()) < 60_000
        widget.set(again=widget.state["again"] + 1).set(mode=mode, row_bytes=32)


def test_every_control_has_a_label_and_every_panel_a_look():
    assert all(control.label for control in CONTROLS)
    assert {control.name for control in CONTROLS} == set(swizzle_lab().state)
    assert set(swizzle_lab().get_state()["_panels"]) == set(swizzle_lab().get_state()["_panel_looks"])
