"""Every lesson and every exercise as a learner meets it: opened, run from top to bottom, looked at in both themes."""

from functools import partial

import nbformat
import pytest

from shell.places import ROOT
from tests.browser.axe import grave_findings
from tests.browser.hand import changed_by, controls, turn
from tests.browser.lab import (
    FAILED,
    STDERR,
    THEMES,
    colours,
    open_notebook,
    run_all,
    seen,
    shoot,
    use_theme,
)

pytestmark = pytest.mark.browser
LESSONS = sorted(path.stem for path in ROOT.glob("notebooks/*.ipynb"))
EXERCISES = sorted(path.parent.name for path in ROOT.glob("exercises/*/*.ipynb"))
PICTURE = ".jp-OutputArea-output svg"


def code_cells(name: str) -> int:
    cells = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells
    return sum(cell.cell_type == "code" for cell in cells)


def sliders(page):
    """The widgets of a lesson that have a slider, each with the name of its last one."""
    for widget in page.locator(".course-widget").all():
        names = [name for name, kind in controls(widget) if kind == "range"]
        if names:
            yield widget, names[-1]


def readable(page, theme: str) -> bool:
    """Are the words of the pictures far from the ground in this theme?"""
    ink, ground = colours(page, f"{PICTURE} text:not([fill])")
    return ground == THEMES[theme] and abs(sum(ink) - sum(ground)) > 3 * 128


def cut_off(page) -> int:
    """The code cells of which a line reaches out of sight to the right."""
    return page.locator(".jp-CodeCell .cm-scroller").evaluate_all(
        "all => all.filter(code => code.scrollWidth > code.clientWidth + 1).length"
    )


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_without_an_error_and_reads_well_in_both_themes_wide_and_narrow(page, lab, name):
    errors = open_notebook(page, lab, f"notebooks/{name}.ipynb")
    run_all(page)
    assert page.locator(".jp-CodeCell").count() == code_cells(name)
    for theme, width in zip(THEMES, (1280, 800), strict=True):
        use_theme(page, theme)
        page.set_viewport_size({"width": width, "height": 1400})
        assert readable(page, theme)
        assert cut_off(page) == 0
        for number, output in enumerate(page.locator(".jp-OutputArea-output:has(svg, .course-widget)").all()):
            shoot(output, f"{name}_{theme.split()[1]}_{width}_{number:02}")
        if page.locator(".course-widget").count():
            assert grave_findings(page, ".course-widget") == []
    assert page.locator(FAILED).count() == page.locator(STDERR).count() == 0
    for widget, slider in sliders(page):
        assert changed_by(widget, partial(turn, widget, slider, "range"))
    assert seen(errors) == []


@pytest.mark.parametrize("name", EXERCISES)
def test_an_untouched_exercise_says_not_attempted_and_breaks_nowhere(page, lab, name):
    errors = open_notebook(page, lab, f"exercises/{name}/{name}.ipynb")
    run_all(page)
    page.wait_for_selector('.jp-OutputArea-output:has-text("NOT ATTEMPTED")', state="attached")
    assert page.locator(FAILED).count() == 0
    assert seen(errors) == []


def test_no_answer_shows_before_a_learner_runs_anything(page, lab):
    open_notebook(page, lab, "notebooks/00_start_here.ipynb")
    assert page.locator(".jp-OutputArea-output").count() == 0


def test_a_learner_meets_no_grading_menu_and_no_news(page, lab):
    open_notebook(page, lab, "notebooks/00_start_here.ipynb")
    assert page.locator('.lm-MenuBar-itemLabel:text-is("Help")').count() == 1
    assert page.locator('.lm-MenuBar-itemLabel:text-is("Nbgrader")').count() == 0
    assert page.locator(".Toastify__toast").count() == 0
