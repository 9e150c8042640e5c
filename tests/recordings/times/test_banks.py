"""Recorded reads of shared memory and transposes, looked up by name."""

import pytest

from course_lib.model.facts.enums import DataType
from course_lib.recordings import RecordingError
from course_lib.recordings.times.banks import bank_read, bank_reads, transpose, transposes_provenance


def test_every_read_is_named_once_for_each_width():
    assert len({(read.pattern, read.access_bytes) for read in bank_reads()}) == len(bank_reads()) == 395


def test_every_read_takes_the_turns_of_the_model_and_at_most_six_hundredths_more():
    assert all(0.04 <= read.cycles - read.modelled.turns < 0.06 for read in bank_reads())


def test_a_read_is_found_by_its_pattern_and_its_width():
    assert bank_read("column 0, pitch 128").cycles == pytest.approx(32.042)
    assert bank_read("ldmatrix.x4, row pitch 144", 0).modelled.turns == 4
    with pytest.raises(RecordingError, match="not recorded"):
        bank_read("column 0, pitch 132", 16)


def test_the_counted_turns_of_a_transpose_are_those_of_its_column():
    for way, pitch in (("plain", 128), ("padded", 132), ("tma", 128)):
        row = transpose(way, counted=True)
        turns = bank_read(f"column 0, pitch {pitch}").modelled.turns
        assert row["shared_load_wavefronts"] / row["warp_reads"] == pytest.approx(turns, rel=0.05)
        assert row["shared_load_conflicts"] == row["shared_load_wavefronts"] - row["warp_reads"]


def test_a_transpose_is_found_by_way_type_and_warps():
    assert transpose("padded")["us_median"] < transpose("plain")["us_median"]
    assert transpose("tma", data_type=DataType.BFLOAT16, warps=8)["data_type"] == DataType.BFLOAT16
    assert transposes_provenance().device == "NVIDIA H200"
    with pytest.raises(RecordingError, match="not recorded"):
        transpose("diagonal")
