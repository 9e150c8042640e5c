"""From a key press to the changed picture in the page, for each widget, in a real JupyterLab and a real Chromium.

    .venv/bin/python -m benchmarks.browser_latency [WIDGET …]

One line a widget: the median and the 90th percentile of 100 presses in milliseconds, measured in the page from the
keydown event to the mutation of the picture, and the time that drawing alone takes. Aim on two cores: 25, 40 and 5.
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from course_lib import widgets
from tests.browser.lab import open_notebook, run_all
from tests.browser.sample import SUBJECTS
from tests.browser.server import CHROMIUM, running_browser, running_lab

PRESSES, PAUSE_MS = 100, 60
WATCH = """name => {
    const root = document.querySelector(`.course-widget[data-widget=${name}]`);
    const steps = node => node.options ? node.options.length : node.max - node.min;
    const longest = kind => [...root.querySelectorAll(kind)].sort((a, b) => steps(a) - steps(b)).pop();
    const turned = longest("input[type=range]") ?? longest("select[data-control]");
    window.measured = [];
    let pressed = 0;
    root.addEventListener("keydown", () => { pressed = performance.now(); }, true);  // a turn may rebuild its control
    new MutationObserver(() => {
        if (pressed) { window.measured.push(performance.now() - pressed); pressed = 0; }
    }).observe(root.querySelector(".course-picture"), { childList: true });
    if (turned.options) turned.selectedIndex = 0; else turned.value = turned.min;
    turned.focus();
    return [turned.dataset.control, turned.options ? "ArrowDown" : "ArrowRight"];
}"""


def latencies(page, name: str) -> tuple[str, list[float]]:
    """What was turned and, for each press that changed the picture, milliseconds from key press to picture.

    Turned is the longest slider (the last of equals), or the longest select of a widget that has no slider.
    """
    control, key = page.evaluate(WATCH, name)
    for _ in range(PRESSES):
        page.keyboard.press(key)
        page.wait_for_timeout(PAUSE_MS)
    return control, page.evaluate("window.measured")


def drawing_ms(widget, control: str) -> float:
    """The median time of one turn without a browser: rules, bytes, picture and texts."""
    times = []
    (described,) = (c for c in widget.get_state()["_controls"] if c["name"] == control)
    for value in turns(described):
        start = time.perf_counter()
        widget.set(**{control: value})
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def turns(described: dict) -> list:
    """Every value that a slider or a select can have."""
    if described["kind"] == "select":
        return [value for value, _ in described["options"]]
    return list(range(described["low"], described["high"] + 1))


def main() -> int:
    """Print one line a widget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("widgets", nargs="*", metavar="WIDGET", help=f"some of {', '.join(SUBJECTS)}; all by default")
    asked = parser.parse_args().widgets or list(SUBJECTS)
    if unknown := set(asked) - SUBJECTS.keys():
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if not CHROMIUM:
        print("no Chromium on this machine: nothing measured")
        return 1
    with tempfile.TemporaryDirectory() as home, running_lab(Path(home)) as lab, running_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        open_notebook(page, lab, "widgets.ipynb")
        run_all(page)
        page.wait_for_timeout(2000)
        for name in asked:
            control, measured = latencies(page, name)
            late = statistics.quantiles(measured, n=10)[-1]
            drawn = drawing_ms(getattr(widgets, SUBJECTS[name])(), control)
            print(
                f"{name}: median {statistics.median(measured):.0f} ms, p90 {late:.0f} ms over {len(measured)} turns "
                f"of {control}; drawing {drawn:.1f} ms"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
