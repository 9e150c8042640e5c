"""Which instruction assembles for which architecture, and what the assembler says. Needs no GPU."""

from collections.abc import Iterator

from cuda.bindings import nvrtc

from course_lib.gpu.compile import compiler, compiler_log, create_program
from course_lib.rows.row import Row

TARGETS = ("sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120", "sm_120a")
COPY = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
INSTRUCTIONS = {
    "tensor copy": f'"{COPY} [%0], [%1, {{%2, %2}}], [%0];" :: "r"(a), "l"(p), "r"(n)',
    "tensor copy, multicast": f'"{COPY}.multicast::cluster [%0], [%1, {{%2, %2}}], [%0], %3;" :: "r"(a), "l"(p), "r"(n), "h"(m)',
    "tensormap.replace": '"tensormap.replace.tile.global_address.global.b1024.b64 [%0], %0;" :: "l"(p)',
    "fence.proxy.tensormap": '"fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(p)',
    "wgmma": '"wgmma.fence.sync.aligned;" ::',
    "setmaxnreg": '"setmaxnreg.dec.sync.aligned.u32 40;" ::',
    "elect.sync": '"{ .reg .pred q; elect.sync _|q, 0xFFFFFFFF; }" ::',
    "fma.rn.oob": '"{ .reg .b32 d; fma.rn.oob.f16x2 d, %0, %0, %0; }" :: "r"(a)',
    "prefetch, im2col": '"cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %1, %1}], {%2};" :: "l"(p), "r"(n), "h"(m)',
    **{
        f"createpolicy, {policy}": f'"{{ .reg .b64 q; createpolicy.fractional.L2::{policy}.b64 q, 1.0; }}" ::'
        for policy in ("evict_first", "evict_last", "evict_normal", "evict_unchanged", "evict_no_allocate")
    },
    "prefetch.tensormap": '"prefetch.tensormap [%0];" :: "l"(p)',
}
KERNEL = """extern "C" __global__ void run(unsigned a, unsigned long long p, unsigned n, unsigned short m)
{{
    asm volatile({0} : "memory");
}}
"""


def assemble(instruction: str, target: str) -> tuple[bool, str]:
    """(does it assemble, what was said)."""
    program = create_program(KERNEL.format(instruction), "one.cu")
    try:
        (code,) = nvrtc.nvrtcCompileProgram(program, 1, [f"--gpu-architecture={target}".encode()])
        return not int(code), compiler_log(program)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def measure(gpu: object, quick: bool) -> Iterator[Row]:
    """Every instruction for every target."""
    for name, text in INSTRUCTIONS.items():
        for target in TARGETS:
            fine, said = assemble(text, target)
            yield {
                "instruction": name,
                "target": target,
                "assembles": fine,
                "said": said,
                "compiler": compiler(),
            }
