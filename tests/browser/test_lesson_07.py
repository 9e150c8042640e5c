"""The edge stepper of lesson 07 under a hand: every control by key, the sliders by mouse too, in both themes."""

from functools import partial

import pytest

from tests.browser.axe import grave_findings
from tests.browser.hand import changed_by, controls, drag, locate, turn
from tests.browser.lab import THEMES, open_notebook, run_all, seen, shoot, use_theme

pytestmark = pytest.mark.browser
TALL = 16000  # so tall that JupyterLab keeps every cell in the page


@pytest.fixture(scope="module")
def opened(browser, lab):
    """The lesson, run once: its stepper and the page's errors."""
    context = browser.new_context(viewport={"width": 1280, "height": TALL})
    context.set_default_timeout(20_000)
    page = context.new_page()
    errors = open_notebook(page, lab, "notebooks/07_out_of_bounds.ipynb")
    run_all(page)
    stepper = page.locator(".course-widget").filter(has=page.locator('[data-control="column"]'))
    stepper.locator("svg").first.wait_for()
    yield page, stepper, errors
    context.close()


def start_again(stepper) -> None:
    locate(stepper, "again", "button").press("Enter")
    stepper.locator(
        ".course-said", has_text="(4, -1): 36 of 128 bytes come from the tensor, 92 are filled with NaN"
    ).wait_for()


@pytest.fixture(params=zip(THEMES, (1280, 800), strict=True), ids=["light-1280", "dark-800"])
def stepper(request, opened):
    """The stepper as it starts, in one theme and width."""
    page, stepper, _ = opened
    theme, width = request.param
    use_theme(page, theme)
    page.set_viewport_size({"width": width, "height": TALL})
    start_again(stepper)
    return stepper


def test_every_control_answers_to_the_keyboard(stepper):
    silent = []
    for name, kind in controls(stepper):
        start_again(stepper)
        if name == "again":
            assert changed_by(stepper, partial(turn, stepper, "row", "range"))
        if not changed_by(stepper, partial(turn, stepper, name, kind)):
            silent.append((name, kind))
    start_again(stepper)
    assert len(controls(stepper)) >= 16
    assert silent == []


def test_every_slider_answers_to_the_mouse_and_takes_its_number_along(stepper):
    for name in [name for name, kind in controls(stepper) if kind == "range"]:
        start_again(stepper)
        slider = locate(stepper, name, "range")
        assert changed_by(stepper, partial(drag, slider)), name
        assert slider.input_value() == locate(stepper, name, "number").input_value() != ""
    start_again(stepper)


def test_a_step_that_faults_says_so_and_draws_the_empty_frame(stepper):
    assert changed_by(stepper, partial(turn, stepper, "column", "range"))
    stepper.locator(".course-said", has_text="The copy faults, CUresult 715: coordinates[0] = 5").wait_for()
    assert stepper.locator("svg").count() == 1
    start_again(stepper)


def test_nothing_sticks_out_and_axe_finds_nothing_serious(stepper):
    stepper.evaluate("node => node.querySelectorAll('.course-panel').forEach(panel => { panel.open = true; })")
    assert stepper.evaluate("node => node.scrollWidth <= node.clientWidth + 1")
    assert grave_findings(stepper.page, ".course-widget") == []
    shoot(stepper, f"edge_stepper_{stepper.page.viewport_size['width']}")


def test_it_left_no_error_in_the_console(opened):
    assert seen(opened[2]) == []
