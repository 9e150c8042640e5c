"""python -m course_lib.recordings: exit status, the report, and one sentence for a file that is no recording."""

import gzip
import json
import lzma
import os
import subprocess
import sys
from threading import Thread

import pytest

from course_lib.recordings import __main__ as command
from course_lib.recordings import committed

GOOD = {"kind": "dim_cap", "dim": 1, "result": 0}
BAD = {"kind": "dim_cap", "dim": 1, "result": 1}
ENCODE = {"api": "tiled", "rank": 1, "result": 1}
LOAD = {**ENCODE, "coordinates": [0], "seed": 1}
CALL = {
    **{
        "api": "tiled",
        "rank": 1,
        "result": 0,
        "data_type": 0,
        "global_address": 0,
        "global_dim": [16],
        "global_strides": [],
    },
    **{"box_dim": [16], "element_strides": [1], "interleave": 0, "swizzle": 0, "l2_promotion": 0, "oob_fill": 0},
}
BULK = {
    **{"direction": "global_to_shared", "op": "copy", "size": 16, "source": 0, "destination": 0, "seed": 1},
    **{"window_bytes": 1024, "blake2b_96": ""},
}
UNREADABLE_ROWS = {
    "not JSON": ("{", "not JSON"),
    "no object": ("[1]", "a row is a JSON object, not list"),
    "no known kind": ('{"x": 1}', "no kind of row is known that has the keys x"),
    "nothing": ("{}", "no kind of row is known"),
    "no rank": ('{"api": "tiled", "result": 0}', "lacks 'rank'"),
    "no argument": (json.dumps(ENCODE), "needs 'data_type'"),
    "unknown call": (json.dumps(ENCODE | {"api": "linear"}), "'linear'"),
    "rank that is a word": (json.dumps(ENCODE | {"rank": "one"}), "'one'"),
    "array that is a number": (json.dumps(CALL | {"global_dim": 3}), "no such call"),
    "too few entries": (json.dumps(CALL | {"box_dim": []}), "box_dim has 0 entries"),
    "argument that is a word": (json.dumps(CALL | {"global_address": "0x10"}), "global_address must be an integer"),
    "accepted without bytes": (json.dumps(CALL), "needs its bytes in hex"),
    "bytes that are not hex": (json.dumps(CALL | {"bytes": "xy"}), "needs its bytes in hex"),
    "no seed": (json.dumps({k: v for k, v in LOAD.items() if k != "seed"}), "lacks 'seed'"),
    "seed that is a word": (
        json.dumps(CALL | {"coordinates": [0], "seed": "a", "blake2b_96": ""}),
        "seed must be an integer",
    ),
    "no digest": (json.dumps(CALL | {"coordinates": [0], "seed": 1}), "lacks 'blake2b_96'"),
    "coordinates no array": (
        json.dumps(CALL | {"coordinates": 0, "seed": 1, "blake2b_96": ""}),
        "coordinates must be an array",
    ),
    "window too large": (
        json.dumps(CALL | {"coordinates": [0], "seed": 1, "blake2b_96": "", "window_bytes": 2**40}),
        "window_bytes must be an integer from 0 to 1048575",
    ),
    "unknown operation": (
        json.dumps(CALL | {"coordinates": [0], "seed": 1, "blake2b_96": "", "op": "mul"}),
        "op must be store or",
    ),
    "limit without its value": ('{"kind": "dim_cap", "result": 0}', "lacks 'dim'"),
    "count that no barrier takes": (
        '{"kind": "byte_count", "box_bytes": 256, "expected": 2147483648, "first_phase_completed": true}',
        "no such byte_count: CUresult 719",
    ),
    "a thousand arrays in one another": ("[" * 100_000, "not JSON"),
    "limit that is a word": ('{"kind": "dim_cap", "result": 0, "dim": "big"}', "no such dim_cap"),
    "table of no type": ('{"operands": "00", "op": "add", "data_type": 99, "result": ""}', "no such table"),
    "table that is no hex": ('{"operands": "0", "op": "add", "data_type": 2, "result": ""}', "no such table"),
    "bulk copy to nowhere": (json.dumps(BULK | {"direction": "up"}), "direction 'up'"),
    "bulk reduction of no type": (json.dumps(BULK | {"op": "add", "type": "f8"}), "type must be one of u32"),
    "report of no type": ('{"api": "tiled", "dtype": "FLOAT7", "address": "0x0", "driver_result": 0}', "no such call"),
}


