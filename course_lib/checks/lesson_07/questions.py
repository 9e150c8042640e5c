"""What the checks of exercise 07 ask: small tensors of the model first, then copies that an H200 did."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import ceil_div, element_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.edge import COPIED, SPILLED, store_edge
from course_lib.model.copy.element_bits import ROUNDED_ON_LOADS, fill_unit
from course_lib.model.copy.transfer import load
from course_lib.model.facts.enums import DataType, OobFill
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.recordings.copies.edges import EdgeLoad, edge_loads, edge_stores, patterns
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, source_bytes

REFUSED = -1
NAN = OobFill.NAN_REQUEST_ZERO_FMA
ADDRESS, MEMORY_BYTES, SHARED_BYTES = 256, 8192, 8192
UNPACKED_TYPES = tuple(data_type for data_type in DataType if not data_type.is_packed)
STORED_TYPES = (DataType.UINT8, DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT32, DataType.INT32, DataType.FLOAT64)


class WindowQuestion(NamedTuple):
    """A load to predict: the tensor as an array of rows, start and box innermost first, and the right box."""

    tensor_map: TiledTensorMap
    tensor: NDArray[Any]
    start: tuple[int, int]
    box: tuple[int, int]
    fill: int
    right: NDArray[Any]
    by: str  # "the model" or "an H200"


@lru_cache(1)
def fill_questions() -> dict[tuple[DataType, OobFill], int]:
    """The bits of one filled element, by type and fill, as an H200 wrote them; REFUSED where the driver refuses."""
    right = {(data_type, fill): patterns(data_type, fill) for data_type in UNPACKED_TYPES for fill in OobFill}
    return {question: found.pop() if found else REFUSED for question, found in right.items()}


def small_map(data_type: DataType, columns: int, rows: int, box: tuple[int, int], fill: int = 0) -> TiledTensorMap:
    """A tensor whose rows lie as close as 16 bytes let them."""
    pitch = ceil_div(columns * data_type.size_bytes, INNER_UNIT_BYTES) * INNER_UNIT_BYTES
    dims = (columns, rows)
    return TiledTensorMap(
        data_type=data_type,
        global_address=ADDRESS,
        global_dim=dims,
        global_strides=(pitch,),
        box_dim=box,
        oob_fill=fill,
    )


def window_questions(seed: int) -> Iterator[WindowQuestion]:
    """Small corners, then recorded boxes, drawn by the seed."""
    draw = Random(seed + 70)
    starts = [(0, 0), (4, -1), (-4, 1), (8, 0), (0, 3), (-8, -2), (4 * draw.randint(-3, 3), draw.randint(-5, 5))]
    for start in starts:
        yield model_window(small_map(DataType.INT32, 7, 3, (8, 4)), start)
    yield model_window(small_map(DataType.UINT32, draw.randint(1, 20), draw.randint(1, 9), (16, 6)), (-8, -2))
    yield model_window(small_map(DataType.FLOAT16, 5, 12, (8, 12), NAN), (0, -1))
    recorded = [recorded_window(copy) for copy in edge_loads() if is_askable(copy)]
    yield draw.choice([asked for asked in recorded if asked.tensor.itemsize == 8 and asked.right.max() >= 2**63])
    yield from draw.sample(recorded, 5)


def model_window(m: TiledTensorMap, start: tuple[int, int]) -> WindowQuestion:
    """A window of a tensor that counts from 1, so that no element looks like the fill."""
    dtype = np.dtype(f"<u{element_bytes(m)}")
    tensor = np.arange(1, m.global_dim[0] * m.global_dim[1] + 1, dtype=dtype).reshape(m.global_dim[::-1])
    memory, shared = np.zeros(MEMORY_BYTES, np.uint8), np.zeros(SHARED_BYTES, np.uint8)
    tensor_view(memory, m)[:] = tensor
    size = load(m, start, memory, shared).transaction_bytes
    right = shared[:size].view(dtype).reshape(m.box_dim[::-1])
    return WindowQuestion(
        m, tensor, start, two_integers(m.box_dim), int(fill_unit(m).view(dtype)[0]), right, "the model"
    )


def is_askable(copy: EdgeLoad) -> bool:
    """Flat, every element, of a type that loads unchanged, and rows that don't overlap?"""
    m = copy.tensor_map
    plain = m.rank == 2 and m.element_strides[1] == 1 and m.data_type not in ROUNDED_ON_LOADS
    return bool(plain and m.global_strides[0] >= m.global_dim[0] * element_bytes(m) and m.global_dim[1] <= 4096)


def recorded_window(copy: EdgeLoad) -> WindowQuestion:
    """A recorded load, its elements as bits."""
    m = copy.tensor_map
    tensor = tensor_view(source_bytes(copy.row["seed"], GLOBAL_BYTES_OF_LOADS), m).copy()
    fill = int(fill_unit(m).view(tensor.dtype)[0])
    right = np.ascontiguousarray(copy.box).view(tensor.dtype)
    return WindowQuestion(m, tensor, two_integers(copy.coordinates), two_integers(m.box_dim), fill, right, "an H200")


