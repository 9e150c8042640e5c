"""A small photograph, and channels made of it, for the lessons that load an image. Source and licence: photo/README.md."""

import zlib
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

FILE = files("course_lib.recordings") / "photo" / "cat.png"
SIDE = 4  # of the filters


@lru_cache(1)
def photo() -> NDArray[np.uint8]:
    """The photograph: 30 rows of 45 pixels of red, green and blue, read-only."""
    data, at, lines = FILE.read_bytes(), 8, b""
    size = [int.from_bytes(data[at + n : at + n + 4], "big") for n in (8, 12)]
    while at < len(data):
        length, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        lines += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    rows = np.frombuffer(zlib.decompress(lines), np.uint8).reshape(size[1], -1)
    return rows[:, 1:].reshape(size[1], size[0], 3)  # byte 0 of a row names its filter: 0 in this file


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
