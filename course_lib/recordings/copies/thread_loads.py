"""Recorded tensor loads held against threads that copy 16 bytes at a time: is every byte of shared memory the same?"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from course_lib.model.call.arguments import Memory
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.transfer import load
from course_lib.model.cost.thread_copy import must_be_plain, perform, thread_copies
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.recordings.files import committed, read_rows
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, WINDOW_FILL, digest, source_bytes
from course_lib.rows.row import Row

FILES = ("load_windows.jsonl.xz", "load_swizzle.jsonl.xz", "load_offset.jsonl.xz", "load.jsonl.xz")
THREADS, TILE_BOX = 256, (64, 128)


class PlainLoad(NamedTuple):
    """A recorded load that threads could do: the call, and the digest of the window that the H200 left."""

    tensor_map: TiledTensorMap
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
                found = PlainLoad(tiled_map_of(row), tuple(row["coordinates"][:2]), row)
                if is_plain(found):
                    yield found


def is_plain(found: PlainLoad) -> bool:
    """Could threads do it?"""
    try:
        must_be_plain(found.tensor_map, found.coordinates, THREADS)
    except ValueError:
        return False
    return True


class SameTile(NamedTuple):
    """A tile of 128 x 64 bfloat16 that both kernels fetched on the H200: the digests of 16 KiB of shared memory."""

    coordinates: tuple[int, int]
    by_cp_async: str
    by_tma: str
    row: Row

    @property
    def crosses_an_edge(self) -> bool:
        """Does the tile lie partly or wholly outside?"""
        x, y = self.coordinates
        return x < 0 or y < 0 or x + TILE_BOX[0] > self.row["width"] or y + TILE_BOX[1] > self.row["height"]

    @property
    def by_model(self) -> str:
        """The digest of what the model's load leaves."""
        tensor_map = TiledTensorMap(
            data_type=DataType.BFLOAT16,
            global_address=0,
            global_dim=(self.row["width"], self.row["height"]),
            global_strides=(self.row["pitch_bytes"],),
            box_dim=TILE_BOX,
            swizzle=Swizzle.B128,
        )
        window = np.zeros(2 * TILE_BOX[0] * TILE_BOX[1], np.uint8)
        load(tensor_map, self.coordinates, source_bytes(self.row["seed"], GLOBAL_BYTES_OF_LOADS), window)
        return digest(window)


def same_tiles() -> list[SameTile]:
    """Every tile that was fetched both ways."""
    rows = (row for row in read_rows(committed("measure_same_tile.jsonl.xz")) if "equal" in row)
    both = ((row, row["coordinates"], row["blake2b_96"]) for row in rows)
    return [SameTile((at[0], at[1]), digests[0], digests[1], row) for row, at, digests in both]
