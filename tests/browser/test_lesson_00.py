"""Lesson 00 and exercise 00 as a learner sees them: opened, run from top to bottom, looked at in both themes."""

import os
import re

import pytest

pytestmark = pytest.mark.browser

# Where to leave screenshots for a person to look at; nowhere if unset.
SHOTS = os.environ.get("COURSE_SCREENSHOTS", "")
THEMES = {"JupyterLab Light": (255, 255, 255), "JupyterLab Dark": (17, 17, 17)}


def open_notebook(page, lab: str, name: str) -> list[str]:
    """Open a notebook in a fresh workspace; the list fills with the page's own errors."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{lab}lab/tree/{name}?reset")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=40_000)
    return errors


def use_theme(page, theme: str) -> None:
    page.click('.lm-MenuBar-itemLabel:text-is("Settings")')
    page.hover('.lm-Menu-itemLabel:text-is("Theme")')
    page.click(f'.lm-Menu-itemLabel:text-is("{theme}")')
    page.wait_for_selector(f'body[data-jp-theme-name="{theme}"]', state="attached")


def run_all(page, last: str) -> None:
    """Run every cell once the kernel is connected, and wait for an output that holds `last`."""
    page.evaluate("""async () => {
        const session = window.jupyterapp.shell.currentWidget.context.sessionContext;
        await session.ready;
        await session.session.kernel.info;
        await window.jupyterapp.commands.execute("notebook:run-all-cells");
    }""")
    page.wait_for_selector(f'.jp-OutputArea-output:has-text("{last}")', timeout=40_000, state="attached")
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=40_000)


def colours(page, selector: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The colour of the words in a picture, and of the ground behind it."""
    script = """selector => {
        const word = document.querySelector(selector);
        let ground = word;
        const clear = () => ["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(ground).backgroundColor);
        while (clear() && ground.parentElement) ground = ground.parentElement;
        return [getComputedStyle(word).fill, getComputedStyle(ground).backgroundColor];
    }"""
    ink, ground = page.evaluate(script, selector)
    return tuple(map(int, re.findall(r"\d+", ink)[:3])), tuple(map(int, re.findall(r"\d+", ground)[:3]))


def shoot(page, name: str) -> None:
    if SHOTS:
        page.locator(".jp-OutputArea-output svg").last.scroll_into_view_if_needed()
        page.screenshot(path=f"{SHOTS}/{name}.png")


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
    assert page.locator('.jp-RenderedText[data-mime-type="application/vnd.jupyter.stderr"]').count() == 0
    assert errors == []


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
    assert page.locator('.jp-RenderedText[data-mime-type="application/vnd.jupyter.error"]').count() == 0
