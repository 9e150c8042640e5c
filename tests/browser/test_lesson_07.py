"""What only the edge stepper of lesson 07 needs looked at; its controls are turned with all others in test_widgets."""

from functools import partial

import pytest

from tests.browser.hand import changed_by, turn
from tests.browser.lab import open_notebook, run_all, seen

pytestmark = pytest.mark.browser


def test_a_step_that_faults_says_so_and_draws_the_empty_frame(page, lab):
    errors = open_notebook(page, lab, "widgets.ipynb")
    run_all(page)
    stepper = page.locator('.course-widget[data-widget="EdgeStepper"]')
    stepper.locator("svg").first.wait_for()
    assert stepper.locator("svg").count() == 2
    assert changed_by(stepper, partial(turn, stepper, "column", "range"))
    stepper.locator(".course-said", has_text="The copy faults, CUresult 715: coordinates[0] = 5").wait_for()
    assert stepper.locator("svg").count() == 1
    assert seen(errors) == []
