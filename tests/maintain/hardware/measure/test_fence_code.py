"""What fences become in machine code, asked of the compiler that is here. Needs no GPU."""

import pytest

from course_lib.gpu.listing import compiler_status
from course_lib.recordings import committed, read_rows

if not compiler_status().usable:
    pytest.skip(compiler_status().sentence, allow_module_level=True)

from maintain.hardware.measure import fence_code

RUN, *RECORDED = read_rows(committed("measure_fence_code.jsonl.xz"))


def test_the_recording_is_what_the_same_compiler_says_today():
    made = list(fence_code.measure(None, True))
    if made[0]["compiler"] != RUN["compiler"]:
        pytest.skip(f"the recording is by {RUN['compiler']}")
    assert made == RECORDED


def test_nothing_stands_behind_the_stores_where_nothing_was_asked():
    assert fence_code.behind_the_stores("") == []
