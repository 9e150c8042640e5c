"""Flat uint8 memories for the tests of copies."""

from functools import cache

import numpy as np

UNTOUCHED = 0xCD


def zeros(size):
    """Memory of zeros."""
    return np.zeros(size, np.uint8)


def window(size=4096):
    """Shared memory in which an untouched byte shows."""
    return np.full(size, UNTOUCHED, np.uint8)


@cache
def noise(seed, size):
    """Random bytes, read-only: the same for a seed."""
    data = np.random.default_rng(seed).integers(0, 256, size, np.uint8)
    data.flags.writeable = False
    return data


def counting(size, dtype=np.uint8):
    """0, 1, 2 … as elements of a type, seen as bytes."""
    return np.arange(size // np.dtype(dtype).itemsize).astype(dtype).view(np.uint8)
