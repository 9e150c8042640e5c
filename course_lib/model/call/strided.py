"""A strided array: which bytes an element takes. Axes are listed outermost first, as NumPy and C do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

Index = tuple[int, ...]


@dataclass(frozen=True)
class Strided:
    """An array at byte ``base``: ``shape`` in elements of ``item_bytes``, ``strides`` in bytes, negative ones too.

    ValueError where shape and strides differ in length, and for an empty axis.
    """

    shape: Index
    strides: Index
    item_bytes: int
    base: int = 0

    def __post_init__(self) -> None:
        if len(self.shape) != len(self.strides):
            raise ValueError(f"{len(self.shape)} dimensions and {len(self.strides)} strides: as many are needed")
        if min(self.shape, default=1) < 1:
            raise ValueError(f"shape={self.shape}: every dimension has at least one element")

    def address(self, index: Sequence[int]) -> int:
        """The first byte of an element. IndexError for an index outside the shape."""
        inside = len(index) == len(self.shape) and all(0 <= i < n for i, n in zip(index, self.shape, strict=True))
        if not inside:
            raise IndexError(f"index {tuple(index)} lies outside the shape {self.shape}")
        return self.base + sum(i * stride for i, stride in zip(index, self.strides, strict=True))

    def bytes_of(self, index: Sequence[int]) -> range:
        """All bytes of an element."""
        first = self.address(index)
        return range(first, first + self.item_bytes)

    def indices(self) -> Iterator[Index]:
        """Every index, the last axis fastest."""
        return product(*map(range, self.shape))

    @property
    def span(self) -> range:
        """From the first byte that any element takes to the last."""
        ends = [stride * (n - 1) for n, stride in zip(self.shape, self.strides, strict=True)]
        low, high = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
        return range(self.base + low, self.base + high + self.item_bytes)

    @property
    def data_bytes(self) -> int:
        """Bytes of all elements, each counted once for each index."""
        return prod(self.shape) * self.item_bytes

    @property
    def order(self) -> str:
        """ "row-major", "column-major" or "both" where the elements lie without gaps, "row-major with gaps" or
        "column-major with gaps" where whole rows or columns follow each other, else "neither"."""
        axes = [(n, stride) for n, stride in zip(self.shape, self.strides, strict=True) if n > 1]  # others never step
        gaps = {"row-major": gaps_in(axes[::-1], self.item_bytes), "column-major": gaps_in(axes, self.item_bytes)}
        dense = [name for name, gap in gaps.items() if gap == 0]
        if dense:
            return "both" if len(dense) == 2 else dense[0]
        return next((f"{name} with gaps" for name, gap in gaps.items() if gap is not None), "neither")


def gaps_in(axes: Sequence[tuple[int, int]], item_bytes: int) -> int | None:
    """The sum of the gaps between neighbours, innermost axis (elements, stride) first; None where they overlap."""
    gaps, inner = 0, item_bytes
    for elements, stride in axes:
        if stride < inner:
            return None
        gaps, inner = gaps + stride - inner, stride * elements
    return gaps


def dense_strides(shape: Sequence[int], item_bytes: int) -> Index:
    """The strides, in bytes, of a row-major array without gaps."""
    return tuple(prod(shape[axis + 1 :]) * item_bytes for axis in range(len(shape)))
