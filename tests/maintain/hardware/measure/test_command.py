"""The command: one process a measurement, its own time limit, counters beside their launches."""

import json
import sys

import pytest

pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from course_lib.gpu import sass
from maintain.hardware.measure import __main__ as command
from maintain.hardware.measure import assemble, counters, one
from maintain.hardware.measure.table import MEASUREMENTS, Measurement

LOG = """==PROF== Connected to process 1
"ID","Kernel Name","dram__bytes_read.sum","gpu__time_duration.sum"
"","","byte","ns"
"0","run","1,234","5,600"
"1","run","n/a","7"
"""


def test_every_measurement_can_be_loaded_and_has_a_limit():
    assert all(callable(measurement.load()) and measurement.seconds > 0 for measurement in MEASUREMENTS.values())


def test_the_profilers_table_is_read_launch_by_launch():
    first, second = counters.counter_rows(LOG)
    assert first["dram_read_bytes"] == 1234
    assert first["profiled_ns"] == 5600
    assert first["l2_read_sectors"] is None
    assert second["dram_read_bytes"] is None


def test_launches_and_counters_must_be_as_many():
    assert list(counters.rows_with_counters([{"a": 1}], [{"b": 2}])) == [{"a": 1, "b": 2}]
    with pytest.raises(ValueError, match=r"shorter|longer"):
        list(counters.rows_with_counters([{"a": 1}, {"a": 2}], [{"b": 2}]))


def test_only_counted_measurements_run_under_the_profiler(tmp_path):
    assert command.command_of("hints_counters", tmp_path / "x.jsonl", True)[0] == "ncu"
    plain = command.command_of("fma", tmp_path / "x.jsonl", False)
    assert plain == [sys.executable, "-m", "maintain.hardware.measure.one", "fma", str(tmp_path / "x.jsonl")]
    assert counters.command(tmp_path / "log")[2] == "none"


def test_a_measurement_that_hangs_or_fails_costs_only_itself(monkeypatch, tmp_path):
    monkeypatch.setitem(MEASUREMENTS, "fma", Measurement("fma", 0.3))
    sleeping = [sys.executable, "-c", "import time; time.sleep(60)"]
    assert command.run_measurement("fma", tmp_path, True, sleeping).startswith("fma: ran out of time")
    failing = [sys.executable, "-c", "raise SystemExit('broken')"]
    monkeypatch.setitem(MEASUREMENTS, "fma", Measurement("fma", 30))
    assert "failed: broken" in command.run_measurement("fma", tmp_path, True, failing)
    assert "could not start" in command.run_measurement("fma", tmp_path, True, [str(tmp_path / "nothing")])


def test_counters_are_put_beside_the_rows(tmp_path):
    target = tmp_path / "measure_x.jsonl"
    target.write_text('{"kind":"run"}\n{"a":1}\n{"a":2}\n')
    target.with_suffix(".csv").write_text(LOG)
    assert command.join_counters(target) == ""
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert [row.get("dram_read_bytes") for row in rows] == [None, 1234, None]
    target.with_suffix(".csv").unlink()
    assert "without counters" in command.join_counters(target)


def test_rows_reach_the_file_at_once(tmp_path):
    def rows():
        yield {"a": 1}
        assert (tmp_path / "f").read_text() == '{"a":1}\n'
        yield {"a": 2}

    assert one.write_rows(rows(), tmp_path / "f") == 2


def test_what_needs_a_gpu_is_left_out_without_one(status, tmp_path, capsys):
    if status.usable:
        pytest.skip("there is a GPU")
    assert command.main([str(tmp_path), "--only", "fma"]) == 1
    assert status.sentence in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_instructions_are_read_from_the_disassembly():
    text = """        /*0010*/                   S2R R7, SR_TID.X ;
        /*0040*/               @P0 BRA `(.L_x_1) ;
        /*0050*/              @!UP0 UIADD3 UR4, URZ ;
        /*0060*/                   EXIT ;
        /*0070*/                   BRA `(.L_x_2) ;"""
    assert sass.opcodes(text) == ["S2R", "BRA", "UIADD3", "EXIT"]


def compiler_has_a_disassembler():
    try:
        return bool(sass.disassembler())
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not compiler_has_a_disassembler(), reason="nvidia-cuda-nvdisasm is not installed")
def test_one_tile_by_tma_takes_fewer_warp_instructions_and_registers_than_by_cp_async():
    by_threads, elected, thread_0 = sass.measure(None, True)
    assert by_threads["opcodes"]["LDGSTS.E.BYPASS.128.ZFILL"] * by_threads["warps"] == 32
    for row in (elected, thread_0):
        assert row["opcodes"]["UTMALDG.2D"] == 1
        assert row["warp_instructions"] < by_threads["warp_instructions"] / 4
        assert row["registers"] < by_threads["registers"]
    assert elected["of_one_warp"] < thread_0["of_one_warp"]


def test_multicast_assembles_for_sm_90_with_advice():
    fine, said = assemble.assemble(assemble.INSTRUCTIONS["tensor copy, multicast"], "sm_90")
    assert fine
    assert "Advisory" in said
    assert assemble.assemble(assemble.INSTRUCTIONS["tensor copy, multicast"], "sm_90a") == (True, "")


def test_a_descriptor_is_edited_only_with_the_architectures_own_features():
    edit = assemble.INSTRUCTIONS["tensormap.replace"]
    assert [assemble.assemble(edit, target)[0] for target in ("sm_90", "sm_90a", "sm_100a", "sm_120a")] == [
        False,
        True,
        True,
        True,
    ]
