"""Every measurement runs on a live GPU, small and quick; what it reads is right. Skipped with the reason where there is none."""

import json

import pytest

pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from maintain.hardware.measure import __main__ as command
from maintain.hardware.measure.table import MEASUREMENTS

pytestmark = pytest.mark.gpu
RIGHT = ("sum_is_right", "result_is_right", "bytes_are_the_drivers", "halves_agree")


@pytest.mark.parametrize("name", [name for name, measurement in MEASUREMENTS.items() if measurement.how == "gpu"])
def test_a_measurement_runs_and_what_it_read_is_right(status, tmp_path, name):
    if not status.usable:
        pytest.skip(status.sentence)
    assert ": done (" in command.run_measurement(name, tmp_path, True)
    rows = [json.loads(line) for line in command.path_of(tmp_path, name).read_text().splitlines()]
    assert rows[0]["kind"] == "run"
    assert all(row.get(key, True) for row in rows for key in RIGHT)
