"""axe-core, run over a part of a page: what it finds that keeps people out."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")


def axe_path() -> Path:
    """Where axe-core is, installed now if need be; the test is skipped with a reason where that can't be done."""
    if not AXE.exists():
        if not shutil.which("npm"):
            pytest.skip("no npm on this machine: install it to have axe-core look at the widgets")
        with tempfile.TemporaryDirectory() as scratch:
            install(Path(scratch))
    return AXE


def install(scratch: Path) -> None:
    """Fetch the pinned axe-core into `scratch`, then put it in place at one stroke: two workers may come at once."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, scratch)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    made = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"npm could not install axe-core: {' '.join(made.stderr.split())[:200]}")
    AXE.parent.mkdir(parents=True, exist_ok=True)
    part = AXE.with_suffix(f".{os.getpid()}")
    shutil.copy(scratch / AXE.relative_to(HERE), part)
    part.replace(AXE)


def grave_findings(page, selector: str) -> list[str]:
    """Each rule that axe-core finds broken within `selector` with serious or critical impact, with the place."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=str(axe_path()))
    found = page.evaluate("selector => window.axe.run({ include: [[selector]] })", selector)
    return [
        f"{rule['id']}: {node['html'][:120]}"
        for rule in found["violations"]
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]