def run(capsys, *arguments):
    status = command.main([str(argument) for argument in arguments])
    return status, *capsys.readouterr()


def test_status_0_where_all_rows_agree(capsys, written):
    assert run(capsys, written(GOOD, GOOD)) == (0, "rows.jsonl: limit: 2 of 2 rows agree\n", "")


def test_status_1_where_some_differ(capsys, written):
    status, out, _ = run(capsys, written(GOOD, BAD))
    assert status == 1
    assert out == (
        "rows.jsonl: limit: 1 of 2 rows agree\n"
        'row 2, limit: {"kind":"dim_cap","dim":1}\n'
        "    result: recorded 1, model 0\n"
    )


def test_only_the_first_n_differences_are_shown_then_a_count(capsys, written):
    _, out, _ = run(capsys, "--most", 2, written(*[BAD] * 5))
    assert out.count("row ") == 2
    assert out.endswith("… and 3 more rows that differ\n")


def test_twenty_are_shown_unless_told_otherwise(capsys, written):
    _, out, _ = run(capsys, written(*[BAD] * 21))
    assert (out.count("row "), "and 1 more" in out) == (20, True)


def test_the_worst_status_of_all_files_counts(capsys, written):
    good, bad = written(GOOD, name="good.jsonl"), written(BAD, name="bad.jsonl.gz")
    assert run(capsys, good, bad, good)[0] == 1
    assert run(capsys, bad, "missing.jsonl", good)[0] == 2


def test_an_empty_file_has_no_rows(capsys, written):
    assert run(capsys, written()) == (0, "rows.jsonl: no rows\n", "")


@pytest.mark.parametrize("case", UNREADABLE_ROWS)
def test_a_row_that_is_none_ends_in_a_sentence_with_its_number(case, capsys, tmp_path):
    line, sentence = UNREADABLE_ROWS[case]
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(GOOD) + "\n" + line + "\n")
    status, out, err = run(capsys, path)
    assert (status, out) == (2, "")
    assert sentence in err
    assert " 2: " in err
    assert err.count("\n") == 1


NO_RECORDINGS = {
    "plain.jsonl.gz": b"{}\n",
    "plain.jsonl.xz": b"{}\n",
    "short.jsonl.gz": gzip.compress(b"{}\n" * 9999)[:-9],
    "short.jsonl.xz": lzma.compress(b"{}\n" * 9999)[:-20],
    "broken.jsonl.gz": gzip.compress(bytes(range(256)) * 99)[:30] + b"\xff" * 90,
    "image.jsonl": b"\x89PNG\r\n\x1a\n\x00",
}


@pytest.mark.parametrize("name", NO_RECORDINGS)
def test_a_file_that_is_no_recording_ends_in_a_sentence(name, capsys, tmp_path):
    (tmp_path / name).write_bytes(NO_RECORDINGS[name])
    status, out, err = run(capsys, tmp_path / name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert name in err


def test_a_missing_file_and_a_folder_end_in_a_sentence(capsys, tmp_path):
    assert "No such file" in run(capsys, tmp_path / "gone.jsonl")[2]
    assert "directory" in run(capsys, tmp_path)[2]


def test_a_pipe_is_replayed_too(capsys, tmp_path):
    pipe = tmp_path / "rows.jsonl"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(json.dumps(GOOD) + "\n",))
    writer.start()
    assert run(capsys, pipe) == (0, "rows.jsonl: limit: 1 of 1 rows agree\n", "")
    writer.join()


def test_a_suffix_in_capitals_is_a_suffix(capsys, tmp_path):
    path = tmp_path / "ROWS.JSONL.GZ"
    path.write_bytes(gzip.compress(json.dumps(GOOD).encode()))
    assert run(capsys, path)[:2] == (0, "ROWS.JSONL.GZ: limit: 1 of 1 rows agree\n")


def test_the_bar_is_for_long_files_and_for_a_person_who_watches():
    assert command.hide_bar(999) is True
    assert command.hide_bar(1000) is None
    assert command.hide_bar(None) is None


def test_without_tqdm_the_replay_runs_without_a_bar(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert run(capsys, committed("encode.jsonl.xz"))[0] == 0
    assert command.bar_over("x", 5000) is iter


def test_the_module_runs_as_a_command():
    told = subprocess.run(
        [sys.executable, "-m", "course_lib.recordings", str(committed("traps.jsonl.xz"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stdout) == (0, "traps.jsonl.xz: limit: 191 of 191 rows agree\n")
