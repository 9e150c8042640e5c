"""What the checks of views and boxes ask: NumPy views drawn by a seed, and boxes that an H200 loaded."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import ceil_div, element_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.recordings import committed, read_rows
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.row import Row

Array = NDArray[Any]
MEMORY_BYTES = 1 << 16
DTYPES = ("uint8", "uint16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64")
SMALL_BOX_BYTES = 2048


class ViewQuestion(NamedTuple):
    """A view, in words that a person can type, and the memory that it lies in."""

    words: str
    array: Array
    memory: NDArray[np.uint8]


def known_views() -> list[ViewQuestion]:
    """Views of the lesson's kind: every common slip meets one that shows it."""
    memory = np.zeros(MEMORY_BYTES, np.uint8)
    a = memory[:2560].view(np.float32).reshape(4, 10, 16)
    halves = memory[256:2304].view(np.float16).reshape(8, 128)
    windows = np.lib.stride_tricks.sliding_window_view
    views = {
        "a[1]": a[1],
        "a[1, :, 4:12]": a[1, :, 4:12],
        "a[:, 2]": a[:, 2],
        "halves[1::3, :64]": halves[1::3, :64],
        "a.transpose(1, 0, 2)": a.transpose(1, 0, 2),
        "a.ravel()": a.ravel(),
        "np.broadcast_to(a[0, 3], (6, 16))": np.broadcast_to(a[0, 3], (6, 16)),
        "windows(a[0, 0], 8)[::4]": windows(a[0, 0], 8)[::4],
        "a[0, :, None]": a[0, :, None],
        "as_strided(halves, (64, 1, 8), (16, 2, 2))": np.lib.stride_tricks.as_strided(halves, (64, 1, 8), (16, 2, 2)),
    }
    return [ViewQuestion(words, array, memory) for words, array in views.items()]


