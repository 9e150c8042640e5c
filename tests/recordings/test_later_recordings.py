"""What was recorded of copies to close gaps: the model gives every row's answer. The calls are in tests/model."""

import pytest

from course_lib.recordings import committed, read_rows
from course_lib.recordings.replay.kinds import kind_of

ROWS = {
    "load_pairs": 1_404,  # all 12 pairs of interleave and swizzle, tiled and im2col
    "load_wide": 234,  # maps of the wide call in an im2col copy
    "load_views": 84,  # boxes of NumPy views, and what is refused or traps
    "load_far": 429,  # coordinates and offsets at the ends of their ranges
    "load_wrap": 700,  # offsets that go around 2**64, once or oftener
    "store_wrap": 300,  # and those of stores and reductions
    "multicast_loads": 40,  # in clusters of 2 to 16: every block's window and barrier
    "wgmma_reads": 60,  # which addresses a descriptor makes the tensor core read
    "store_more": 1_998,  # shared addresses off 1024 bytes, odd pairs, im2col stores
    "faults": 96,  # unmapped memory, and which fault wins
    "prefetch": 8,  # tiled boxes asked for in L2: what faults
    "prefetch_im2col": 18,  # and pixel boxes
    "bulk": 310,  # copies without a tensor map
    "reduce_table": 33,  # 40 chosen operands against each other, for every legal pair
}


@pytest.mark.parametrize("name", ROWS)
def test_the_model_answers_every_row_as_the_hardware_did(name):
    rows = list(read_rows(committed(f"{name}.jsonl.xz")))
    assert len(rows) == ROWS[name]
    wrong = [row for row in rows if kind_of(row).compare(row).differing]
    assert wrong == []
