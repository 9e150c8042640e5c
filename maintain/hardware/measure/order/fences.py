"""What a missing fence costs: a barrier set up, a tile written, a tile read, each before the engine comes, k of n.

Case "init": mbarrier.init, then a copy through that barrier. Case "store": ordinary stores, then a bulk copy to global
memory. Case "load": ordinary loads, then a bulk copy over what they read. __syncthreads() is in all of them. No run was
seen to go wrong so; ``fences_close`` comes closer.
"""

from collections.abc import Iterator
from statistics import median

import numpy as np
from numpy.typing import NDArray

from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.rows.row import Row

CASES = ("init", "store", "load")
FENCES = ("none", "fence.proxy.async.shared::cta", "fence.mbarrier_init.release.cluster")
WORDS, ROUNDS, THREADS, BLOCKS, LAUNCHES = 1024, 32, 256, 264, 8
NEVER = 0xFFFFFFFF
Words = NDArray[np.uint32]


def numbered_tiles(count: int) -> Words:
    """Word i of tile k is k << 16 | i."""
    tile, word = np.arange(count)[:, None], np.arange(WORDS)
    words: Words = (tile << 16 | word).astype(np.uint32)
    return words


def launch_fences(gpu: Gpu, case: str, fence: str, blocks: int) -> Words:
    """Wrong words of every round of every block; NEVER where its phase did not end."""
    source, told = gpu.buffer("tiles", 4 * WORDS * ROUNDS), gpu.buffer("told", 4 * blocks * ROUNDS)
    target = gpu.buffer("target", 4 * WORDS * ROUNDS * blocks)
    gpu.write(source, numbered_tiles(ROUNDS).view(np.uint8).reshape(-1))
    function = gpu.function("measure_fences", macros={"CASE": CASES.index(case), "FENCE": FENCES.index(fence)})
    Launch(function, (pointer(source), pointer(target), pointer(told)), (blocks, 1), THREADS)()
    finish()
    if case == "store":
        stored = gpu.read(target, 4 * WORDS * ROUNDS * blocks).view(np.uint32).reshape(blocks, ROUNDS, WORDS)
        return count_stale(stored)
    return gpu.read(told, 4 * blocks * ROUNDS).view(np.uint32)


def count_stale(stored: Words) -> Words:
    """How many words of each tile are not those of its round: (blocks, rounds, words) in."""
    counts: Words = (stored != numbered_tiles(stored.shape[1])).sum(axis=2, dtype=np.uint32)
    return counts.reshape(-1)


def count_wrong(wrong: Words) -> Row:
    """In how many rounds was something wrong, how much, and how many phases never ended?"""
    bad = wrong[(wrong > 0) & (wrong != NEVER)]
    row: Row = {"runs": int(wrong.size), "runs_with_wrong_words": int(bad.size)}
    return row | {
        "wrong_words_median": median(bad.tolist()) if bad.size else 0,
        "never_ended": int((wrong == NEVER).sum()),
    }


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """Every case with every fence that is meant for it, and without; those that may trap come last."""
    blocks, launches = (8, 1) if quick else (BLOCKS, LAUNCHES)
    asked = [(case, fence) for case in ("store", "load") for fence in FENCES[:2]]
    for case, fence in [*asked, ("init", FENCES[1]), ("init", FENCES[2]), ("init", FENCES[0])]:
        wrong = np.concatenate([launch_fences(gpu, case, fence, blocks) for _ in range(launches)])
        row: Row = {
            "kernel": "measure_fences",
            "case": case,
            "fence": fence,
            "tile_bytes": 4 * WORDS,
            "threads": THREADS,
        }
        yield row | count_wrong(wrong)
