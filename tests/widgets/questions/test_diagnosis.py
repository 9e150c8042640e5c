"""The eight questions: what is right can be computed, an answer counts once, and the plan names what to read."""

import re

import nbformat
import numpy as np
import pytest

from course_lib.widgets.questions.diagnosis import ReadingPlan, diagnosis
from course_lib.widgets.questions.eight_questions import EIGHT
from maintain.notebook import ROOT

BY_TOPIC = {question.topic: question for question in EIGHT}


def said(widget):
    return widget.text.splitlines()[1]


def answered(widget, choices):
    """The widget after these answers to its questions, in order."""
    for number, choice in enumerate(choices):
        widget.set(question=number)
        widget.set(answer=choice)
        widget.set(commit=widget.state["commit"] + 1)
    return widget


def all_right():
    return answered(diagnosis(), [question.right for question in EIGHT])


def headings(name):
    cells = nbformat.read(ROOT / "notebooks" / name, as_version=4).cells
    return re.findall(r"^## (.*)$", "\n".join(cell.source for cell in cells if cell.cell_type == "markdown"), re.M)


@pytest.mark.parametrize("question", EIGHT, ids=list(BY_TOPIC))
def test_each_question_has_four_different_choices_one_of_which_is_right(question):
    assert len(set(question.choices)) == 4
    assert question.right in question.choices


def test_who_always_takes_the_same_place_is_right_three_times_of_eight_at_most():
    places = [question.choices.index(question.right) for question in EIGHT]
    assert max(places.count(place) for place in range(4)) <= 3


def test_the_answers_that_can_be_computed_are_right():
    view = np.zeros((6, 40), np.float32)[:, 4:36]
    bits = np.float32(1).view(np.uint32) >> 16
    assert BY_TOPIC["warps"].right == f"warp {(2 * 16 + 3) // 32}"
    assert BY_TOPIC["strides"].right == str(view.strides)
    assert BY_TOPIC["hexadecimal"].right == str(0x1B40 & -0x1B40)
    assert (bits, np.uint16(bits).view(np.float16)) == (0x3F80, 1.875)
    assert BY_TOPIC["PTX"].right == str(4 * np.dtype(np.float32).itemsize)
    assert BY_TOPIC["occupancy"].right == str(min(65536 // (256 * 128), 2048 // 256))


@pytest.mark.parametrize("section", [question.section for question in EIGHT])
def test_each_section_is_a_heading_of_the_refresher(section):
    assert section in headings("00b_refresher.ipynb")


def test_the_lesson_lists_the_same_eight_questions_on_one_page():
    cells = nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", as_version=4).cells
    page = next(cell.source for cell in cells if "The eight questions on one page" in cell.source)
    plain = " ".join(page.replace("`", "").split())
    for question in EIGHT:
        assert " ".join(question.asked.split()) in plain
        assert " / ".join(question.choices) in plain
        assert f"[{question.section}](00b_refresher.ipynb#{question.section.replace(' ', '-')})" in page


def test_nothing_is_told_before_an_answer_is_committed():
    widget = diagnosis().set(answer="warp 1")
    assert said(widget) == "Question 1 of 8, warps. Chosen: warp 1. Choose, then commit."
    assert widget.answers == {}
    assert "lane 3" not in widget.text


def test_a_right_answer_is_told_with_its_reason_and_a_wrong_one_with_what_to_read():
    right, wrong = (answered(diagnosis(), [choice]) for choice in ("warp 1", "warp 0"))
    assert said(right) == f"Question 1 of 8, warps. Right, warp 1: {EIGHT[0].because}"
    assert said(wrong).startswith("Question 1 of 8, warps. You said warp 0; right is warp 1: x runs fastest")
    assert said(wrong).endswith("Read Warps and blocks in lesson 00b.")
    assert "1. warps: read it (Warps and blocks)" in wrong.text


def test_committing_nothing_says_what_lacks_and_only_until_something_is_chosen():
    widget = diagnosis().set(commit=1)
    assert said(widget).endswith("Not committed: choose one of the answers first.")
    assert said(widget.set(answer="warp 3")).endswith("Choose, then commit.")


def test_the_first_answer_counts_and_stays_shown():
    widget = answered(diagnosis(), ["warp 0"])
    widget.set(answer="warp 1")
    widget.set(commit=9)
    assert widget.answers == {"warps": "warp 0"}
    assert widget.state["answer"] == "warp 0"


def test_another_question_brings_its_own_choices_and_comes_back_with_its_own_answer():
    widget = answered(diagnosis(), ["warp 1"])
    widget.set(next=1)
    assert (widget.state["question"], widget.state["answer"]) == (1, None)
    labels = {control["name"]: control["label"] for control in widget.get_state()["_controls"]}
    assert labels["answer"] == EIGHT[1].asked
    assert widget.set(question=0).state["answer"] == "warp 1"


def test_next_leads_to_what_is_still_open_and_goes_round_when_nothing_is():
    widget = answered(diagnosis(), ["warp 1"])
    assert widget.set(question=7).set(next=1).state["question"] == 1
    assert all_right().set(question=7).set(next=9).state["question"] == 0


def test_the_end_says_where_to_go():
    assert all_right().text.splitlines()[2] == "8 of 8 right: go on with lesson 01."
    two_wrong = answered(diagnosis(), ["warp 0", "nothing", *(question.right for question in EIGHT[2:])])
    told = "6 of 8 right: read Warps and blocks, Shared memory in lesson 00b. Then go on with lesson 01."
    assert two_wrong.text.splitlines()[2] == repr(two_wrong.plan) == told


def test_the_plan_links_each_section_that_was_missed():
    plan = answered(diagnosis(), ["warp 0"]).plan
    assert "[Warps and blocks](00b_refresher.ipynb#Warps-and-blocks)" in plan._repr_markdown_()
    assert repr(plan) == "0 of 1 right, 7 to go: read Warps and blocks in lesson 00b so far."
    assert repr(ReadingPlan(EIGHT, {})) == "None of the questions is answered yet."
    assert "nothing to read in lesson 00b so far" in repr(ReadingPlan(EIGHT, {3: "64"}))


def test_start_again_forgets_every_answer():
    widget = all_right().set(question=5).set(again=1)
    assert widget.answers == {}
    assert (widget.state["question"], widget.state["answer"]) == (0, None)


def test_the_picture_is_small_at_every_step():
    widget = all_right()
    assert all(len(widget.set(question=number).picture.svg.encode()) < 60_000 for number in range(8))
