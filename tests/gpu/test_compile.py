"""All kernels become machine code without a GPU; an error speaks with the kernel's own line numbers."""

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


@pytest.mark.parametrize("target", ["sm_90", "sm_90a", "sm_100a", "sm_120a"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_compiles_for_every_target(kernel, target):
    assert compile.cubin(kernel, target)[:4] == b"\x7fELF"


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_kernel_includes_anything(kernel):
    assert "#include" not in compile.source(kernel)


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
