"""Single elements as a real copy left them: loads of every type, and the tables of reductions."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.arithmetic import UNSIGNED
from course_lib.model.copy.transfer import load
from course_lib.model.facts.enums import DataType, OobFill, ReduceOp
from course_lib.recordings.files import committed, parse_line, read_lines, read_rows
from course_lib.recordings.replay.windows import Windows
from course_lib.recordings.sessions import Provenance, provenance
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, WINDOW_FILL, digest, source_bytes
from course_lib.rows.row import RecordingError, Row

LOADS, TABLES = "load_windows.jsonl.xz", "reduce_table.jsonl.xz"
Bits = NDArray[np.unsignedinteger]


class LoadedElements(NamedTuple):
    """Elements of one type, as unsigned integers: ``before`` in global memory, ``after`` in shared memory."""

    loads: int
    before: Bits
    after: Bits


class ReduceTable(NamedTuple):
    """``result[i, j]`` is what memory holding ``operands[i]`` became when ``operands[j]`` came: unsigned integers."""

    operands: Bits
    result: Bits

    def of(self, memory: int, operand: int) -> int:
        """The recorded result; ValueError where one of the two is none of the operands."""
        known = self.operands.tolist()
        return int(self.result[known.index(memory), known.index(operand)])


def loads_by() -> Provenance:
    """Device, driver and date of the loads."""
    return provenance(LOADS)


def tables_by() -> Provenance:
    """Device, driver and date of the tables."""
    return provenance(TABLES)


@lru_cache(1)
def loaded_elements() -> dict[DataType, LoadedElements]:
    """Every element that a recorded tiled load brought from inside a tensor, by type; the memory was random bits."""
    windows = Windows(committed(LOADS))
    found: dict[DataType, list[tuple[Bits, Bits]]] = {}
    for row in read_rows(committed(LOADS)):
        if row["api"] == "tiled" and row["result"] == 0 and row.get("fault") is None:
            found.setdefault(DataType(row["data_type"]), []).append(_pairs(windows.attached(row)))
    return {
        data_type: LoadedElements(len(pairs), *(np.concatenate(side) for side in zip(*pairs, strict=True)))
        for data_type, pairs in sorted(found.items())
    }


def _pairs(row: Row) -> tuple[Bits, Bits]:
    """(before, after) of one load. Which element lands where is the model's; what lies there is the hardware's."""
    m = tensor_map_of(row)
    unsigned = UNSIGNED[DataType(m.data_type).facts.bits]
    hardware = np.frombuffer(row["window"], unsigned)
    moved, inside = (_move_integers(m, row, memory).view(unsigned) for memory in (_source(row), _ones()))
    return moved[inside != 0], hardware[inside != 0]


def _move_integers(m: object, row: Row, memory: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Shared memory after the same copy of plain integers, zero wherever nothing of the tensor lies."""
    shared = np.zeros(row["window_bytes"], np.uint8)
    load(_as_integers(m), row["coordinates"], memory, shared, shared_address=row.get("shared_address", 0))
    return shared


def _as_integers(m: object) -> TiledTensorMap:
    """The same map with an integer type of the same size and zeros outside: what it moves is not changed."""
    facts = DataType(vars(m)["data_type"]).facts
    plain = {8: DataType.UINT8, 16: DataType.UINT16, 32: DataType.UINT32, 64: DataType.UINT64}[facts.bits]
    return TiledTensorMap(**(vars(m) | {"data_type": plain, "oob_fill": OobFill.NONE}))


def _source(row: Row) -> NDArray[np.uint8]:
    return source_bytes(row["seed"], GLOBAL_BYTES_OF_LOADS)


@lru_cache(1)
def _ones() -> NDArray[np.uint8]:
    return np.full(GLOBAL_BYTES_OF_LOADS, 0xFF, np.uint8)


@lru_cache(1)
def _tables() -> dict[tuple[ReduceOp, DataType], ReduceTable]:
    rows = read_rows(committed(TABLES))
    return {(ReduceOp[row["op"].upper()], DataType(row["data_type"])): _table(row) for row in rows}


def _table(row: Row) -> ReduceTable:
    unsigned = UNSIGNED[DataType(row["data_type"]).facts.bits]
    operands, result = (np.frombuffer(bytes.fromhex(row[name]), unsigned) for name in ("operands", "result"))
    return ReduceTable(operands, result.reshape(operands.size, operands.size))


def reduce_table(op: int, data_type: int) -> ReduceTable:
    """40 operands against each other under a legal pair. RecordingError for a pair that traps."""
    found = _tables().get((ReduceOp(op), DataType(data_type)))
    if found is None:
        raise RecordingError(f"{ReduceOp(op).name} on {DataType(data_type).name}: no table, since this pair traps")
    return found


TIED = {"load.jsonl.xz": (2739, 3952, 4319)}  # rows of TF32 loads that bring a tie whose lower neighbour is even


class TiedLoad(NamedTuple):
    """A TF32 load of which the digest is kept. ``raw`` is the window before rounding, ``loaded`` where elements lie."""

    raw: Bits
    loaded: NDArray[np.bool_]
    digest: str

    @property
    def ties(self) -> Bits:
        """The elements that lie in the middle between two TF32 numbers, the lower of which is even."""
        ties: Bits = self.raw[self.loaded & (self.raw & 0x3FFF == 0x1000)]
        return ties

    def agrees(self, rounding: Callable[[Bits], Bits]) -> bool:
        """Has the window the recorded digest when ``rounding`` is applied to every element that came?"""
        return digest(np.where(self.loaded, rounding(self.raw), self.raw).astype("<u4").view(np.uint8)) == self.digest


@lru_cache(1)
def tied_loads() -> tuple[TiedLoad, ...]:
    """The recorded loads that tell how ties are rounded."""
    lines = {name: list(read_lines(committed(name))) for name in TIED}
    rows = [parse_line(lines[name][number], name) for name, numbers in TIED.items() for number in numbers]
    return tuple(_tied_load(row) for row in rows)


def _tied_load(row: Row) -> TiedLoad:
    window = np.full(row["window_bytes"], WINDOW_FILL, np.uint8)
    m = tensor_map_of(row)
    load(_as_integers(m), row["coordinates"], _source(row), window, shared_address=row.get("shared_address", 0))
    return TiedLoad(window.view("<u4"), _move_integers(m, row, _ones()).view("<u4") != 0, row["blake2b_96"])
