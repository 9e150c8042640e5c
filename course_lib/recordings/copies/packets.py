"""Recorded loads of channel packets: what a barrier counted, and where each 16-byte unit lay in the windows that were kept.

Tiled loads and calls with interleave. Source: encode, encode_probes, load, load_windows, load_offset, load_pairs, load_pairs_windows (NVIDIA H200).
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import packet_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.element_bits import ROUNDED_ON_LOADS, fill_unit
from course_lib.model.copy.plain import global_bytes, is_inside, tiled_elements
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.recordings.files import committed, read_lines, read_rows
from course_lib.recordings.replay.windows import Windows
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, source_bytes
from course_lib.rows.row import Row

FILES = ("load", "load_windows", "load_offset", "load_pairs", "load_pairs_windows")
CALLS = ("encode", "encode_probes")
KEPT = ("load_windows", "load_pairs_windows")


class PacketLoad(NamedTuple):
    """A recorded load of packets that went through: the map, where, and the row."""

    tensor_map: TiledTensorMap
    coordinates: tuple[int, ...]
    row: Row


class KeptWindow(NamedTuple):
    """Shared memory after a load, in 16-byte units, and the units that the tensor sent there.

    ``close``: for each of them, the shared address (bytes) at which it would lie if packets lay close and nothing was
    swizzled; ``sent``: its bytes in global memory, or the fill of a packet outside the tensor, (units, 16).
    """

    tensor_map: TiledTensorMap
    base: int  # shared address of the box
    close: NDArray[np.int64]
    sent: NDArray[np.uint8]
    shared: NDArray[np.uint8]


@lru_cache(1)
def packet_loads() -> tuple[PacketLoad, ...]:
    """Every recorded tiled load with interleave that went through."""
    return tuple(_load(row) for name in FILES for row in read_rows(committed(f"{name}.jsonl.xz")) if _is_packets(row))


@lru_cache(1)
def packet_calls() -> tuple[Row, ...]:
    """Every recorded tiled encode call with interleave 16B or 32B, accepted or refused."""
    marks = (b'"interleave":1,', b'"interleave":2,')
    lines = (line.replace(b": ", b":") for name in CALLS for line in read_lines(committed(f"{name}.jsonl.xz")))
    return tuple(json.loads(line) for line in lines if b'"api":"tiled"' in line and any(mark in line for mark in marks))


@lru_cache(1)
def kept_windows() -> dict[tuple[int, int], list[KeptWindow]]:
    """(interleave, swizzle) → the windows that were kept of this pair. Types that a load rounds are left out."""
    kept: dict[tuple[int, int], list[KeptWindow]] = {}
    for name in KEPT:
        path = committed(f"{name}.jsonl.xz")
        windows = Windows(path)
        for row in map(windows.attached, filter(_is_packets, read_rows(path))):
            m = tiled_map_of(row)
            if m.data_type not in ROUNDED_ON_LOADS:
                kept.setdefault((m.interleave, m.swizzle), []).append(_window(row, m))
    return kept


def count_explained(windows: Iterable[KeptWindow], rule: Callable[[KeptWindow], NDArray[np.int64]]) -> tuple[int, int]:
    """(units that lie where ``rule`` says, all units): the rule gives a shared address for each unit of a window."""
    right = total = 0
    for window in windows:
        places = np.minimum(rule(window) // INNER_UNIT_BYTES, len(window.shared) - 1)
        right += int((window.shared[places] == window.sent).all(axis=1).sum())
        total += len(window.sent)
    return right, total


def _window(row: Row, m: TiledTensorMap) -> KeptWindow:
    base, units = row.get("shared_address", 0), list(_sources(row, m))
    close = np.array([base + offset for offset, _ in units], np.int64)
    sent = np.frombuffer(b"".join(unit for _, unit in units), np.uint8).reshape(-1, INNER_UNIT_BYTES)
    shared = np.frombuffer(row["window"], np.uint8).reshape(-1, INNER_UNIT_BYTES)
    return KeptWindow(m, base, close, sent, shared)


def _sources(row: Row, m: TiledTensorMap) -> Iterator[tuple[int, bytes]]:
    """(offset in a box without swizzle, 16 bytes of global memory or of the fill) of every unit."""
    memory, fill = source_bytes(row["seed"], GLOBAL_BYTES_OF_LOADS), fill_unit(m).tobytes()
    for position, offset in tiled_elements(m, tuple(row["coordinates"][: m.rank])):
        inside = is_inside(m, position)
        for part in range(0, packet_bytes(m), INNER_UNIT_BYTES):
            at = global_bytes(m, position) + part
            yield offset + part, memory[at : at + INNER_UNIT_BYTES].tobytes() if inside else fill


def _load(row: Row) -> PacketLoad:
    m = tiled_map_of(row)
    return PacketLoad(m, tuple(row["coordinates"][: m.rank]), row)


def _is_packets(row: Row) -> bool:
    return bool(row["api"] == "tiled" and row["interleave"] and row["result"] == 0 and row.get("fault") is None)
