"""The verdict desk: arguments are turned, fixes applied one by one, cases taken, without a browser."""

import pytest

from course_lib.widgets.labs.verdict import FIRST, OWN, verdict_desk
from tests.draw.examples import IM2COL, TILED


def test_the_desk_begins_with_a_call_that_breaks_several_rules():
    desk = verdict_desk()
    assert len(desk.verdict.broken) == 4
    assert desk.text.startswith("Refused: 4 rules are broken. global_address = 0x7f0000000008: the address must be")


def test_fixes_applied_one_by_one_end_in_an_accepted_call():
    desk = verdict_desk()
    for press in range(1, 4):
        desk.set(fix_1=press)
    assert desk.verdict.accepted
    assert desk.call == FIRST.check().mended
    assert "Fix 1 applied: box_dim = (32, 240). Accepted" in desk.text


def test_one_fix_can_mend_two_rules_and_leaves_the_others():
    desk = verdict_desk().set(fix_3=1)
    assert desk.call.box_dim == (32, 240)
    assert [broken.field for broken in desk.verdict.broken] == ["global_address", "global_strides"]


def test_all_fixes_at_once_give_the_mended_call_and_a_second_press_says_that_nothing_is_left():
    desk = verdict_desk().set(fix_all=1)
    assert desk.call == FIRST.check().mended
    assert "There is nothing to apply." in desk.set(fix_all=2).text


def test_a_button_without_a_rule_says_so_and_changes_nothing():
    desk = verdict_desk(TILED)
    assert "There is no fix 2. Accepted" in desk.set(fix_2=1).text
    assert desk.call == TILED


def test_a_rule_without_a_fix_stays_as_it_is():
    desk = verdict_desk(TILED).set(data_type=13, box_dim_0=40, swizzle=1)
    before = desk.call
    assert "Fix 1: none: no argument mends it without breaking another rule." in desk.set(fix_1=1).text
    assert desk.call == before


def test_a_case_is_put_on_the_desk_and_start_again_brings_the_first_call_back():
    desk = verdict_desk(TILED, {"an image": IM2COL})
    assert desk.set(case="an image").call == IM2COL
    assert {control["name"] for control in desk.get_state()["_controls"]} >= {"channels_per_pixel", "case", "fix_1"}
    desk.set(again=1)
    assert (desk.call, desk.state["case"]) == (TILED, OWN)


def test_another_rank_or_kind_brings_other_controls():
    desk = verdict_desk(TILED)
    assert desk.set(rank=4).call.rank == 4
    assert desk.set(kind="im2col").call.api == "im2col"
    assert any(control["name"] == "pixels_per_column" for control in desk.get_state()["_controls"])


def test_a_broken_address_is_put_back():
    desk = verdict_desk(TILED)
    assert desk.set(global_address="0x12z").call == TILED


@pytest.mark.parametrize("number", [0, 300, -5])
def test_any_number_is_a_question_and_the_call_can_be_copied(number):
    desk = verdict_desk(TILED).set(box_dim_1=number)
    panels = desk.get_state()["_panels"]
    assert panels["Verdict"] == str(desk.verdict)
    assert f"box_dim=(64, {number})" in panels["The call in Python"]
    assert panels["The call in C"].startswith("cuuint64_t globalDim[]")


def test_start_again_after_fixes_shows_exactly_the_first_picture():
    desk = verdict_desk()
    first = desk.picture.svg, desk.text
    desk.set(fix_1=1).set(box_dim_1=3).set(again=1)
    assert (desk.picture.svg, desk.text) == first
