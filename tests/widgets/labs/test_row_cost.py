"""The widget of what a row costs, without a browser: the model's numbers, the recorded ones, and what is no row."""

import pytest

from course_lib.model.cost.traffic import rows_traffic
from course_lib.model.facts.enums import L2Promotion
from course_lib.recordings.times.l2 import row_reads
from course_lib.widgets import row_cost_lab
from course_lib.widgets.labs.row_cost import CONTROLS, FIRST, NOT_RECORDED, ROWS
from tests.widgets.turning import through


def said(widget):
    return widget.text.splitlines()[0]


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def test_it_starts_with_a_narrow_row_of_which_a_quarter_is_asked_for():
    assert said(row_cost_lab()) == "A row asks L2 for 1 sector; DRAM reads 64 bytes for it; 25 % of them are asked for."
    assert "rows set the time (model): 617 useful GB/s." in row_cost_lab().text


def test_promotion_turns_rows_into_bytes_as_the_limit():
    assert "bytes set the time" in row_cost_lab(promotion="2").text
    assert "DRAM reads 248 bytes" in said(row_cost_lab(promotion="3"))


def test_it_names_no_time_where_rows_share_a_block():
    assert "the model has no time for them" in row_cost_lab(pitch_bytes=128).text
    assert "set the time" in row_cost_lab(pitch_bytes=256).text


@pytest.mark.parametrize("read", [r for r in row_reads() if r.pitch_bytes <= 1024], ids=str)
def test_every_recorded_read_that_the_controls_reach_is_shown_beside_the_model(read):
    settings = {"row_bytes": read.row_bytes, "pitch_bytes": read.pitch_bytes, "start_bytes": read.start_bytes}
    words = panel(row_cost_lab(row_reads(), promotion=str(int(read.promotion)), **settings), "The recorded point")
    assert f"{read.source}: DRAM read" in words
    assert f"{read.useful_gb_per_s:,.0f} useful GB/s" in words


def test_it_says_so_where_nothing_was_recorded():
    assert panel(row_cost_lab(row_reads(), row_bytes=48), "The recorded point") == NOT_RECORDED
    assert panel(row_cost_lab(), "The recorded point") == NOT_RECORDED


def test_the_call_is_accepted_and_its_rows_are_those_of_the_picture():
    widget = row_cost_lab(row_bytes=512, pitch_bytes=1024, start_bytes=48, promotion="3")
    assert widget.tensor_map.check().accepted
    assert "l2_promotion=L2Promotion.L2_256B" in panel(widget, "The call in Python")
    assert "CU_TENSOR_MAP_L2_PROMOTION_L2_256B" in panel(widget, "The call in C")
    assert widget.traffic == rows_traffic(ROWS, 512, 1024, L2Promotion.L2_256B, 48)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"row_bytes": 24}, "24 is no multiple of 16 bytes"),
        ({"start_bytes": 8}, "8 is no multiple of 16 bytes"),
        ({"row_bytes": 64, "pitch_bytes": 32}, "they overlap"),
        ({"pitch_bytes": 0}, "out of this picture"),
        ({"start_bytes": -16}, "out of this picture"),
    ],
)
def test_what_is_no_row_is_named_and_costs_nothing(settings, words):
    widget = row_cost_lab(**settings)
    assert words in said(widget)
    assert widget.traffic is None


def test_start_again_brings_the_first_settings_back():
    assert row_cost_lab(row_bytes=64, promotion="3").set(again=1).state == FIRST | {"again": 1}


def test_an_unknown_setting_is_refused_with_the_names_that_there_are():
    with pytest.raises(KeyError, match="the controls are row_bytes, pitch_bytes"):
        row_cost_lab(pitch=128)


@pytest.mark.parametrize("promotion", "0123")
def test_every_control_can_be_turned_through_its_range_without_an_error(promotion):
    widget = row_cost_lab(row_reads(), promotion=promotion)
    for control in CONTROLS:
        for value in through(control, every=48):
            widget.set(**{control.name: value})
            assert widget.text
            assert len(widget.picture.svg.encode()) < 60_000
        widget.set(again=widget.state["again"] + 1).set(promotion=promotion)


def test_every_control_has_a_label_and_every_panel_a_look():
    assert all(control.label for control in CONTROLS)
    assert {control.name for control in CONTROLS} == set(row_cost_lab().state)
    assert set(row_cost_lab().get_state()["_panels"]) == set(row_cost_lab().get_state()["_panel_looks"])
