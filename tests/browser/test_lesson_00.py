"""Lesson 00 and exercise 00 as a learner sees them: opened, run from top to bottom, looked at in both themes."""

import pytest

from tests.browser.lab import FAILED, STDERR, THEMES, colours, open_notebook, run_all, seen, shoot, use_theme

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("theme", THEMES)
def test_lesson_00_runs_and_its_pictures_are_readable_in_both_themes(page, lab, theme):
    errors = open_notebook(page, lab, "notebooks/00_start_here.ipynb")
    use_theme(page, theme)
    run_all(page, "All 128 bytes are equal: model = H200.")
    shoot(page, f"lesson_00_{theme.split()[1]}")
    ink, ground = colours(page, ".jp-OutputArea-output svg text")
    assert ground == THEMES[theme]
    assert abs(sum(ink) - sum(ground)) > 3 * 128
    assert page.locator(".jp-OutputArea-output svg").count() >= 2
    assert page.locator(STDERR).count() == 0
    assert seen(errors) == []


def test_no_answer_shows_before_a_learner_runs_anything(page, lab):
    open_notebook(page, lab, "notebooks/00_start_here.ipynb")
    assert page.locator(".jp-OutputArea-output").count() == 0


def test_a_learner_meets_no_grading_menu_and_no_news(page, lab):
    open_notebook(page, lab, "notebooks/00_start_here.ipynb")
    assert page.locator('.lm-MenuBar-itemLabel:text-is("Help")').count() == 1
    assert page.locator('.lm-MenuBar-itemLabel:text-is("Nbgrader")').count() == 0
    assert page.locator(".Toastify__toast").count() == 0


def test_an_untouched_exercise_says_not_attempted(page, lab):
    open_notebook(page, lab, "exercises/00_start_here/00_start_here.ipynb")
    run_all(page, "NOT ATTEMPTED")
    assert page.locator(FAILED).count() == 0
