"""What the edge of a tensor does to a box: which bytes are copied, filled, clipped or spilled.

A load decides element by element: what lies outside is filled. A store decides 16-byte unit by unit: a unit with no
byte of the tensor is clipped, any other is written whole, so bytes behind the row may be spilled.
Source: load.jsonl, load_windows.jsonl, store.jsonl, store_more.jsonl (NVIDIA H200).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from course_lib.model.call.arguments import coordinates_of
from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.copy import traps
from course_lib.model.copy.plan import inside_bytes
from course_lib.model.facts.limits import INNER_UNIT_BYTES

COPIED, FILLED, CLIPPED, SPILLED = "copied", "filled", "clipped", "spilled"
KINDS = (COPIED, FILLED, CLIPPED, SPILLED)


class EdgePiece(NamedTuple):
    """A run of bytes of one box row that meet the same end. ``begin`` counts from the start of the row."""

    kind: str  # one of KINDS
    begin: int
    size: int  # bytes


EdgeRow = tuple[EdgePiece, ...]
Kinds = Callable[[int], tuple[str, str]]  # what becomes of a unit's inside bytes, and of the others


class Edge(NamedTuple):
    """The rows of a box, outermost position first, each as pieces from left to right."""

    rows: tuple[EdgeRow, ...]

    def bytes_of(self, kind: str) -> int:
        """How many bytes of the box are of this kind (one of KINDS)."""
        return sum(piece.size for row in self.rows for piece in row if piece.kind == kind)

    @property
    def copied_bytes(self) -> int:
        """Bytes that come from the tensor, or go into it."""
        return self.bytes_of(COPIED)


def load_edge(m: Call, coordinates: Sequence[int]) -> Edge:
    """The pieces of a tiled load: copied and filled. Raises what the call or the device refuses."""
    traps.must_be_legal(m)
    where = coordinates_of(m, coordinates)
    traps.must_start_right(m, where, 0)
    return _edge(m, where, lambda inside: (COPIED, FILLED))


def store_edge(m: Call, coordinates: Sequence[int]) -> Edge:
    """The pieces of a tiled store or reduction: copied, spilled and clipped. Raises what the call or the device refuses."""
    traps.must_be_legal(m)
    where = coordinates_of(m, coordinates)
    traps.must_not_be_negative(where)
    traps.must_start_right(m, where, 0)
    return _edge(m, where, lambda inside: (COPIED, SPILLED if inside else CLIPPED))


def _edge(m: Call, coordinates: Sequence[int], kinds: Kinds) -> Edge:
    if not isinstance(m, TiledTensorMap):
        raise ValueError("only a tiled copy has rows with one edge: an im2col column walks through many")
    return Edge(tuple(_row(units, kinds) for units in np.asarray(inside_bytes(m, coordinates)).tolist()))


def _row(units: list[int], kinds: Kinds) -> EdgeRow:
    pieces: list[EdgePiece] = []
    for number, inside in enumerate(units):
        first, second = kinds(inside)
        for kind, size in ((first, inside), (second, INNER_UNIT_BYTES - inside)):
            if size and pieces and pieces[-1].kind == kind:
                pieces[-1] = pieces[-1]._replace(size=pieces[-1].size + size)
            elif size:
                begin = number * INNER_UNIT_BYTES + (INNER_UNIT_BYTES - size if kind == second else 0)
                pieces.append(EdgePiece(kind, begin, size))
    return tuple(pieces)
