"""The links of the tables in JupyterLab: from a row of the claims to the heading of the lesson that shows it."""

import pytest

from tests.browser.lab import IDLE, open_notebook

pytestmark = pytest.mark.browser
OPEN = "path => { window.jupyterapp.commands.execute('docmanager:open', { path, factory: 'Markdown Preview' }); }"
IN_VIEW = """words => {
    const page = window.jupyterapp.shell.currentWidget.node;
    const found = [...page.querySelectorAll("h2, h3")].find(heading => heading.textContent.startsWith(words));
    const { top } = page.getBoundingClientRect();
    return found !== undefined && Math.abs(found.getBoundingClientRect().top - top) < 200;
}"""


@pytest.mark.parametrize(
    ("lesson", "heading"),
    [
        ("03_the_descriptor", "64 bytes or 128?"),
        ("06_which_rule", "Trapped: the copy's own rules"),
        ("09_swizzle", "The one that was right at +1024"),
    ],
)
def test_a_claim_leads_to_the_heading_that_shows_it(page, lab, lesson, heading):
    open_notebook(page, lab, f"notebooks/{lesson}.ipynb")
    page.evaluate(OPEN, "notebooks/CLAIMS.md")
    page.locator(".jp-MarkdownViewer a", has_text=heading).first.click()
    page.wait_for_selector(IDLE, state="attached")
    page.wait_for_function(IN_VIEW, arg=heading)


def test_a_table_opens_as_a_page_and_not_as_its_source(page, lab):
    page.goto(f"{lab}lab/tree/notebooks/GLOSSARY.md?reset")
    page.wait_for_selector(".jp-MarkdownViewer table", timeout=60_000)
