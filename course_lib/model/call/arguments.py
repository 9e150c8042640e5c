"""What a call or a copy is given, checked before anything is touched: the error names the argument."""

from collections.abc import Iterable, Mapping, Set
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.facts.limits import IM2COL_OFFSET_BITS

if TYPE_CHECKING:
    from course_lib.model.call.tensor_map import Call

Memory = NDArray[np.uint8]
COORDINATE_LIMIT = 2**31
NO_SEQUENCE = (str, bytes, Set, Mapping)  # they can be gone through, but hold no integers or keep no order


def as_integer(name: str, value: Any) -> int:
    """``value`` as an int; TypeError for anything that is not an integer."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not bool")
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None


def as_integers(name: str, values: Any) -> tuple[int, ...]:
    """``values`` as a tuple of ints; TypeError for anything that is not a sequence of integers."""
    scalar = not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0  # an array of no dimension
    if scalar or isinstance(values, NO_SEQUENCE):
        raise TypeError(f"{name} must be a sequence of integers, not {type(values).__name__}")
    return tuple(as_integer(f"{name}[{i}]", value) for i, value in enumerate(values))


def must_be_in(name: str, value: int, least: int, most: int) -> None:
    """ValueError where a number is outside ``least`` to ``most``."""
    if not least <= value <= most:
        raise ValueError(f"{name} = {value}: {least} to {most}")


def flat_bytes(name: str, memory: Any, writeable: bool = False) -> Memory:
    """``memory`` if it is a contiguous one-dimensional uint8 array. TypeError or ValueError otherwise."""
    if not isinstance(memory, np.ndarray) or memory.dtype != np.uint8:
        raise TypeError(f"{name} must be a NumPy array of uint8, not {kind_name(memory)}")
    if memory.ndim != 1 or not memory.flags.c_contiguous:
        layout = f"shape {memory.shape} and strides {memory.strides}"
        raise ValueError(f"{name} must be one-dimensional and contiguous; it has {layout}")
    if writeable and not memory.flags.writeable:
        raise ValueError(f"{name} is read-only; the copy writes into it")
    return memory


def kind_name(value: Any) -> str:
    """The kind of a value, for an error."""
    return f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__


def coordinates_of(m: "Call", coordinates: Any) -> tuple[int, ...]:
    """One signed 32-bit coordinate for each dimension. ValueError for another number of them or one too large."""
    values, rank = as_integers("coordinates", coordinates), len(m.global_dim)
    if len(values) != rank:
        raise ValueError(f"coordinates has {len(values)} entries; a tensor map of rank {rank} takes {rank}")
    for i, value in enumerate(values):
        if not -COORDINATE_LIMIT <= value < COORDINATE_LIMIT:
            raise ValueError(f"coordinates[{i}] = {value}: a coordinate is a signed 32-bit number")
    return values


def offsets_of(m: "Call", offsets: Any) -> tuple[int, ...]:
    """The im2col offsets, one for each spatial dimension; all 0 where none is given. ValueError where one does not fit.

    Source: PTX ISA 9.1 section 5.5.4, ranges by rank.
    """
    values, rank = as_integers("im2col_offsets", offsets), len(m.global_dim)
    if not m.is_im2col:
        if values:
            raise ValueError("im2col_offsets: a tiled copy takes none")
        return ()
    if not values:
        return (0,) * (rank - 2)
    if len(values) != rank - 2:
        raise ValueError(f"im2col_offsets has {len(values)} entries; rank {rank} takes {rank - 2}")
    most = 2 ** IM2COL_OFFSET_BITS[rank] - 1
    for i, value in enumerate(values):
        if not 0 <= value <= most:
            raise ValueError(f"im2col_offsets[{i}] = {value}: at rank {rank} an offset is 0 to {most}")
    return values


def shared_address_of(shared_address: Any) -> int:
    """The box's address in shared memory. ValueError where it is negative."""
    value = as_integer("shared_address", shared_address)
    if value < 0:
        raise ValueError(f"shared_address = {value}: an address is 0 or more")
    return value
