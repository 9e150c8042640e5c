"""The memory that every recorded copy read, as a formula instead of data; its digest; the window it is read into.

64-bit little-endian word i of memory with seed s is splitmix64 of s * 2**32 + i.
Source: the recordings' format; Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
"""

from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import ceil_div

GLOBAL_BYTES_OF_LOADS = 4 * 2**20
GLOBAL_BYTES_OF_STORES = 256 * 1024
SHARED_BYTES_OF_STORES = 64 * 1024
SHARED_SEED_OFFSET = 100_000  # shared memory of a store has the row's seed plus this
WINDOW_FILL = 0xCD
WINDOW_STEP_BYTES = 1024
DIGEST_BYTES = 12

Bytes = NDArray[np.uint8]


def random_words(seed: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The 64-bit words with these numbers of memory with ``seed``."""
    z = (numbers + np.uint64((seed << 32) + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@lru_cache(8)
def source_bytes(seed: int, size_bytes: int) -> Bytes:
    """The first ``size_bytes`` of memory with ``seed``, read-only."""
    words = random_words(seed, np.arange(ceil_div(size_bytes, 8), dtype=np.uint64))
    memory: Bytes = words.astype("<u8").view(np.uint8)[:size_bytes]
    memory.flags.writeable = False
    return memory


def digest(memory: Bytes) -> str:
    """BLAKE2b of 12 bytes, in hex: how a row keeps a whole memory."""
    return blake2b(memory.tobytes(), digest_size=DIGEST_BYTES).hexdigest()


def window_for(end_bytes: int) -> int:
    """The window for a copy that ends at ``end_bytes``: whole KiB, and one more to catch what spills over."""
    return (ceil_div(end_bytes, WINDOW_STEP_BYTES) + 1) * WINDOW_STEP_BYTES
