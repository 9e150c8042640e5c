"""The C that widgets and lessons show: a compiler takes it, and no read or copy can be moved across a wait."""

import re
from pathlib import Path

import pytest

from course_lib.model.swizzle import PATTERNS
from course_lib.widgets.banks import WIDTHS, bank_lab
from course_lib.widgets.swizzle import swizzle_lab
from course_lib.widgets.tile_cost import tile_cost_lab

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


TEXTS = [*read_texts(), *copy_texts(), *lesson_texts()]
NAMES = [name for name, *_ in TEXTS]


@pytest.mark.parametrize(("name", "text", "declared"), TEXTS, ids=NAMES)
def test_every_instruction_on_memory_says_so_to_the_compiler(name, text, declared):
    assert all(': "memory"' in said for said in SHOWN_BY.findall(text))
    assert len(SHOWN_BY.findall(text)) == text.count("asm")


@pytest.mark.parametrize(("name", "text", "declared"), TEXTS, ids=NAMES)
def test_a_compiler_takes_it_with_operands_of_the_right_width(name, text, declared):
    compile = pytest.importorskip("course_lib.gpu.compile", reason="cuda-python is not installed")
    functions = "\n".join(line for line in text.splitlines() if line.startswith("__device__"))
    body = "\n".join(line for line in text.splitlines() if not line.startswith("__device__"))
    named = "const char *in, size_t pitch, int width, int height, int x, int y, unsigned barrier, unsigned parity"
    kernel = f'extern "C" __global__ void run(const __grid_constant__ CUtensorMap map, {named})\n{{\n{declared}{{\n{body}\n}}\n}}\n'
    assert compile.compile_text(f"{BEFORE}{functions}\n{kernel}", "shown.cu", "sm_90a")[:4] == b"\x7fELF"
