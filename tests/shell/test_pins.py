"""One pinned set: the requirements, the conda file and pyproject.toml agree, on every system and every Python."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement

from maintain import pin
from shell.places import ROOT

TEXT = (ROOT / "requirements.txt").read_text()
PINS = [Requirement(line) for line in pin.pins(TEXT)]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DIRECT = [*PROJECT["dependencies"], *(line for extra in PROJECT["optional-dependencies"].values() for line in extra)]


def installed_on(system: str, python: str) -> dict[str, str]:
    place = {"sys_platform": system, "python_full_version": python, "python_version": python[:4]}
    here = [one for one in PINS if one.marker is None or one.marker.evaluate(place)]
    return {one.name: str(one.specifier) for one in here}


def test_conda_users_get_the_same_set():
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())
    (listed,) = [part["pip"] for part in conda["dependencies"] if isinstance(part, dict)]
    assert listed == ["-e .", *pin.pins(TEXT)]


def test_the_conda_file_is_the_one_that_the_command_writes():
    assert (ROOT / "environment.yml").read_text() == pin.environment(TEXT)


@pytest.mark.parametrize("line", DIRECT)
def test_every_package_that_the_project_asks_for_is_pinned_within_its_bounds(line):
    asked = Requirement(line)
    (found,) = [one for one in PINS if one.name == asked.name]
    assert asked.specifier.contains(str(found.specifier).removeprefix("=="))


@pytest.mark.parametrize("python", ["3.11.2", "3.12.1", "3.13.0"])
def test_every_python_gets_the_same_numpy(python):
    assert installed_on("linux", python)["numpy"] == installed_on("win32", "3.11.2")["numpy"]
    assert [one.name for one in PINS].count("numpy") == 1


def test_a_mac_gets_no_package_that_needs_an_nvidia_driver():
    assert not [name for name in installed_on("darwin", "3.12.1") if name.startswith(("cuda", "nvidia"))]
    assert {"cuda-python", "nvidia-cuda-nvrtc"} <= set(installed_on("linux", "3.12.1"))


def test_every_pin_carries_hashes_and_no_line_an_address():
    blocks = re.split(r"\n(?=[a-z])", TEXT.removeprefix(pin.HEAD))
    assert len(blocks) == len(PINS)
    assert all("--hash=sha256:" in block for block in blocks)
    assert pin.drop_addresses(TEXT) == TEXT


@pytest.mark.parametrize("line", ["--index-url x", "--extra-index-url=x", "-f x", "a @ https://host/a"])
def test_a_line_with_an_address_is_dropped(line):
    assert pin.drop_addresses(f"a==1\n{line}\nb==2\n") == "a==1\nb==2\n"