def drawn_view(draw: Random) -> ViewQuestion:
    """A legal view: padded rows, outer axes in any order and with steps, a start on 16 bytes."""
    memory, dtype = np.zeros(MEMORY_BYTES, np.uint8), np.dtype(draw.choice(DTYPES))
    inner = draw.randint(1, 4) * 16 // dtype.itemsize
    outer = [draw.randint(1, 4) for _ in range(draw.randint(0, 4))]
    start, room = 16 * draw.randrange(8), int(np.prod(outer, dtype=int)) * (inner + 16 // dtype.itemsize)
    whole = memory[start : start + room * dtype.itemsize].view(dtype).reshape(*outer, -1)
    order = draw.sample(range(len(outer)), len(outer))
    array = whole[..., : draw.randint(1, inner)].transpose(*order, len(outer))
    array = array[tuple(slice(None, None, draw.randint(1, 2)) for _ in outer)]
    return ViewQuestion(view_words(array), array, memory)


def view_words(array: Array) -> str:
    """A view by its numbers."""
    return f"a view of {array.dtype.name} with shape {array.shape} and strides {array.strides} bytes"


def views(seed: int) -> list[ViewQuestion]:
    """The known views, then drawn ones."""
    draw = Random(seed)
    return known_views() + [drawn_view(draw) for _ in range(12)]


def spoilt_views(seed: int) -> Iterator[tuple[ViewQuestion, str]]:
    """Views with the word of what stands in their way: "", "last axis", "start" or "stride"."""
    draw = Random(seed)
    for question in [*known_views(), *(drawn_view(draw) for _ in range(6))]:
        yield question, ""
    memory = np.zeros(MEMORY_BYTES, np.uint8)
    dtype = np.dtype(draw.choice(("uint16", "float32", "float64")))
    for words, (array, why) in views_of(memory, dtype, draw.randint(3, 9)).items():
        yield ViewQuestion(f"{words}, {view_words(array)}", array, memory), why


def views_of(memory: NDArray[np.uint8], dtype: np.dtype[Any], rows: int) -> dict[str, tuple[Array, str]]:
    """Views of matrices of 64, 65 and 3 columns, as they are typed, with the word of what stands in their way."""
    size = dtype.itemsize
    wide = memory[: 64 * rows * size].view(dtype).reshape(rows, 64)
    odd = memory[: (64 + 1) * rows * size].view(dtype).reshape(rows, 65)
    return {
        "wide[:, ::2]": (wide[:, ::2], "last axis"),
        "wide[:, ::-1]": (wide[:, ::-1], "last axis"),
        "wide.T": (wide.T, "last axis"),
        "wide[:, 1::2]": (wide[:, 1::2], "last axis"),
        "odd[:, ::2]": (odd[:, ::2], "last axis"),
        "wide[:, 1:]": (wide[:, 1:], "start"),
        f"wide[:, {8 // size}:]": (wide[:, 8 // size :], "start"),
        "odd[:, 1:]": (odd[:, 1:], "start"),
        "wide[1]": (wide[1], ""),
        "wide[::-1]": (wide[::-1], "stride"),
        "odd[:, :64]": (odd[:, :64], "stride"),
        "wide[:, :1]": (wide[:, :1], ""),
        "wide[:1].T": (wide[:1].T, "stride"),
        "wide[:, ::32]": (wide[:, ::32], "last axis"),
        "odd[:2, :64]": (odd[:2, :64], "stride"),
        "wide[1::-1]": (wide[1::-1], "stride"),
        "eights[:, :2]": (memory[:72].view(np.float64).reshape(3, 3)[:, :2], "stride"),
    }


@lru_cache(1)
def plain_rows() -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """(boxes of real views, other plain loads): tiled, no swizzle, zero fill, no type that rounds, no fault."""
    names = ("load_views", "load")
    return tuple(tuple(filter(is_plain, read_rows(committed(f"{name}.jsonl.xz")))) for name in names)  # type: ignore[return-value]


def is_plain(row: Row) -> bool:
    """Can bytes be compared one by one?"""
    odd = row["interleave"] or row["swizzle"] or row["oob_fill"] or row["result"] or row.get("fault")
    return row["api"] == "tiled" and not odd and row["data_type"] < 11


def divides_unevenly(row: Row) -> bool:
    """Does it matter which way a box is divided by its element strides?"""
    return any(b % s for b, s in zip(row["box_dim"][1:], row["element_strides"][1:], strict=True))


LOAD_KINDS: tuple[Callable[[Row], bool], ...] = (
    *((lambda row, rank=rank: row["rank"] == rank) for rank in range(1, 6)),
    divides_unevenly,
    lambda row: row["element_strides"][0] > 1,
    *((lambda row, size=size: DataType(row["data_type"]).size_bytes == size) for size in (1, 2, 8)),
    lambda row: any(c < 0 for c in row["coordinates"]),
    lambda row: any(c + b > d for c, b, d in zip(row["coordinates"], row["box_dim"], row["global_dim"], strict=True)),
)


def recorded_loads(seed: int) -> list[Row]:
    """Every box of a real view, then a plain recorded load of each kind, drawn by the seed."""
    draw, (known, others) = Random(seed), plain_rows()
    small = [row for row in others if row["transaction_bytes"] <= SMALL_BOX_BYTES]
    return [*known, *(draw.choice([row for row in small if kind(row)]) for kind in LOAD_KINDS for _ in range(2))]


def inside_loads(seed: int) -> list[Row]:
    """The boxes of real views that lie in their tensor, then other loads of each rank and size of element."""
    draw, (known, others) = Random(seed + 40), (list(filter(is_inside, rows)) for rows in plain_rows())
    return [*known, *(draw.choice([row for row in others if kind(row)]) for kind in INSIDE_KINDS)]


def is_inside(row: Row) -> bool:
    """Does the whole box lie in the tensor, and is every element of it copied?"""
    sides = zip(row["coordinates"], row["box_dim"], row["global_dim"], strict=True)
    return set(row["element_strides"]) == {1} and all(c >= 0 and c + b <= d for c, b, d in sides)


INSIDE_KINDS: tuple[Callable[[Row], bool], ...] = (
    *((lambda row, rank=rank: row["rank"] == rank) for rank in range(1, 5)),
    *((lambda row, size=size: row["rank"] > 1 and DataType(row["data_type"]).size_bytes == size) for size in (1, 2, 8)),
)


def places(m: TiledTensorMap, coordinates: Sequence[int]) -> list[Any]:
    """The positions that a box brings along each dimension, innermost first."""
    steps = (1, *m.element_strides[1:]) if m.element_strides else (1,) * m.rank
    columns = zip(coordinates, m.box_dim, steps, strict=True)
    return [c + step * np.arange(ceil_div(box, step)) for c, box, step in columns]


def box_bytes(row: Row, memory: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What a plain recorded load brings, dense: the view indexed by NumPy, zeros outside."""
    m = tiled_map_of(row)
    size, kind = element_bytes(m), DataType(m.data_type).facts.carrier
    view = np.ndarray(m.global_dim[::-1], kind, memory, m.global_address, (*m.global_strides[::-1], size))
    where = places(m, row["coordinates"])[::-1]
    inside = [(p >= 0) & (p < n) for p, n in zip(where, view.shape, strict=True)]
    box = np.zeros([p.size for p in where], kind)
    box[np.ix_(*inside)] = view[np.ix_(*(p[i] for p, i in zip(where, inside, strict=True)))]
    return box.reshape(-1).view(np.uint8)


def right_addresses(m: TiledTensorMap, coordinates: Any, index: Any) -> tuple[tuple[int, int], int]:
    """The global byte and the byte in the box of one element, and its number in the box."""
    strides = (element_bytes(m), *m.global_strides)
    position = [c + i for c, i in zip(coordinates, index, strict=True)]
    number = sum(i * prod(m.box_dim[:d]) for d, i in enumerate(index))
    there = m.global_address + sum(p * s for p, s in zip(position, strides, strict=True))
    return (there, number * element_bytes(m)), number
