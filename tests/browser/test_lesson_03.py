"""Lesson 03 and exercise 03 as a learner sees them: run from top to bottom in both themes, a prediction kept."""

import pytest

from tests.browser.lab import FAILED, STDERR, THEMES, open_notebook, run_all, seen, shoot, use_theme

pytestmark = pytest.mark.browser
LESSON = "notebooks/03_the_descriptor.ipynb"


@pytest.mark.parametrize("theme", THEMES)
def test_lesson_03_runs_from_top_to_bottom_without_an_error(page, lab, theme):
    errors = open_notebook(page, lab, LESSON)
    use_theme(page, theme)
    run_all(page, "descriptors are equal byte for byte")
    shoot(page, f"lesson_03_{theme.split()[1]}")
    assert page.locator(FAILED).count() == 0
    assert page.locator(STDERR).count() == 0
    assert seen(errors) == []


def test_no_list_is_made_of_a_sentence_that_begins_with_a_number(page, lab):
    open_notebook(page, lab, LESSON)
    assert page.locator(".jp-RenderedMarkdown ol").count() == 0


def test_an_untouched_exercise_03_says_not_attempted(page, lab):
    errors = open_notebook(page, lab, "exercises/03_the_descriptor/03_the_descriptor.ipynb")
    run_all(page, "NOT ATTEMPTED")
    assert page.locator(FAILED).count() == 0
    assert seen(errors) == []
