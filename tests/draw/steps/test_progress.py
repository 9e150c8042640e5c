"""A list of questions, and how each stands: in a word, a look and a place."""

from course_lib.draw.pen.palette import LINES, STATES
from course_lib.draw.steps.progress import QuestionStep, progress_picture

STEPS = [
    QuestionStep("warps", "right", "right"),
    QuestionStep("strides", "read it", "wrong", "Strides"),
    QuestionStep("PTX", "open", "waiting"),
]


def test_each_question_has_a_line_with_its_number_and_how_it_stands():
    assert progress_picture("t", STEPS, 2, "One is right.").text.splitlines() == [
        "1. warps: right",
        "2. strides: read it (Strides)",
        "3. PTX: open",
        "One is right.",
    ]


def test_each_question_has_the_look_of_its_state_and_the_present_one_a_frame():
    svg = progress_picture("t", STEPS, 2, "s").svg
    for step in STEPS:
        assert svg.count(f'fill="{STATES[step.state].fill}"') >= 1
        assert f">{step.words}<" in svg
    assert svg.count(f'stroke="{LINES["ours"]}" stroke-width="2"') == 1


def test_it_is_small_and_fits_its_longest_note():
    picture = progress_picture("t", [*STEPS, QuestionStep("x", "read it", "wrong", "n" * 60)], 0, "s")
    assert len(picture.svg.encode()) < 60_000
    assert float(picture.svg.split('width="')[1].split('"')[0]) > 60 * 7