def tensor_view(memory: NDArray[np.uint8], m: TiledTensorMap) -> NDArray[Any]:
    """A rank-2 tensor in memory as an array of rows: a view."""
    dtype = np.dtype(f"<u{element_bytes(m)}")
    strides = (m.global_strides[0], dtype.itemsize)
    return np.ndarray(m.global_dim[::-1], dtype, memory.data, int(m.global_address), strides)


def two_integers(values: Any) -> tuple[int, int]:
    """Two integers."""
    first, second = values
    return int(first), int(second)


def spill_questions(seed: int) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """The lesson's tensor at its corners, others drawn by the seed, then recorded stores of rank 1 and 2."""
    draw = Random(seed + 71)
    for where in ((0, 0), (4, 1), (0, 2), (8, 0), (0, 3)):
        yield small_map(DataType.FLOAT32, 7, 3, (8, 4)), where
    yield small_map(DataType.FLOAT32, 8, 3, (8, 4)), (0, 0)
    yield small_map(DataType.FLOAT32, 7, 3, (4, 2)), (0, 0)
    yield small_map(DataType.FLOAT32, 7, 3, (8, 4)), (0, 5)
    flat = [s for s in edge_stores() if s.row["op"] == "store" and is_flat(s.tensor_map)]
    ends = [s for s in flat if s.tensor_map.rank == 1 and store_edge(s.tensor_map, s.coordinates).bytes_of(SPILLED)]
    yield from ((s.tensor_map, s.coordinates) for s in draw.sample(ends, 1))
    for where in ((8, 0), (8, 1), (12, 2), (16, 0)):
        yield small_map(DataType.FLOAT32, 13, 3, (8, 2)), where
    for _ in range(12):
        yield drawn_store(draw)
    yield from ((s.tensor_map, s.coordinates) for s in draw.sample(flat, 8))


def is_flat(m: TiledTensorMap) -> bool:
    """Rank 1 or 2, every row, rows that don't overlap?"""
    if m.rank == 1:
        return True
    row_bytes = m.global_dim[0] * element_bytes(m)
    return bool(m.rank == 2 and m.element_strides[1] == 1 and m.global_strides[0] >= row_bytes)


def drawn_store(draw: Random) -> tuple[Any, tuple[int, int]]:
    """A store that may cross an edge."""
    data_type = draw.choice(STORED_TYPES)
    per_unit = 16 // data_type.size_bytes
    box = per_unit * draw.randint(1, 4), draw.randint(1, 6)
    m = small_map(data_type, draw.randint(1, 4 * per_unit), draw.randint(1, 6), box)
    return m, (per_unit * draw.randint(0, 3), draw.randint(0, 6))


def maxima_matrices(seed: int) -> Iterator[tuple[NDArray[np.float32], tuple[int, int]]]:
    """Wide and tall matrices, boxes that do not divide them: rows of negative numbers, of huge ones, one with a single 0."""
    draw, numbers = Random(seed + 72), np.random.default_rng(seed)
    drawn = draw.randint(9, 60), draw.randint(5, 40)
    boxes = ((8, 4), (8, 4), (8, 4), (8, 4), (4, 8), (12, 1))
    for (columns, rows), box in zip([(16, 8), (13, 5), (37, 29), drawn, (9, 50), (30, 7)], boxes, strict=True):
        matrix = numbers.normal(size=(rows, columns)).astype(np.float32)
        matrix[rows // 2 :] = -1 - np.abs(matrix[rows // 2 :])
        matrix[-1] *= 1e37
        matrix[-2, draw.randrange(columns)] = 0
        yield matrix, box


def store_questions(seed: int) -> Iterator[tuple[Any, tuple[int, int]]]:
    """Stores of a box into a tensor of rank 2, at its edges."""
    draw = Random(seed + 73)
    for where in ((0, 0), (4, 1), (0, 2), (8, 0)):
        yield small_map(DataType.FLOAT32, 7, 3, (8, 4)), where
    for where in ((0, 0), (4, 1), (8, 2)):
        yield small_map(DataType.FLOAT32, 13, 3, (8, 2)), where
    yield small_map(DataType.FLOAT32, 8, 3, (8, 4)), (0, 0)
    yield small_map(DataType.FLOAT16, 7, 3, (8, 4)), (0, 0)
    yield replace(small_map(DataType.UINT8, 30, 4, (32, 2)), global_strides=(64,)), (0, 1)
    for _ in range(8):
        yield drawn_store(draw)


def memory_of(seed: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(shared memory with a box, global memory) of other bytes everywhere: 0 to 127 in memory, 128 to 255 in the box."""
    numbers = np.random.default_rng(seed)
    shared = numbers.integers(128, 256, SHARED_BYTES, np.uint8)
    return shared, numbers.integers(0, 128, MEMORY_BYTES, np.uint8)


def exact_store(
    m: TiledTensorMap, where: tuple[int, int], shared: NDArray[np.uint8], memory: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """``memory`` with the bytes of the tensor stored, and no other."""
    row_bytes, size = m.box_dim[0] * element_bytes(m), element_bytes(m)
    for number, row in enumerate(store_edge(m, where).rows):
        for piece in row:
            if piece.kind == COPIED:
                begin = m.global_address + (where[1] + number) * m.global_strides[0] + where[0] * size + piece.begin
                source = number * row_bytes + piece.begin
                memory[begin : begin + piece.size] = shared[source : source + piece.size]
    return memory
