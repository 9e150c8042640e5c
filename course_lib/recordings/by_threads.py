"""Recorded tensor loads held against threads that copy 16 bytes at a time: is every byte of shared memory the same?"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..model.thread_copy import Memory, must_be_plain, perform, thread_copies
from .calls import tensor_map_of
from .copy_rows import digest
from .files import Row, committed, read_rows
from .memory import GLOBAL_BYTES_OF_LOADS, WINDOW_FILL, source_bytes

FILES = ("load_windows.jsonl.xz", "load_swizzle.jsonl.xz", "load_offset.jsonl.xz", "load.jsonl.xz")
THREADS = 256


class PlainLoad(NamedTuple):
    """A recorded load that threads could do: the call, and the digest of the window that the H200 left."""

    tensor_map: Any
    coordinates: tuple[int, ...]
    row: Row

    @property
    def crosses_an_edge(self) -> bool:
        """Does the box lie partly or wholly outside?"""
        m = self.tensor_map
        ends = zip(self.coordinates, m.box_dim, m.global_dim, strict=True)
        return any(start < 0 or start + box > size for start, box, size in ends)

    @property
    def window_by_threads(self) -> Memory:
        """The window of shared memory as 256 threads leave it, filled with 0xCD before."""
        window = np.full(self.row["window_bytes"], WINDOW_FILL, np.uint8)
        copies = thread_copies(self.tensor_map, self.coordinates, THREADS, self.row.get("shared_address", 0))
        perform(copies, source_bytes(self.row["seed"], GLOBAL_BYTES_OF_LOADS), window)
        return window

    @property
    def agrees(self) -> bool:
        """Did the engine leave the same bytes as the threads?"""
        return bool(digest(self.window_by_threads) == self.row["blake2b_96"])


def plain_loads(*files: str) -> Iterator[PlainLoad]:
    """Every recorded load of these ``files`` that threads could do, of all by default."""
    for file in files or FILES:
        for row in read_rows(committed(file)):
            if row.get("api") == "tiled" and row["rank"] == 2 and row.get("status") == 1:
                load = PlainLoad(tensor_map_of(row), tuple(row["coordinates"][:2]), row)
                if is_plain(load):
                    yield load


def is_plain(load: PlainLoad) -> bool:
    """Could threads do it?"""
    try:
        must_be_plain(load.tensor_map, load.coordinates, THREADS)
    except ValueError:
        return False
    return True
