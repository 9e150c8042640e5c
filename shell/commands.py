"""The commands of start.py: what they are called, what they take, and one sentence when one can't go on."""

import argparse
import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

from shell import doctor, environment, installer, suite, working_copy
from shell.places import DISK_FULL, LESSON_00, QUIET_LAB, REQUIREMENTS, ROOT, WORK, Trouble, environment_with


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, run one command, return the exit status."""
    asked, more = _parser().parse_known_args(arguments)
    if more and asked.command != "test":
        _parser().error(f"unknown: {' '.join(more)}")
    try:
        status: int = asked.run(asked, more)
        return status
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
    except OSError as error:
        if error.errno != errno.ENOSPC and error.filename is None:
            raise
        full = error.errno == errno.ENOSPC
        print(DISK_FULL if full else f"{error.filename}: {error.strerror}. The course writes there.", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nStopped. Nothing of yours is lost; the same command goes on from here.", file=sys.stderr)
    return 1


def open_lab(asked: argparse.Namespace, more: list[str]) -> int:
    """Make the environment, give the learner copies, open JupyterLab on lesson 00."""
    python, work = environment.ensure(asked.wheelhouse), asked.work.resolve()
    for line in give_copies(work):
        print(line)
    print("Opening the course. To stop it, press Ctrl-C here.", flush=True)
    command = [str(python), "-m", "jupyterlab", *lab_options(asked)]
    with subprocess.Popen(command, cwd=work, env=environment_with(python) | quiet_settings()) as server:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which stops its kernels first
        return server.wait()


def give_copies(work: Path) -> list[str]:
    """Give the copies into `work`; return the lines to print. Trouble where someone else's folder, or home, is closed."""
    home = Path.home()
    if not home.is_dir() or not os.access(home, os.W_OK):
        raise Trouble(
            f"Your home folder {home} can't be written to, and JupyterLab needs one: set HOME to a folder of yours."
        )
    try:
        return working_copy.give(work=work)
    except PermissionError as error:
        raise Trouble(
            f"{work} can't be written to: add `--work FOLDER`, a folder of your own for your copies."
        ) from error


def lab_options(asked: argparse.Namespace) -> list[str]:
    """JupyterLab's options: the learner's folder as root, lesson 00 as first page."""
    options = [f"--ServerApp.root_dir={asked.work.resolve()}", f"--LabApp.default_url=/lab/tree/{LESSON_00}"]
    options += [f"--ServerApp.port={asked.port}"] if asked.port else []
    options += ["--no-browser"] if asked.no_browser else []
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return options + (["--allow-root"] if root else [])


def quiet_settings() -> dict[str, str]:
    """A learner's JupyterLab: no log, no news, no grading menus. Teachers start `jupyter lab` and have them."""
    path = os.pathsep.join([str(QUIET_LAB), os.environ.get("JUPYTER_CONFIG_PATH", "")]).rstrip(os.pathsep)
    return {"JUPYTER_CONFIG_PATH": path}


def run_tests(asked: argparse.Namespace, more: list[str]) -> int:
    """Make the environment and run everything that CI runs."""
    return suite.run_suite(environment.ensure(asked.wheelhouse), more)


def describe_machine(asked: argparse.Namespace, more: list[str]) -> int:
    """Print five lines about this machine."""
    print("\n".join(doctor.report()))
    return 0


def fill_wheelhouse(asked: argparse.Namespace, more: list[str]) -> int:
    """Fill one folder with every package, for machines without network."""
    asked.folder.mkdir(parents=True, exist_ok=True)
    installer.download(sys.executable, REQUIREMENTS, asked.folder)
    size = sum(path.stat().st_size for path in asked.folder.iterdir()) / 1e6
    print(f"{asked.folder}: {size:.0f} MB, for this system and Python {sys.version_info[0]}.{sys.version_info[1]}.")
    print("Carry the folder there, then: python3 start.py lab --wheelhouse FOLDER")
    return 0


COMMANDS = {"lab": open_lab, "test": run_tests, "check": describe_machine, "wheelhouse": fill_wheelhouse}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="start.py", description="A course on Hopper's Tensor Memory Accelerator.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, function in COMMANDS.items():
        command = commands.add_parser(name, help=function.__doc__, description=function.__doc__)
        command.set_defaults(run=function)
        if name in ("lab", "test"):
            command.add_argument(
                "--wheelhouse", type=Path, metavar="FOLDER", help="install from FOLDER, not the network"
            )
        if name == "lab":
            command.add_argument("--no-browser", action="store_true", help="print the address, open nothing")
            command.add_argument("--port", type=int, help="the port to serve on")
            command.add_argument("--work", type=Path, default=WORK, metavar="FOLDER", help="your copies; usually work/")
        if name == "wheelhouse":
            command.add_argument("folder", type=Path, nargs="?", default=ROOT / "wheelhouse", help="where to")
    return parser
