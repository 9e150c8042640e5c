"""The C and the PTX that widgets and lessons show: a compiler takes it, and no read or copy can be moved across a wait."""

import re
from pathlib import Path

import pytest

from course_lib.model.facts.swizzle import PATTERNS
from course_lib.widgets.labs import edge
from course_lib.widgets.labs.banks import WIDTHS, bank_lab
from course_lib.widgets.labs.barrier import barrier_lab
from course_lib.widgets.labs.box import box_slider
from course_lib.widgets.labs.float_bits import float_bits
from course_lib.widgets.labs.packets import packet_lab
from course_lib.widgets.labs.swizzle import swizzle_lab
from course_lib.widgets.labs.tile_cost import tile_cost_lab

NAMED_IN_PTX = (  # registers that stand for what a kernel has
    ".reg .b32 shared, barrier, full, tile, column, row, x, y; .reg .b64 map, tensorMap, source, policy; .reg .pred p;"
)
LESSONS = Path(__file__).parents[2] / "notebooks"
SHOWN_BY = re.compile(r"asm volatile\((.*?)\);$", re.MULTILINE | re.DOTALL)
BEFORE = """typedef unsigned uint32_t;
struct __align__(64) CUtensorMap { unsigned long long words[16]; };
__device__ unsigned place(unsigned a) { return a ^ ((a & 0x380) >> 3); }
__device__ bool elected() { return threadIdx.x == 0; }
__device__ void wait(unsigned barrier, unsigned parity) {}
"""
TILE = """__shared__ __align__(1024) char shared[16384];
"""
IN_SHARED = TILE + "const char *tile = shared;\nunsigned row = threadIdx.x, column = 2, byte = 4;\n"
TWO_ADDRESSES = (
    TILE + "unsigned tile = (unsigned)__cvta_generic_to_shared(shared), to = tile, warp = threadIdx.x / 32;\n"
)


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def read_texts():
    """Every read that the widgets of lessons 08 and 09 show, with the declarations that it takes for granted."""
    for mode in PATTERNS:
        yield (
            f"swizzle {mode.name}",
            panel(swizzle_lab(mode=int(mode), row_bytes=32), "The read in a kernel"),
            IN_SHARED,
        )
    for width in WIDTHS:
        text = panel(bank_lab(width=width, pattern="eight", pitch_bytes=80), "The read in a kernel")
        yield f"banks {width}", text, TILE + "const char *tile = shared;\n"


def copy_texts():
    """Both kernels of the widget of lesson 01, for each kind of guard."""
    for edges in ("none", "rows", "any"):
        for title in ("By cp.async, in the kernel", "By TMA, in the kernel"):
            yield f"{title}, {edges}", panel(tile_cost_lab(edges=edges), title), TWO_ADDRESSES


def lesson_texts():
    """The code in C that lessons 01 and 09 show; the second keeps its function apart from what calls it."""
    for name, declared in (("01_why_tma", TWO_ADDRESSES), ("09_swizzle", IN_SHARED)):
        lines = (LESSONS / f"{name}.py").read_text(encoding="utf-8").replace("\n# ", "\n").replace("\n#\n", "\n\n")
        for number, text in enumerate(re.findall(r"```c\n(.*?)```", lines, re.DOTALL)):
            yield f"{name} {number}", text, declared


def ptx_texts():
    """The instructions that widgets show without C, and lesson 11."""
    yield "box", panel(box_slider(), "The copy in PTX")
    yield "packets", panel(packet_lab(), "The copy in PTX")
    yield "edge", "\n".join(edge.PTX.values()).format(column=4, row=1, bytes=128)
    yield "barrier", panel(barrier_lab(), "The steps in PTX")
    for what in ("load", "ADD"):
        yield f"float bits {what}", panel(float_bits(what=what), "The copy in PTX")
    blocks = re.findall(r"```\n(.*?)```", (LESSONS / "11_l2_promotion.py").read_text(encoding="utf-8"), re.DOTALL)
    for number, text in enumerate(text for text in blocks if text.startswith(("# createpolicy", "# cp.async"))):
        yield f"11_l2_promotion {number}", text.replace("# ", "")


TEXTS = [*read_texts(), *copy_texts(), *lesson_texts()]
PTX_TEXTS = list(ptx_texts())
NAMES = [name for name, *_ in TEXTS]


@pytest.fixture(scope="module")
def compile_text():
    compiler = pytest.importorskip("course_lib.gpu.compile", reason="cuda-python is not installed")
    try:
        compiler.nvrtc.nvrtcVersion()
    except RuntimeError:
        pytest.skip("the compiler nvidia-cuda-nvrtc is not installed")
    return compiler.compile_text


@pytest.mark.parametrize(("name", "text", "declared"), TEXTS, ids=NAMES)
def test_every_instruction_on_memory_says_so_to_the_compiler(name, text, declared):
    assert all(': "memory"' in said for said in SHOWN_BY.findall(text))
    assert len(SHOWN_BY.findall(text)) == text.count("asm")


@pytest.mark.parametrize(("name", "text", "declared"), TEXTS, ids=NAMES)
def test_a_compiler_takes_it_with_operands_of_the_right_width(compile_text, name, text, declared):
    functions = "\n".join(line for line in text.splitlines() if line.startswith("__device__"))
    body = "\n".join(line for line in text.splitlines() if not line.startswith("__device__"))
    named = "const char *in, size_t pitch, int width, int height, int x, int y, unsigned barrier, unsigned parity"
    kernel = f'extern "C" __global__ void run(const __grid_constant__ CUtensorMap map, {named})\n{{\n{declared}{{\n{body}\n}}\n}}\n'
    assert compile_text(f"{BEFORE}{functions}\n{kernel}", "shown.cu", "sm_90a")[:4] == b"\x7fELF"


@pytest.mark.parametrize(("name", "text"), PTX_TEXTS, ids=[name for name, _ in PTX_TEXTS])
def test_an_assembler_takes_the_instructions_that_stand_alone(compile_text, name, text):
    lines = re.sub(r"//.*", "", text).split("\n")
    said = "".join(f'    "{line} "\n' for line in (f"{{ {NAMED_IN_PTX}", *lines, "}"))
    kernel = f'extern "C" __global__ void run()\n{{\n    asm volatile(\n{said}    ::: "memory");\n}}\n'
    assert compile_text(kernel, "shown.cu", "sm_90a")[:4] == b"\x7fELF"
