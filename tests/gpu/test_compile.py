"""All kernels become machine code without a GPU; an error speaks with the kernel's own line numbers."""

import subprocess
from shutil import which

import pytest

nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from course_lib.gpu import compile
from course_lib.gpu.asked import (
    copies,
    operands,
)
from course_lib.gpu.asked.bulk import reduction
from maintain.hardware.cases.bulk import IN_CLUSTER, REDUCTIONS

try:
    nvrtc.nvrtcVersion()
except RuntimeError:
    pytest.skip("the compiler nvidia-cuda-nvrtc is not installed", allow_module_level=True)

KERNELS = sorted(path.stem for path in compile.KERNELS.glob("*.cu"))
IM2COL = {"MODE": '"im2col_no_offs"', "IM2COL": 1}
PRINTED = {"bulk_load", "row_to_shared"}  # lesson 02 prints the one, a recording holds the text of the other
HELPERS = (  # what the header spells once for all
    *("tensor_map { ", "extern __shared__", "%%globaltimer", "%%clock;"),
    *("mbarrier.init.", "mbarrier.test_wait", "mbarrier.try_wait", "mbarrier.arrive.expect_tx.shared::cta.b64 _"),
)
INCLUDED = '#include "tma.cuh"'
LACKS_A_NAME = INCLUDED + "\n__global__ void k() {\n  init(shared_address(window));\n  nonsense;\n}"


@pytest.mark.parametrize("target", ["sm_90", "sm_90a", "sm_100a", "sm_120a"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_compiles_for_every_target(kernel, target):
    assert compile.cubin(kernel, target)[:4] == b"\x7fELF"


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_includes_the_header_beside_it_and_nothing_else(kernel):
    included = [line for line in compile.source(kernel).splitlines() if line.startswith("#include")]
    assert included in ([], [INCLUDED])
    assert kernel not in PRINTED or not included


@pytest.mark.parametrize("kernel", sorted(set(KERNELS) - PRINTED))
def test_no_kernel_repeats_what_the_header_has(kernel):
    text = compile.source(kernel)
    shared = HELPERS if INCLUDED in text else [name for name in HELPERS if name != "extern __shared__"]
    assert [name for name in shared if name in text] == []
    assert INCLUDED not in text or "unsigned long long" not in text


def test_the_header_has_what_no_kernel_repeats_and_needs_no_other():
    assert [name for name in HELPERS if name not in compile.header()] == []
    assert "#include" not in compile.header()


def test_the_compiler_gets_the_header_by_its_name_whatever_lies_in_the_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tma.cuh").write_text("#error another header")
    mine = INCLUDED + "\n__global__ void k() { init(shared_address(window)); }"
    assert compile.compile_text(mine, "mine.cu")[:4] == b"\x7fELF"
    assert "mbarrier.init" in compile.ptx_of(mine, "mine.cu", "sm_90", {})
    with pytest.raises(compile.CompileError, match=r"other\.cuh"):
        compile.compile_text('#include "other.cuh"', "mine.cu")


def test_a_kernels_whole_source_makes_the_same_code_without_the_header():
    whole = compile.whole_source("load_tiled")
    assert "#include" not in whole
    made = [compile.ptx_of(text, "k.cu", "sm_90a", {}) for text in (whole, compile.source("load_tiled"))]
    assert made[0] == made[1]
    assert compile.whole_source("bulk_load") == compile.source("bulk_load")


@pytest.mark.parametrize("op", ["add", "min", "max", "inc", "dec", "and", "or", "xor"])
@pytest.mark.parametrize("mode", [{}, IM2COL])
def test_every_reduction_compiles_in_both_modes(op, mode):
    assert compile.cubin("reduce", "sm_90", OP=f'"{op}"', **mode)


@pytest.mark.parametrize(("kernel", "table"), [("bulk_store", REDUCTIONS), ("bulk_cluster", IN_CLUSTER)])
def test_every_linear_reduction_that_is_recorded_compiles(kernel, table):
    for op, kinds in table.items():
        for kind in kinds:
            assert compile.cubin(kernel, "sm_90", **reduction({"op": op, "type": kind}))


@pytest.mark.parametrize("size", [0, 4, 8, 16])
def test_every_access_width_compiles(size):
    assert compile.cubin("banks", "sm_90", BYTES=size)


def test_an_error_shows_the_log_with_the_kernels_own_lines():
    with pytest.raises(compile.CompileError, match=r"mine\.cu\(2\): error"):
        compile.compile_text("__global__ void k() {\n  nonsense;\n}", "mine.cu")
    with pytest.raises(compile.CompileError, match=r"mine\.cu\(4\): error"):
        compile.compile_text(LACKS_A_NAME, "mine.cu")


@pytest.mark.skipif(which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize(
    "kernels", [["load_tiled", "bulk_load"], pytest.param(KERNELS, marks=pytest.mark.slow)], ids=len
)
def test_nvcc_compiles_a_kernel_as_it_stands(kernels, tmp_path):
    files = [compile.KERNELS / f"{kernel}.cu" for kernel in kernels]
    command = ["nvcc", "-std=c++17", "-arch=sm_90a", "-cubin", "--threads=0", *files]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stderr == ""
    assert {path.stem for path in tmp_path.glob("*.cubin")} == set(kernels)


def test_an_instruction_that_the_target_lacks_is_an_error():
    with pytest.raises(compile.CompileError, match="sm_90"):
        compile.cubin("load_tiled", "sm_80")


def test_a_kernel_that_is_not_there_is_an_error():
    with pytest.raises(FileNotFoundError):
        compile.cubin("nothing")


def test_the_kernels_requests_are_laid_out_as_ours():
    assert copies.LoadRequest.transaction_bytes.offset == 4 * (1 + 5 + 3 + 2)
    assert copies.StoreRequest.shared_bytes.offset == 4 * (1 + 5 + 1)


def test_a_table_of_operands_is_one_legal_box():
    for data_type in (2, 6, 8):
        assert operands.table_map(data_type, 4096 * 8).check().accepted
