"""Recorded copies that cross the edge of a tensor: what loads delivered there, and what stores wrote.

Plain tiled copies only, without interleave. Source: load_windows, store, store_more (NVIDIA H200).
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.layout import row_pitch_bytes, rows_and_units
from course_lib.model.copy.plan import tiled_plan
from course_lib.model.facts.enums import DataType, OobFill
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.model.facts.swizzle import pattern_of
from course_lib.recordings.files import committed, read_rows
from course_lib.recordings.replay.copy_rows import before_store, perform_store_row
from course_lib.recordings.replay.windows import Windows
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.memory import digest
from course_lib.rows.row import Row

LOADS, FAULTS = "load_windows.jsonl.xz", "faults.jsonl.xz"
STORES = ("store.jsonl.xz", "store_more.jsonl.xz")
Bytes = NDArray[np.uint8]


class ByRule(NamedTuple):
    """Two digests of global memory."""

    element: str
    unit: str


class EdgeLoad(NamedTuple):
    """A load across an edge: the call, and the ``box`` that the H200 delivered, (rows, bytes of a row)."""

    tensor_map: TiledTensorMap
    coordinates: tuple[int, ...]
    row: Row
    box: Bytes
    inside: NDArray[np.int64]  # bytes of the tensor in each 16-byte unit of ``box``, (rows, units)

    @property
    def is_wholly_outside(self) -> bool:
        """Does the box hold no byte of the tensor?"""
        return not self.inside.any()


class CutUnit(NamedTuple):
    """A 16-byte unit that the edge cuts: the type, its fill, how many bytes are the tensor's, and what came."""

    data_type: DataType
    oob_fill: OobFill
    inside: int
    recorded: bytes


class EdgeStore(NamedTuple):
    """A store or reduction whose row ends inside a 16-byte unit: the call and the recorded outcome."""

    tensor_map: TiledTensorMap
    coordinates: tuple[int, ...]
    row: Row


@lru_cache(1)
def edge_loads() -> tuple[EdgeLoad, ...]:
    """Every load across an edge whose window is kept whole."""
    path = committed(LOADS)
    windows = Windows(path)
    kept = (windows.attached(row) for row in read_rows(path) if _is_plain(row))
    return tuple(_edge_load(row, tiled_map_of(row)) for row in kept if _inside(row, tiled_map_of(row)) is not None)


def cut_units() -> Iterator[CutUnit]:
    """Every unit of ``edge_loads`` that the edge cuts."""
    for load in edge_loads():
        m, units = load.tensor_map, load.box.reshape(load.box.shape[0], -1, INNER_UNIT_BYTES)
        for at in zip(*np.nonzero((load.inside > 0) & (load.inside < INNER_UNIT_BYTES)), strict=True):
            yield CutUnit(DataType(m.data_type), OobFill(m.oob_fill), int(load.inside[at]), units[at].tobytes())


def patterns(data_type: int, oob_fill: int) -> set[int]:
    """Every value, as bits of one element, that was recorded outside the tensor for a type and a fill."""
    found: set[int] = set()
    size = DataType(data_type).size_bytes
    for load in edge_loads():
        if (load.tensor_map.data_type, load.tensor_map.oob_fill) == (data_type, oob_fill):
            units = load.box.reshape(load.box.shape[0], -1, INNER_UNIT_BYTES)[load.inside == 0]
            found |= set(np.unique(units.reshape(-1).view(f"<u{size}")).tolist())
    return found


@lru_cache(1)
def edge_stores() -> tuple[EdgeStore, ...]:
    """Every store and reduction of whose rows the edge cuts a 16-byte unit."""
    found = []
    for row in (row for name in STORES for row in read_rows(committed(name)) if _is_plain(row)):
        m = tiled_map_of(row)
        inside = _inside(row, m)
        if inside is not None and ((inside > 0) & (inside < INNER_UNIT_BYTES)).any():
            found.append(EdgeStore(m, tuple(row["coordinates"][: m.rank]), row))
    return tuple(found)


def digests_by_rule(copy: EdgeStore) -> ByRule:
    """The digest of global memory afterwards, if stores clip at the element and if they clip at 16 bytes."""
    after, outside = after_store(copy.row), spilled_addresses(copy)
    by_unit = digest(after)
    after[outside] = before_store(copy.row)[outside]
    return ByRule(digest(after), by_unit)


def after_store(row: Row) -> Bytes:
    """Global memory after a recorded store, as the model has it."""
    return perform_store_row(row, tiled_map_of(row))[1]


def spilled_addresses(copy: EdgeStore) -> NDArray[np.int64]:
    """The byte addresses that a store writes and that are no byte of the tensor, ascending."""
    plan = tiled_plan(copy.tensor_map, copy.coordinates, 0)
    assert plan.inside is not None
    touched = plan.inside > 0
    addresses = plan.source_units[touched][:, None] * INNER_UNIT_BYTES + np.arange(INNER_UNIT_BYTES)
    own = np.arange(INNER_UNIT_BYTES) < plan.inside[touched][:, None]
    return np.setdiff1d(addresses[~own], addresses[own])


def at_missing_memory() -> list[Row]:
    """Boxes of 8 x 2 uint32 at a tensor of 64 x 64 of which memory is not there: what was tried, alike outcomes in one row.

    ``memory`` is what is mapped, ``starts`` the coordinates, ``outside`` whether the boxes are wholly outside, ``fault``.
    """
    mapped = {"not there, box": "nothing", "base there, row 1 not, box": "the address and row 0"}
    found: dict[tuple[Any, ...], list[str]] = {}
    for row in read_rows(committed(FAULTS)):
        kind = row["why"].partition(" of ")[0]
        if kind in mapped:
            alike = row.get("op", "load"), mapped[kind], not _touched(row), row.get("fault")
            found.setdefault(alike, []).append(str(tuple(row["coordinates"])))
    names = ("copy", "memory", "outside", "fault")
    return [dict(zip(names, alike, strict=True)) | {"starts": ", ".join(starts)} for alike, starts in found.items()]


def _touched(row: Row) -> bool:
    inside = _inside(row, tiled_map_of(row))
    return inside is None or bool(inside.any())


def _is_plain(row: Row) -> bool:
    return row["api"] == "tiled" and not row["interleave"] and row["result"] == 0 and row.get("fault") is None


def _inside(row: Row, m: TiledTensorMap) -> NDArray[np.int64] | None:
    return tiled_plan(m, tuple(row["coordinates"][: m.rank]), 0).inside


def _edge_load(row: Row, m: TiledTensorMap) -> EdgeLoad:
    rows, units = rows_and_units(m)
    linear = np.arange(rows)[:, None] * row_pitch_bytes(m) + np.arange(units * INNER_UNIT_BYTES)
    box = np.frombuffer(row["window"], np.uint8)[pattern_of(m.swizzle)(linear)]
    inside = _inside(row, m)
    assert inside is not None
    return EdgeLoad(m, tuple(row["coordinates"][: m.rank]), row, box, inside)
