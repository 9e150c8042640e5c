"""Fences left out where less time lies between the two proxies than in ``fences``, and between the blocks of a cluster.

"shared": one warp writes a tile of shared memory and has it copied at once. "global": the same in global memory. "busy":
seven more warps store to that memory meanwhile. "init" and "remote": see measure_fences_cluster.cu. On an H200 every busy
run without a fence had wrong words, and none with it: measure_fences_close.jsonl.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.buffers import zero
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.rows.row import Row
from maintain.hardware.measure.order.fences import ROUNDS, WORDS, Words, count_stale, count_wrong

PROXY, RELEASE = "fence.proxy.async", "fence.mbarrier_init.release.cluster"
CLOSE = {"shared": ("none", PROXY), "global": ("none", PROXY, "__threadfence")}
CLUSTER = {"remote": ("none", f"{PROXY} by the writers", f"{PROXY} by the reader"), "init": ("none", RELEASE, PROXY)}
BLOCKS, LAUNCHES, WARP, THREADS = 264, 8, 32, 256


def launch_close(gpu: Gpu, kernel: str, macros: Macros, groups: int, threads: int, stored: bool) -> Words:
    """Wrong words of every round of every group of blocks; ``stored``: counted here, in the tiles that were stored."""
    blocks = groups * (2 if kernel == "measure_fences_cluster" else 1)
    target, told = gpu.buffer("target", 4 * WORDS * ROUNDS * BLOCKS), gpu.buffer("told", 4 * BLOCKS * ROUNDS)
    zero(target, 4 * WORDS * ROUNDS * BLOCKS)
    function = gpu.function(kernel, macros=macros)
    Launch(function, (pointer(target), pointer(told)), (blocks, 1), threads)()
    finish()
    if stored:
        return count_stale(gpu.read(target, 4 * WORDS * ROUNDS * groups).view(np.uint32).reshape(groups, ROUNDS, WORDS))
    return gpu.read(told, 4 * groups * ROUNDS).view(np.uint32)


def fence_runs() -> Iterator[tuple[str, str, str, str, Macros]]:
    """Kernel, case, fence, what else differs, and the macros. Barriers set up without a fence come last."""
    for (number, case), busy in product(enumerate(CLOSE), (0, 1)):
        for fence, name in enumerate(CLOSE[case]):
            macros: Macros = {"CASE": number, "FENCE": fence, "BUSY": busy}
            yield "measure_fences_close", case, name, "busy" if busy else "quiet", macros
    for (number, case), relaxed in product(((1, "remote"), (0, "init")), (0, 1)):
        for fence in (1, 2, 0):
            macros = {"CASE": number, "FENCE": fence, "RELAXED": relaxed}
            meeting = "relaxed" if relaxed else "release"
            yield "measure_fences_cluster", case, CLUSTER[case][fence], meeting, macros


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Every case with and without its fences, k of n."""
    for kernel, case, fence, how, macros in fence_runs():
        groups = (8 if quick else BLOCKS) // (2 if case in CLUSTER else 1)
        threads = WARP if how == "quiet" else THREADS
        stored = case in ("shared", "remote")
        launches = range(1 if quick else LAUNCHES)
        wrong = np.concatenate([launch_close(gpu, kernel, macros, groups, threads, stored) for _ in launches])
        row: Row = {"kernel": kernel, "macros": macros, "case": case, "fence": fence, "how": how}
        yield row | {"tile_bytes": 4 * WORDS, "threads": threads} | count_wrong(wrong)
