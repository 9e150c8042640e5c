"""The widget of lesson 01 without a browser: counts, both kernels' texts, and every control over its range."""

import re

import pytest

from course_lib.model.cost.tile_cost import EDGES
from course_lib.recordings.times.tile_costs import loop_of, tma_loop
from course_lib.widgets import tile_cost_lab
from course_lib.widgets.labs.tile_cost import CONTROLS, FIRST, SWIZZLES
from tests.widgets.turning import through


def said(widget):
    return widget.get_state()["_said"]


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def test_it_starts_with_the_tile_of_the_lesson():
    widget = tile_cost_lab()
    assert said(widget).startswith("1,024 thread copies, 4 for the busiest thread, 32 warp instructions of cp.async")
    assert "192 to 216 instructions a tile, by TMA 166." in said(widget)


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("threads", [64, 128, 256])
def test_what_it_says_is_what_was_compiled(edges, threads):
    widget = tile_cost_lab(edges=edges, threads=threads)
    cost, loop = widget.cost, loop_of(edges, widget.cost.each)
    assert cost.warps * loop.instructions in cost.instructions
    assert cost.registers == loop.registers
    assert cost.tma_instructions == tma_loop().of_all(cost.warps)


def test_more_copies_than_were_compiled_are_refused_with_what_to_do():
    widget = tile_cost_lab(rows=256, threads=32)
    assert (
        said(widget)
        == "64 copies for each thread: kernels were compiled for up to 16. Take more threads or fewer rows."
    )
    assert widget.picture.svg == ""


def test_a_last_turn_for_some_threads_only_is_told():
    assert "The last turn has work for some threads only" in said(tile_cost_lab(rows=40))
    assert "The last turn" not in said(tile_cost_lab(rows=64))


@pytest.mark.parametrize(
    ("setting", "words"), [({"threads": 96}, "powers of two, 32 to 1024"), ({"rows": 300}, "1 to 256")]
)
def test_what_no_block_or_box_has_is_refused(setting, words):
    assert words in said(tile_cost_lab(**setting))


@pytest.mark.parametrize("row_bytes", SWIZZLES)
@pytest.mark.parametrize("edges", EDGES)
def test_the_loop_in_c_visits_every_piece_of_the_tile(row_bytes, edges):
    widget = tile_cost_lab(row_bytes=row_bytes, rows=64, edges=edges)
    text = panel(widget, "By cp.async, in the kernel")
    pieces, step = map(int, re.search(r"piece < (\d+); piece \+= (\d+)", text).groups())
    units = int(re.search(r"piece / (\d+)", text).group(1))
    assert (pieces, step, units) == (64 * row_bytes // 16, 256, row_bytes // 16)
    assert ("height" in text, "width" in text) == (edges != "none", edges == "any")


@pytest.mark.parametrize("row_bytes", SWIZZLES)
def test_the_call_is_legal_and_the_barrier_expects_the_tile(row_bytes):
    widget = tile_cost_lab(row_bytes=row_bytes, rows=96)
    assert widget.tensor_map.check().accepted
    assert "[%0], [%1" in panel(widget, "By TMA, in the kernel")
    assert f"_, [%0], {96 * row_bytes};" in panel(widget, "By TMA, in the kernel")


def test_start_again_brings_the_first_settings_back():
    assert tile_cost_lab(rows=8, edges="any").set(again=1).state == FIRST | {"again": 1}


def test_an_unknown_setting_is_refused_with_the_names_that_there_are():
    with pytest.raises(KeyError, match="the controls are rows, row_bytes"):
        tile_cost_lab(columns=128)


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("row_bytes", SWIZZLES)
def test_every_control_can_be_turned_through_its_range_without_an_error(row_bytes, edges):
    widget = tile_cost_lab(row_bytes=row_bytes, edges=edges)
    for control in CONTROLS:
        for value in through(control):
            widget.set(**{control.name: value})
            assert widget.text
            assert len(widget.picture.svg.encode()) < 60_000
        widget.set(again=widget.state["again"] + 1).set(row_bytes=row_bytes, edges=edges)


def test_every_control_has_a_label_and_every_panel_a_look():
    assert all(control.label for control in CONTROLS)
    assert {control.name for control in CONTROLS} == set(tile_cost_lab().state)
    assert set(tile_cost_lab().get_state()["_panels"]) == set(tile_cost_lab().get_state()["_panel_looks"])
