"""The memory that every recorded copy read: a formula instead of data."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..model.sizes import ceil_div

GLOBAL_BYTES_OF_LOADS = 4 * 2**20
GLOBAL_BYTES_OF_STORES = 256 * 1024
SHARED_BYTES_OF_STORES = 64 * 1024
SHARED_SEED_OFFSET = 100_000
WINDOW_FILL = 0xCD


@lru_cache(8)
def source_bytes(seed: int, size: int) -> NDArray[np.uint8]:
    """``size`` bytes of memory with ``seed``, read-only: word i is splitmix64 of seed * 2**32 + i.

    Source: the recordings' format; Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
    """
    words = np.arange(ceil_div(size, 8), dtype=np.uint64) + np.uint64((seed << 32) + 1)
    z = words * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    memory: NDArray[np.uint8] = (z ^ (z >> np.uint64(31))).astype("<u8").view(np.uint8)[:size]
    memory.flags.writeable = False
    return memory
