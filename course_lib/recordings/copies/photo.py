"""A small photograph, and channels made of it, for the lessons that load an image. Source and licence: photo/README.md."""

from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

FILE = files("course_lib.recordings") / "photo" / "cat.npy"
SIDE = 4  # of the filters


@lru_cache(1)
def photo() -> NDArray[np.uint8]:
    """The photograph: 30 rows of 45 pixels of red, green and blue, read-only."""
    with FILE.open("rb") as stored:
        pixels: NDArray[np.uint8] = np.load(stored)
    pixels.flags.writeable = False
    return pixels


@lru_cache(1)
def features() -> NDArray[np.float16]:
    """The photograph as a batch of one image with 19 channels, (1, 19, 30, 45), whole numbers, read-only.

    Red, green, blue, and what 16 filters make of their mean: the patterns of +1 and -1 in 4 x 4 pixels that are
    orthogonal (Walsh, Hadamard), divided by 16 and rounded. Channel 3 is a mean of 16 pixels, the others are edges.
    """
    colours = photo().astype(np.int64)
    grey = np.pad(colours.sum(2) // 3, ((1, SIDE - 2), (1, SIDE - 2)), mode="edge")
    two = np.array([[1, 1], [1, -1]])
    waves = np.kron(two, two)
    around = np.lib.stride_tricks.sliding_window_view(grey, (SIDE, SIDE))
    answers = np.einsum("ai,bj,hwij->abhw", waves, waves, around).reshape(SIDE * SIDE, *photo().shape[:2]) // 16
    made = np.concatenate([np.moveaxis(colours, 2, 0), answers])[None].astype(np.float16)
    made.flags.writeable = False
    return made
