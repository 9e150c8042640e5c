"""A real JupyterLab, started as a learner starts it, and a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shell.commands import quiet_settings
from shell.places import ROOT, environment_with
from shell.working_copy import give
from tests.browser.sample import write_sample

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


@contextmanager
def running_lab(home: Path) -> Iterator[str]:
    """The address of a JupyterLab on fresh working copies under `home`, with nobody's own settings."""
    work = home / "work"
    give(ROOT, work)
    write_sample(work)
    keep_every_cell(home / "JUPYTERLAB_SETTINGS_DIR")
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTERLAB_SETTINGS_DIR", "IPYTHONDIR")
    own = {name: str(home / name) for name in folders}
    port = free_port()
    options = ["--no-browser", "--allow-root", f"--ServerApp.port={port}", f"--ServerApp.root_dir={work}"]
    mine = ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    command = [sys.executable, "-m", "jupyterlab", *options, *mine]
    environment = os.environ | environment_with(Path(sys.executable)) | quiet_settings() | own
    log = home / "log.txt"
    with log.open("w") as said, subprocess.Popen(command, env=environment, stdout=said, stderr=said) as server:
        try:
            yield answering(f"http://127.0.0.1:{port}/", log)
        finally:
            server.terminate()


def keep_every_cell(settings: Path) -> None:
    """JupyterLab takes cells that are far away out of the page; a test wants to see them all."""
    file = settings / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    file.parent.mkdir(parents=True)
    file.write_text('{"windowingMode": "none"}')


def answering(address: str, log: Path) -> str:
    """The address, once somebody answers there."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"{address}api", timeout=5):
                return address
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")


@contextmanager
def running_browser() -> Iterator[object]:
    """Headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield opened
        opened.close()
