"""Every recording that ships says who answered it, and when; together they stay small."""

import pytest

from course_lib.recordings import RecordingError, provenance
from course_lib.recordings.files import DATA

SHIPPED = sorted(path.name for path in DATA.iterdir() if path.name != "provenance.json")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_recording_has_a_device_a_driver_and_a_date(name):
    assert all(provenance(name))


def test_an_unknown_recording_has_no_provenance():
    with pytest.raises(RecordingError, match="names no such recording"):
        provenance("nothing.jsonl.xz")


def test_all_recordings_together_are_two_megabytes_at_most():
    assert sum(path.stat().st_size for path in DATA.iterdir()) <= 2_000_000
