"""A real JupyterLab, started as a learner starts it, and a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell.commands import quiet
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
    port = free_port()
    options = ["--no-browser", "--allow-root", f"--ServerApp.port={port}", f"--ServerApp.root_dir={work}"]
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        *options,
        "--IdentityProvider.token=",
        "--LabApp.expose_app_in_browser=True",
    ]
    environment = os.environ | activated(Path(sys.executable)) | quiet() | own
    log = home / "log.txt"
    with log.open("w") as said, subprocess.Popen(command, env=environment, stdout=said, stderr=said) as server:
        try:
            yield answering(f"http://127.0.0.1:{port}/", log)
        finally:
            server.terminate()


def answering(address: str, log: Path) -> str:
    """The address, once somebody answers there."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"{address}api", timeout=5):
                return address
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")


@pytest.fixture
def page(request):
    """A page in headless Chromium; `theme` is a parameter of the test."""
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine: install it to run the browser tests")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        opened = browser.new_page(viewport={"width": 1280, "height": 1400})
        opened.set_default_timeout(20_000)
        yield opened
        browser.close()
