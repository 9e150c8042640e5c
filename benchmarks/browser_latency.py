"""From a key press to the changed picture in the page, for each widget, in a real JupyterLab and a real Chromium.

    .venv/bin/python -m benchmarks.browser_latency

One line a widget: the median and the 90th percentile of 100 presses in milliseconds, measured in the page from the
keydown event to the mutation of the picture, and the time that drawing alone takes. Aim on two cores: 25, 40 and 5.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from course_lib.widgets import microscope
from tests.browser.lab import open_notebook, run_all
from tests.browser.server import CHROMIUM, running_browser, running_lab

PRESSES, PAUSE_MS = 100, 60
WIDGETS = {"microscope": (microscope, "box_dim_1")}  # widget → how it is made, and the control that is turned
WATCH = """([widget, control]) => {
    const root = document.querySelectorAll('.course-widget')[widget];
    const slider = root.querySelector(`input[type=range][data-control=${control}]`);
    window.measured = [];
    let pressed = 0;
    slider.addEventListener("keydown", () => { pressed = performance.now(); }, true);
    new MutationObserver(() => {
        if (pressed) { window.measured.push(performance.now() - pressed); pressed = 0; }
    }).observe(root.querySelector(".course-picture"), { childList: true });
    slider.focus();
}"""


def latencies(page, number: int, control: str) -> list[float]:
    """Milliseconds from key press to picture, for each press that changed it."""
    page.evaluate(WATCH, [number, control])
    for _ in range(PRESSES):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(PAUSE_MS)
    measured: list[float] = page.evaluate("window.measured")
    return measured


def drawing_ms(make, control: str) -> float:
    """The median time of one turn without a browser: rules, bytes, picture and texts."""
    widget, times = make(), []
    for value in range(1, 101):
        start = time.perf_counter()
        widget.set(**{control: value})
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main() -> int:
    """Print one line a widget."""
    if not CHROMIUM:
        print("no Chromium on this machine: nothing measured")
        return 1
    with tempfile.TemporaryDirectory() as home, running_lab(Path(home)) as lab, running_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        open_notebook(page, lab, "widgets.ipynb")
        run_all(page)
        page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")
        page.wait_for_timeout(2000)
        for number, (name, (make, control)) in enumerate(WIDGETS.items()):
            measured = sorted(latencies(page, number, control))
            median, late = statistics.median(measured), measured[int(0.9 * len(measured))]
            drawn = drawing_ms(make, control)
            print(f"{name}: median {median:.0f} ms, p90 {late:.0f} ms, {len(measured)} presses; drawing {drawn:.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
