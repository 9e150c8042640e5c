"""What a person does in JupyterLab: open a notebook, choose a theme, run all cells, look."""

import os
import re
from pathlib import Path

# Where to leave screenshots for a person to look at; nowhere if unset.
SHOTS = os.environ.get("COURSE_SCREENSHOTS", "")
THEMES = {"JupyterLab Light": (255, 255, 255), "JupyterLab Dark": (17, 17, 17)}
FAILED = '.jp-RenderedText[data-mime-type="application/vnd.jupyter.error"]'
STDERR = '.jp-RenderedText[data-mime-type="application/vnd.jupyter.stderr"]'
IDLE = ".jp-Notebook-ExecutionIndicator[data-status='idle']"
HARMLESS = ("favicon", "ResizeObserver")


def open_notebook(page, lab: str, name: str) -> list[str]:
    """Open a notebook in a fresh workspace; the list fills with the page's own errors and those of its console."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(f"{lab}lab/tree/{name}?reset")
    page.wait_for_selector(IDLE, timeout=60_000, state="attached")
    return errors


def seen(errors: list[str]) -> list[str]:
    """The errors that a person should know of."""
    return [error for error in errors if not any(word in error for word in HARMLESS)]


def use_theme(page, theme: str) -> None:
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.wait_for_selector(f'body[data-jp-theme-name="{theme}"]', state="attached")


def run_all(page) -> None:
    """Run every cell once the kernel is connected, and wait until the last one has run."""
    page.evaluate("""async () => {
        const session = window.jupyterapp.shell.currentWidget.context.sessionContext;
        await session.ready;
        await session.session.kernel.info;
        await window.jupyterapp.commands.execute("notebook:run-all-cells");
    }""")
    page.wait_for_selector(IDLE, timeout=60_000, state="attached")


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


def shoot(target, name: str) -> None:
    """A screenshot of a page or an element, if somebody asked for them."""
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        target.screenshot(path=f"{SHOTS}/{name}.png")
