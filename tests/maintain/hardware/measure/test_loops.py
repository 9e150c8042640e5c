"""The loops over tiles, compiled here: the law holds for sizes that no recording has, and the recording can be made again."""

import pytest

pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from course_lib.gpu import sass
from course_lib.model.cost.tile_cost import TMA_LOOP, TMA_OF_ONE_WARP, loop_instructions
from course_lib.recordings.times.tile_costs import loop_rows
from maintain.hardware.measure import loops

try:
    sass.disassembler()
except (FileNotFoundError, RuntimeError):
    pytest.skip("nvidia-cuda-nvdisasm is not installed", allow_module_level=True)

from cuda.bindings import nvrtc

BY = next(iter(loop_rows()))["compiler"]
if "NVRTC {}.{}".format(*nvrtc.nvrtcVersion()[1:]) != BY:
    pytest.skip(f"the law is that of {BY}, and another compiler is installed", allow_module_level=True)

UNSEEN = [(8, 64, 5), (8, 1024, 1), (4, 256, 6), (2, 128, 2), (8, 32, 13)]  # units, threads, copies each


@pytest.mark.parametrize("edges", loops.EDGES)
@pytest.mark.parametrize(("units", "threads", "each"), UNSEEN)
def test_a_size_that_no_recording_has_keeps_the_law(edges, units, threads, each):
    macros = {"ROWS": each * threads // units, "UNITS": units, "THREADS": threads, "GUARD": loops.EDGES.index(edges)}
    row = loops.cp_async_row(macros)
    assert row["copies_each"] == each
    assert row["loop_instructions"] in loop_instructions(each, edges)


@pytest.mark.parametrize("edges", loops.EDGES)
@pytest.mark.parametrize(("threads", "each"), [(96, 3), (192, 8), (384, 4)])
def test_threads_that_are_no_power_of_two_keep_it_within_5_per_cent(edges, threads, each):
    macros = {"ROWS": each * threads // 8, "UNITS": 8, "THREADS": threads, "GUARD": loops.EDGES.index(edges)}
    law = loop_instructions(each, edges)
    assert 0.95 * law.start <= loops.cp_async_row(macros)["loop_instructions"] <= 1.05 * (law.stop - 1)


def test_by_tma_a_tile_of_a_height_that_no_recording_has_costs_the_same():
    row = loops.tma_row(40, loops.ISSUERS.index("elect.sync"))
    assert (row["loop_instructions"], row["of_one_warp"]) == (TMA_LOOP, TMA_OF_ONE_WARP)


def test_the_recording_is_what_the_compiler_says_today():
    recorded = {str((row["kernel"], row["macros"])): row for row in loop_rows()}
    for row in loops.measure(None, True):
        assert recorded[str((row["kernel"], row["macros"]))] == row


def test_the_longest_loop_is_found_and_what_one_warp_alone_issues():
    text = """
        /*0000*/                   MOV R1, R2 ;
.L_x_1:
        /*0010*/               @P0 BRA `(.L_x_2) ;
        /*0020*/                   UTMALDG.2D [UR8], [UR4] ;
.L_x_2:
        /*0030*/                   SYNCS R1 ;
        /*0040*/              @!P0 BRA `(.L_x_1) ;
        /*0050*/                   EXIT ;
.L_x_3:
        /*0060*/                   BRA `(.L_x_3) ;"""
    lines, one_warp = loops.longest_loop(text)
    assert lines[0] == "@P0 BRA `(.L_x_2)"
    assert len(lines) == 4
    assert one_warp == ["UTMALDG.2D [UR8], [UR4]"]


def test_a_size_that_is_no_constant_is_added_to_the_source_address_as_16_less_the_size():
    lines, _, _ = loops.compile_loop("measure_loop_cp_async", {"GUARD": 2})
    subtracted = [line for line in lines if line.startswith("IADD3") and ", 0x10, RZ" in line]
    masked = [line for line in lines if line.startswith("LOP3.LUT") and ", 0xf, RZ, 0xc0" in line]
    copies = [line for line in lines if line.startswith("LDGSTS")]
    assert len(subtracted) == len(masked) == len(copies) == 4
    assert all(".ZFILL" in line for line in copies)


def test_rows_decided_before_the_loop_are_predicates_and_beyond_six_they_spill_into_registers():
    few, many = (
        loops.compile_loop("measure_loop_cp_async", {"GUARD": 1, "THREADS": 128, "ROWS": 16 * each})[0]
        for each in (6, 8)
    )
    for lines, each in ((few, 6), (many, 8)):
        assert sum(line.startswith("LDGSTS") and ".ZFILL" not in line and ", !P" in line for line in lines) == each
    assert [any(line.startswith("P2R") for line in lines) for lines in (few, many)] == [False, True]
