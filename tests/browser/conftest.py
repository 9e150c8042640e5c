"""A real JupyterLab, started as a learner starts it, and a real browser."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell.places import ROOT, activated
from shell.working_copy import give

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def lab(tmp_path_factory) -> Iterator[str]:
    """The address of a JupyterLab on fresh working copies, with nobody's own settings."""
    home = tmp_path_factory.mktemp("home")
    work = home / "work"
    give(ROOT, work)
    own = {name: str(home / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    options = ["--no-browser", "--allow-root", f"--port={free_port()}", f"--ServerApp.root_dir={work}"]
    command = [sys.executable, "-m", "jupyterlab", *options, "--IdentityProvider.token="]
    environment = os.environ | activated(Path(sys.executable)) | own
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        yield address(server)
        server.terminate()
        server.communicate(timeout=20)


def address(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    for line in server.stderr:
        if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
            return found[0]
    raise AssertionError("JupyterLab did not start")


@pytest.fixture
def page(request):
    """A page in headless Chromium; `theme` is a parameter of the test."""
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine: install it to run the browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser.new_page(viewport={"width": 1280, "height": 1400})
        browser.close()
