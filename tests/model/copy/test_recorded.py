"""Every recorded copy, by what it shows: the chip's bytes, faults and counts are the model's."""

from functools import cache

import pytest

from course_lib.recordings import committed, read_rows
from course_lib.recordings.replay.kinds import kind_of

FILES = ("load", "load_offset", "store")
SPANS = {1: 32, 2: 64, 3: 128}
SIZES = {**dict.fromkeys((0,), 1), **dict.fromkeys((1, 6, 9), 2), **dict.fromkeys((4, 5, 8), 8)}


@cache
def compared():
    """(row, differing parts) of every recorded load, store and reduction, as compared with the model."""
    rows = [row for name in FILES for row in read_rows(committed(f"{name}.jsonl.xz"))]
    return [(row, kind_of(row).compare(row).differing) for row in rows]


def inner_bytes(row):
    elements = row["box_dim"][0] if row["api"] == "tiled" else row["channels_per_pixel"]
    return elements * SIZES.get(row["data_type"], 4)


def is_load(row):
    return "op" not in row and row["result"] == 0 and "fault" not in row


def is_copy(row, op):
    return row.get("op") == op and "fault" not in row


def across_an_edge(row):
    if row["api"] != "tiled":
        return False
    ends = zip(row["coordinates"], row["box_dim"], row["global_dim"], strict=False)
    return any(c < 0 or c + box > dim for c, box, dim in list(ends)[: row["rank"]])


SHOWN = {  # sentence: the rows that show it, and at least how many there are
    "a tiled load": (lambda r: is_load(r) and r["api"] == "tiled", 5_900),
    "an im2col load": (lambda r: is_load(r) and r["api"] == "im2col", 1_900),
    "an im2col load with offsets": (lambda r: is_load(r) and any(r.get("im2col_offsets", ())), 900),
    "a load with swizzle 32B": (lambda r: is_load(r) and r["swizzle"] == 1, 1_000),
    "a load with swizzle 64B": (lambda r: is_load(r) and r["swizzle"] == 2, 1_000),
    "a load with swizzle 128B": (lambda r: is_load(r) and r["swizzle"] == 3, 1_000),
    "a row narrower than the swizzle span": (
        lambda r: is_load(r) and r["interleave"] == 0 and inner_bytes(r) < SPANS.get(r["swizzle"], 0),
        1_000,
    ),
    "a window that starts off the 1024-byte boundary": (
        lambda r: is_load(r) and r.get("shared_address", 0) % 1024,
        1_000,
    ),
    "interleave 16B": (lambda r: is_load(r) and r["interleave"] == 1, 300),
    "interleave 32B": (lambda r: is_load(r) and r["interleave"] == 2, 300),
    "a box across an edge, filled with zeros": (
        lambda r: is_load(r) and across_an_edge(r) and not r["oob_fill"],
        2_000,
    ),
    "a box across an edge, filled with NaN": (lambda r: is_load(r) and across_an_edge(r) and r["oob_fill"], 500),
    "TF32 rounding": (lambda r: is_load(r) and r["data_type"] in (11, 12), 600),
    "element strides": (lambda r: is_load(r) and max(r["element_strides"]) > 1, 1_000),
    "a load that traps": (lambda r: "op" not in r and r.get("fault"), 20),
    "a load of a refused map": (lambda r: "op" not in r and r["result"], 15),
    "a store": (lambda r: is_copy(r, "store"), 800),
    "a store across an edge": (lambda r: is_copy(r, "store") and across_an_edge(r), 300),
    "a store with swizzle": (lambda r: is_copy(r, "store") and r["swizzle"], 300),
    "a store or reduction that traps": (lambda r: "op" in r and r.get("fault"), 10),
    **{
        f"{op}": (lambda r, op=op: is_copy(r, op), 50) for op in ("add", "min", "max", "inc", "dec", "and", "or", "xor")
    },
    "add on floats": (lambda r: is_copy(r, "add") and r["data_type"] in (6, 7, 8, 9, 10, 11, 12), 100),
}


def test_the_model_answers_every_recorded_copy_as_the_chip_did():
    assert [row for row, differing in compared() if differing] == []
    assert len(compared()) == 10_500


@pytest.mark.parametrize("sentence", SHOWN)
def test_the_model_is_right_on_each_recorded(sentence):
    shows, least = SHOWN[sentence]
    rows = [(row, differing) for row, differing in compared() if shows(row)]
    assert len(rows) >= least
    assert [row for row, differing in rows if differing] == []
