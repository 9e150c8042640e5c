"""A kernel's PTX, SASS and resources, made here where there is a compiler; the sentence where there is none."""

import sys

import pytest

from course_lib.gpu import sm_limits
from course_lib.gpu.device import Unusable
from course_lib.gpu.listing import compiler_status, list_kernel, resources, section_bytes
from course_lib.recordings import committed, read_rows

compiler = pytest.mark.skipif(not compiler_status().usable, reason=compiler_status().sentence)


def test_without_the_package_the_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "cuda.bindings.nvrtc", None)
    status = compiler_status()
    assert not status.usable
    assert status.sentence == "No compiler: the package cuda-python is not installed (there is none for macOS)."


@compiler
def test_without_the_library_or_the_disassembler_the_sentence_says_which(monkeypatch):
    from cuda.bindings import nvrtc

    from course_lib.gpu import sass

    def missing(*_):
        raise FileNotFoundError

    def failing():
        raise RuntimeError

    monkeypatch.setattr(sass, "disassembler", missing)
    assert compiler_status().sentence.startswith("No disassembler: ")
    monkeypatch.setattr(nvrtc, "nvrtcVersion", failing)
    assert compiler_status().sentence == "No compiler: the package nvidia-cuda-nvrtc is not installed."


@compiler
@pytest.mark.parametrize("macros", [{"ASYNC": 1}, {"ASYNC": 0}])
def test_a_listing_made_here_has_the_instructions_that_the_lesson_reads(macros):
    made = list_kernel("row_to_shared", **macros)
    assert ("cp.async.cg.shared.global" in made["ptx"]) == bool(macros["ASYNC"])
    assert ("LDGSTS" in made["sass"]) == bool(macros["ASYNC"])
    assert ".entry run(" in made["ptx"]
    assert made["shared_bytes"] == 2048
    assert 8 <= made["registers"] <= 32


@compiler
def test_the_committed_resources_are_those_of_the_same_compiler():
    from cuda.bindings import nvrtc

    run, *rows = read_rows(committed("measure_listing.jsonl.xz"))
    if run["compiler"] != "NVRTC {}.{}".format(*nvrtc.nvrtcVersion()[1:]):
        pytest.skip(f"the committed listing is by {run['compiler']}")
    for row in rows:
        made = resources(row["kernel"], row["target"], **row["macros"])
        assert (made["registers"], made["shared_bytes"]) == (row["registers"], row["shared_bytes"]), row["macros"]


@compiler
def test_shared_memory_of_the_block_is_counted_without_the_systems():
    from course_lib.gpu import compile

    assert section_bytes(compile.cubin("row_to_shared", "sm_90a"), ".nv.shared.run") == 2048 + 1024
    assert section_bytes(compile.cubin("row_to_shared", "sm_90a"), ".no.such") == 0
    assert resources("measure_read_plain")["shared_bytes"] == 0


def test_the_limits_of_an_sm_are_attributes_that_the_driver_has():
    driver = pytest.importorskip("cuda.bindings.driver")
    names = [f"CU_DEVICE_ATTRIBUTE_{end}" for end in sm_limits.ATTRIBUTES.values()]
    assert [name for name in names if not hasattr(driver.CUdevice_attribute, name)] == []


def test_the_limits_of_this_gpu_are_those_of_the_model_or_nobody_tells_them(status):
    if not status.usable:
        with pytest.raises(Unusable):
            sm_limits.sm_limits()
        return
    found = sm_limits.sm_limits()
    assert found["registers"] == 65536
    assert found["reserved shared bytes of a block"] == 1024
