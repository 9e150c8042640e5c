"""One JupyterLab and one browser for all browser tests; skipped with a reason where there is no Chromium."""

import pytest

from tests.browser.server import CHROMIUM, running_browser, running_lab


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """The address of a JupyterLab on fresh working copies."""
    with running_lab(tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine: install it to run the browser tests")
    with running_browser() as opened:
        yield opened


@pytest.fixture
def page(browser):
    """A page of a fresh profile."""
    context = browser.new_context(viewport={"width": 1280, "height": 1400})
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()
