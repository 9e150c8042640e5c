"""The machine instructions that fences, and what stands in for them, become behind two stores. Needs no GPU."""

from collections.abc import Iterator

from course_lib.gpu.compile import compile_text, compiler
from course_lib.gpu.sass import opcodes, sass
from course_lib.rows.row import Row

TARGET, LAST_STORE = "sm_90a", "ST.E"
KERNEL = """extern "C" __global__ void __cluster_dims__(2, 1, 1) run(unsigned a, unsigned *p)
{{
    asm volatile("st.global.u32 [%0], %1; st.shared::cluster.u32 [%1], %1;" :: "l"(p), "r"(a) : "memory");
    asm volatile("{0}" :: "r"(a) : "memory");
}}
"""
INSTRUCTIONS = {
    "mbarrier.init": "mbarrier.init.shared::cta.b64 [%0], 1;",
    "fence.mbarrier_init.release.cluster": "fence.mbarrier_init.release.cluster;",
    "fence.proxy.async.shared::cta": "fence.proxy.async.shared::cta;",
    "fence.proxy.async.global": "fence.proxy.async.global;",
    "__threadfence()": "membar.gl;",
    "__syncthreads()": "bar.sync 0;",
    "barrier.cluster, release": "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;",
    "barrier.cluster, relaxed": "barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
}


def behind_the_stores(instruction: str) -> list[str]:
    """What the instruction becomes: the opcodes between the last store and the end."""
    found = opcodes(sass(compile_text(KERNEL.format(instruction), "one.cu", TARGET)))
    return found[found.index(LAST_STORE) + 1 : -1]


def measure(gpu: object, quick: bool) -> Iterator[Row]:
    """Every instruction once."""
    for name, text in INSTRUCTIONS.items():
        row: Row = {"compiler": compiler(), "target": TARGET, "instruction": name}
        yield row | {"opcodes": behind_the_stores(text)}
