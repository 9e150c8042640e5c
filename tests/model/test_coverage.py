"""The table of what the model covers keeps its word: measured names a recording, not modelled raises."""

import pytest

from course_lib import DataType, NotMeasured, Swizzle, TiledTensorMap, load
from course_lib.model.coverage import COVERAGE, coverage_table
from course_lib.model.facts.swizzle import pattern_of
from course_lib.recordings.files import names
from tests.model.memories import window, zeros

LABELS = {"measured", "documented", "not modelled"}
MEASURED = [line for line in COVERAGE if line.label == "measured"]


def test_every_line_has_one_of_three_labels_and_evidence():
    assert {line.label for line in COVERAGE} == LABELS
    assert all(all(line) for line in COVERAGE)


@pytest.mark.parametrize("line", MEASURED, ids=lambda line: f"{line.instruction} {line.mode}")
def test_what_is_measured_names_recordings_that_ship(line):
    recordings = {name.split(".")[0] for name in names()}
    assert set(line.evidence.split(", ")) <= recordings


def test_nothing_later_than_hopper_is_called_measured():
    assert {line.target for line in MEASURED} == {"sm_90"}


def test_the_flipped_swizzle_and_other_chips_bytes_are_not_modelled():
    with pytest.raises(NotMeasured):
        pattern_of(Swizzle.B128_ATOM_32B_FLIP_8B)
    flipped = TiledTensorMap(
        data_type=DataType.UINT8,
        global_address=0,
        global_dim=(128, 8),
        global_strides=(128,),
        box_dim=(128, 8),
        swizzle=Swizzle.B128_ATOM_32B_FLIP_8B,
    )
    with pytest.raises(NotMeasured, match="swap their 8-byte halves"):
        load(flipped, (0, 0), zeros(1024), window(), target="sm_100")
    with pytest.raises(NotMeasured):
        flipped.encode("sm_100")


@pytest.mark.parametrize("label", sorted(LABELS))
def test_the_table_shows_the_lines_of_a_label_and_no_others(label):
    shown = coverage_table((label,)).splitlines()
    assert len(shown) == 1 + sum(line.label == label for line in COVERAGE)
