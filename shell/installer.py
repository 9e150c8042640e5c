"""Call pip, show how far it is, and turn its long errors into one sentence."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from shell.places import DISK_FULL, ROOT, Trouble

LOG = ROOT / ".venv-log.txt"
SPACE = "No space left on device|Errno 28|not enough space on the disk"
CHANGED = "DO NOT MATCH THE HASHES"
NETWORK = (
    "NewConnectionError|Failed to establish|name resolution|getaddrinfo|NameResolutionError|ConnectTimeout"
    "|ReadTimeout|from versions: none|Network is unreachable|ProxyError|SSLError|Connection broken|Connection aborted"
)
MISSING = "No matching distribution found for|Could not find a version that satisfies the requirement"


def install(python: Path, requirements: Path, wheelhouse: Path | None) -> None:
    """Install exactly the pinned set into the environment of `python`."""
    size = len(re.findall(r"^\S+==", requirements.read_text(), re.M))
    print(f"Installing {size} packages (once; about a minute and 1 GB of disk) …", flush=True)
    pip = [str(python), "-m", "pip", "install", "--no-deps", "--require-hashes", "-r", str(requirements)]
    run_pip(pip + _source(wheelhouse), size, wheelhouse)


def download(python: str, requirements: Path, folder: Path) -> None:
    """Fetch the pinned set for this kind of machine and this Python into one folder."""
    size = len(re.findall(r"^\S+==", requirements.read_text(), re.M))
    pip = [python, "-m", "pip", "download", "--no-deps", "--require-hashes", "-r", str(requirements), "-d", str(folder)]
    run_pip(pip, size, None)


def run_pip(command: list[str], size: int, wheelhouse: Path | None) -> None:
    """Run pip with its output in a log file and a counter on the screen."""
    quiet = ["--retries", "1", "--progress-bar", "off", "--disable-pip-version-check"]
    with subprocess.Popen(
        command + quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as pip:
        assert pip.stdout is not None
        output = "".join(_count(pip.stdout, size))
    LOG.write_text(output, encoding="utf-8")
    if pip.returncode != 0:
        raise Trouble(explain_failure(output, wheelhouse))


def explain_failure(output: str, wheelhouse: Path | None) -> str:
    """The one sentence for what pip put out when it failed."""
    if re.search(SPACE, output):
        return DISK_FULL
    if CHANGED in output:
        return (
            "A downloaded package differs from the one the course was tested with: try again, or try another network."
        )
    if wheelhouse is not None and re.search(MISSING, output):
        return (
            f"{wheelhouse} lacks a package for this system and this Python: make it again on a machine like this one."
        )
    if re.search(NETWORK, output):
        return "The packages can't be fetched: no network here. With a folder made elsewhere by `start.py wheelhouse`, add `--wheelhouse FOLDER`."
    errors = [line for line in output.splitlines() if line.startswith("ERROR")] or output.splitlines()[-1:]
    return f"pip failed: {' '.join(errors[:1])} (all it said is in {LOG.name})"


def _source(wheelhouse: Path | None) -> list[str]:
    if wheelhouse is None:
        return []
    if not wheelhouse.is_dir():
        raise Trouble(f"--wheelhouse: there is no folder {wheelhouse}.")
    return ["--no-index", "--find-links", str(wheelhouse)]


def _count(lines: Iterator[str], size: int) -> Iterator[str]:
    """Pass the lines on, counting packages on the screen where someone is watching."""
    seen = 0
    for line in lines:
        seen += line.startswith("Collecting ")
        if sys.stdout.isatty():
            print(f"\r  {min(seen, size)} of {size}", end="", flush=True)
        yield line
    if sys.stdout.isatty():
        print()
