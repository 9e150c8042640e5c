"""A recorded answer is found by the exact call, and by nothing else."""

import lzma
from dataclasses import replace
from itertools import islice

import pytest

from course_lib.recordings import RecordingError, committed, encode_rows, provenance, read_rows, recorded_encode
from course_lib.recordings.files import names
from course_lib.rows.calls import tensor_map_of


def first(result):
    return next(row for row in encode_rows() if row["result"] == result)


def test_an_accepted_call_is_answered_with_its_128_bytes():
    row = first(0)
    answer = recorded_encode(tensor_map_of(row))
    assert (answer.result, answer.bytes.hex()) == (0, row["bytes"])
    assert answer.provenance == provenance()


def test_a_refused_call_is_answered_without_bytes():
    answer = recorded_encode(tensor_map_of(first(1)))
    assert (answer.result, answer.bytes) == (1, None)


@pytest.mark.parametrize("change", [{"global_address": 2**40 + 16}, {"oob_fill": 7}, {"l2_promotion": 9}])
def test_a_call_that_differs_in_one_argument_has_no_answer(change):
    assert recorded_encode(replace(tensor_map_of(first(0)), **change)) is None


def test_the_provenance_names_device_driver_and_date():
    assert str(provenance()) == "NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0, 2026-11-29"


def test_each_of_the_first_calls_finds_an_answer():
    for row in islice(encode_rows(), 20):
        assert recorded_encode(tensor_map_of(row)).result == row["result"]


def test_an_unknown_recording_is_named_with_those_that_exist():
    with pytest.raises(RecordingError, match=r"name='x': no such recording; there are .*encode.jsonl.xz"):
        committed("x")
    assert {"encode.jsonl.xz", "load.jsonl.xz", "store.jsonl.xz"} <= set(names())
    assert all(committed(name).exists() for name in names())


def test_blank_lines_are_no_rows_and_a_bad_line_is_named(tmp_path):
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(b'{"a": 1}\n\n{"a": 2}\nnonsense\n'))
    rows = read_rows(path)
    assert [next(rows), next(rows)] == [{"a": 1}, {"a": 2}]
    with pytest.raises(RecordingError, match=r"a.jsonl.xz line 4: not JSON"):
        next(rows)
