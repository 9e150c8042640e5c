"""The bytes of every recording: one formula, so that no data is shipped.

64-bit little-endian word i of memory with seed s is splitmix64 of s * 2**32 + i.
"""

from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

LOAD_MEMORY_BYTES = 4 << 20
STORE_MEMORY_BYTES = 256 << 10
SHARED_MEMORY_BYTES = 64 << 10
SHARED_SEED_STEP = 100_000  # shared memory of a store has the row's seed plus this
WINDOW_FILL = 0xCD
WINDOW_STEP_BYTES = 1024


def random_words(seed: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The 64-bit words with these numbers of memory with ``seed``."""
    z = (numbers + np.uint64((seed << 32) + 1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@lru_cache(maxsize=8)
def source_memory(seed: int, size_bytes: int) -> Bytes:
    """The first ``size_bytes`` (a multiple of 8) of memory with ``seed``, read-only."""
    memory = random_words(seed, np.arange(size_bytes // 8, dtype=np.uint64)).astype("<u8").view(np.uint8)
    memory.flags.writeable = False
    return memory


def digest(data: Bytes) -> str:
    """BLAKE2b of 12 bytes, in hex: how a row keeps a whole memory."""
    return blake2b(data.tobytes(), digest_size=12).hexdigest()


def window_for(end: int) -> int:
    """The window that a load ending at byte ``end`` gets: whole KiB, and one more to catch what spills over."""
    return -(-end // WINDOW_STEP_BYTES) * WINDOW_STEP_BYTES + WINDOW_STEP_BYTES
