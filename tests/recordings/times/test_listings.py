"""The committed listings: what the lesson reads in them, and that they are of the kernels as they stand."""

from pathlib import Path

import pytest

import course_lib.gpu
from course_lib.recordings import RecordingError
from course_lib.recordings.times.listings import listing, listings_compiler, resident_launches

ASYNC, PLAIN, CARELESS = {"ASYNC": 1}, {"ASYNC": 0}, {"ASYNC": 1, "WAIT": 0}


def opcodes(made):
    return [line.split()[1] for line in made.instructions]


@pytest.mark.parametrize("macros", [ASYNC, PLAIN, CARELESS])
def test_a_listing_is_of_the_kernel_that_lies_in_the_project(macros):
    kernel = Path(course_lib.gpu.__file__).parent / "kernels" / "row_to_shared.cu"
    assert listing("row_to_shared", **macros).source == kernel.read_text(encoding="utf-8")


def test_instructions_end_with_exit_and_lie_16_bytes_apart():
    for macros in (ASYNC, PLAIN, CARELESS):
        lines = listing("row_to_shared", **macros).instructions
        assert [int(line.split()[0], 16) for line in lines] == [16 * number for number in range(len(lines))]
        assert lines[-1].endswith("EXIT")


def test_cp_async_takes_no_register_for_its_bytes_and_the_plain_way_takes_four():
    with_copy, plain = listing("row_to_shared", **ASYNC), listing("row_to_shared", **PLAIN)
    assert "LDGSTS.E.BYPASS.128" in opcodes(with_copy)
    assert not {"LDG.E.128", "STS.128"} & set(opcodes(with_copy))
    assert {"LDG.E.128", "STS.128"} <= set(opcodes(plain))
    assert with_copy.registers == 14
    assert plain.registers == 16


def test_without_a_wait_only_the_barrier_of_threads_is_left():
    waiting, careless = (opcodes(listing("row_to_shared", **macros)) for macros in (ASYNC, CARELESS))
    assert "DEPBAR.LE" in waiting
    assert "DEPBAR.LE" not in careless
    assert "BAR.SYNC.DEFER_BLOCKING" in careless


def test_ptx_is_told_without_declarations():
    body = listing("row_to_shared", **ASYNC).ptx_body
    assert len(body) == 27
    assert body[0].startswith("ld.param")
    assert body[-1] == "ret;"
    assert not [line for line in body if line.startswith((".", "//"))]


def test_the_compiler_is_named_and_an_unknown_listing_is_an_error():
    assert listings_compiler().startswith("NVRTC ")
    with pytest.raises(RecordingError, match="no listing"):
        listing("row_to_shared", ASYNC=2)


def test_each_recorded_launch_knows_its_registers_and_shared_memory():
    launches = resident_launches()
    assert {launch.kernel for launch in launches} == {"measure_read_plain", "measure_read_cp_async", "measure_read_tma"}
    assert all(16 <= launch.registers <= 42 for launch in launches)
    assert {launch.shared_bytes for launch in launches if launch.kernel == "measure_read_plain"} == {0}
    assert min(launch.shared_bytes for launch in launches if launch.kernel == "measure_read_tma") > 4096


def test_one_launch_tells_four_quarters_from_one_pool():
    told = [launch for launch in resident_launches() if (launch.threads, launch.registers) == (64, 42)]
    assert [launch.blocks for launch in told] == [20]
    assert 65536 // 1536 // 2 == 21
