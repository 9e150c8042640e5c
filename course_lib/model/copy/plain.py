"""The readable twin of ``transfer``: one element after the other, for a person and for the tests.

It gives the same bytes as the fast one and raises the same faults; it is some hundred times slower.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from course_lib.model.call.arguments import Memory, coordinates_of, flat_bytes, offsets_of, shared_address_of
from course_lib.model.call.sizes import copied_shape, packet_bytes, spatial_slice
from course_lib.model.call.tensor_map import Call, Im2colCall, TiledTensorMap
from course_lib.model.copy import traps
from course_lib.model.copy.arithmetic import combine_bits
from course_lib.model.copy.element_bits import deliver_units, fill_unit
from course_lib.model.copy.im2col import walks
from course_lib.model.copy.layout import row_pitch_bytes, stride_bytes
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.model.facts.swizzle import pattern_of

Combine = Callable[[Memory, Memory], Memory]
Position = tuple[int, ...]
Unit = tuple[int, list[int]]  # where in global memory, and where each of its bytes lies in shared memory
Element = tuple[Position, int]  # where in the tensor, and at which byte of the unswizzled box


def tiled_elements(m: TiledTensorMap, coordinates: Position) -> Iterator[Element]:
    """Every element (packet with interleave) of a tiled box."""
    shape = copied_shape(m)
    steps = m.element_strides if m.interleave else (1, *m.element_strides[1:])
    element, packet = stride_bytes(m)[0], packet_bytes(m)
    for number, backwards in enumerate(product(*(range(n) for n in reversed(shape)))):
        index = backwards[::-1]
        position = tuple(c + k * s for c, k, s in zip(coordinates, index, steps, strict=True))
        row, column = (number, 0) if packet else (number // shape[0], index[0] * element)
        yield position, row * row_pitch_bytes(m) + column


def pixel_walk(m: Im2colCall, coordinates: Position) -> Iterator[tuple[Position, int]]:
    """Spatial position and batch image of every pixel, one step after the other."""
    axes = walks(m, coordinates)
    where, batch = [axis.start for axis in axes], coordinates[-1]
    for _ in range(m.pixels_per_column):
        yield tuple(where), batch
        for d, axis in enumerate(axes):
            where[d] += axis.step
            if where[d] <= axis.last:
                break
            where[d] = axis.lower
        else:
            batch += m.element_strides[-1]


def im2col_elements(m: Im2colCall, coordinates: Position, offsets: Position) -> Iterator[Element]:
    """Every element (packet with interleave) of an im2col column."""
    slice_coordinate, element = coordinates[spatial_slice(m).stop], stride_bytes(m)[0]
    for row, (spatial, batch) in enumerate(pixel_walk(m, coordinates)):
        pixel = tuple(p + o for p, o in zip(spatial, offsets, strict=True))
        for channel in range(1 if m.interleave else m.channels_per_pixel):
            inner = (*pixel, slice_coordinate) if m.interleave else (coordinates[0] + channel, *pixel)
            yield (*inner, batch), row * row_pitch_bytes(m) + channel * element


def elements(m: Call, coordinates: Sequence[int], shared_address: int, offsets: Sequence[int] = ()) -> list[Element]:
    """Every element of one copy; raises what the call or the device refuses."""
    traps.must_be_legal(m)
    where, address, moved = coordinates_of(m, coordinates), shared_address_of(shared_address), offsets_of(m, offsets)
    traps.must_start_right(m, where, address)
    return list(tiled_elements(m, where) if isinstance(m, TiledTensorMap) else im2col_elements(m, where, moved))


def is_inside(m: Call, position: Position) -> bool:
    """Does the position lie in the tensor?"""
    return all(0 <= p < size for p, size in zip(position, m.global_dim, strict=True))


def global_bytes(m: Call, position: Position) -> int:
    """The byte address of an element in global memory."""
    return int(m.global_address + sum(p * s for p, s in zip(position, stride_bytes(m), strict=True)))


def shared_bytes(m: Call, shared_address: int, offset: int, size: int) -> list[int]:
    """The byte addresses in shared memory of ``size`` bytes at ``offset`` of the unswizzled box."""
    return [pattern_of(m.swizzle)(shared_address + offset + i) for i in range(size)]


def load(
    m: Call,
    coordinates: Sequence[int],
    global_memory: Memory,
    shared_memory: Memory,
    *,
    shared_address: int = 0,
    im2col_offsets: Sequence[int] = (),
    global_base: int = 0,
) -> None:
    """``transfer.load``, element by element."""
    flat_bytes("shared_memory", shared_memory, writeable=True)
    box = elements(m, coordinates, shared_address, im2col_offsets)
    size, fill = stride_bytes(m)[0], fill_unit(m).view(np.uint8)
    writes = []
    for position, offset in box:
        places = shared_bytes(m, shared_address, offset, size)
        traps.must_fit(max(places) + 1, shared_memory)
        if is_inside(m, position):
            writes.append((places, deliver(m, there(global_memory, global_bytes(m, position) - global_base, size))))
        else:
            writes.append((places, np.resize(fill, size)))
    if not any(is_inside(m, position) for position, _ in box):
        there(global_memory, m.global_address - global_base, 1)
    for places, data in writes:
        shared_memory[places] = data


def there(memory: Memory, index: int, size: int) -> Memory:
    """``size`` bytes of global memory, ``index`` modulo 2**64 from its base; DeviceFault 700 where they are not there."""
    first = index % 2**64
    traps.must_be_in_memory(first, first + size, memory.size)
    return memory[first : first + size]


def deliver(m: Call, data: Memory) -> Memory:
    """One element as a load delivers it."""
    unit = np.resize(data, max(data.size, INNER_UNIT_BYTES)).view(np.complex128)
    return deliver_units(m, unit).view(np.uint8)[: data.size]


def outward_units(m: Call, coordinates: Sequence[int], shared_address: int) -> Iterator[Unit]:
    """For every 16-byte unit that a store writes: its global address and its bytes' shared addresses."""
    traps.must_be_legal(m)
    traps.must_not_be_negative(coordinates_of(m, coordinates))
    if not isinstance(m, TiledTensorMap):
        traps.must_stay_inside(m)
    size, box = stride_bytes(m)[0], elements(m, coordinates, shared_address)
    for position, offset in box:
        for part in range(0, max(size, 1), INNER_UNIT_BYTES):
            address = global_bytes(m, position) + part
            if address % INNER_UNIT_BYTES == 0 and is_inside(m, position):
                yield address, shared_bytes(m, shared_address, offset + part, INNER_UNIT_BYTES)


def store(
    m: Call,
    coordinates: Sequence[int],
    shared_memory: Memory,
    global_memory: Memory,
    *,
    shared_address: int = 0,
    global_base: int = 0,
) -> None:
    """``transfer.store``, unit by unit."""
    write_all(
        box_units(m, coordinates, shared_address, global_base), shared_memory, global_memory, lambda old, new: new
    )


def reduce(
    op: int,
    m: Call,
    coordinates: Sequence[int],
    shared_memory: Memory,
    global_memory: Memory,
    *,
    shared_address: int = 0,
    global_base: int = 0,
) -> None:
    """``transfer.reduce``, unit by unit."""
    traps.must_be_legal(m)
    traps.must_reduce(traps.reduce_op_of(op), m)
    combine = lambda old, new: combine_bits(op, DataType(m.data_type), old, new)  # noqa: E731
    write_all(box_units(m, coordinates, shared_address, global_base), shared_memory, global_memory, combine)


def box_units(m: Call, coordinates: Sequence[int], shared_address: int, global_base: int) -> list[Unit]:
    """For every unit that a store writes: its index in global memory, modulo 2**64, and its bytes' shared addresses."""
    units = outward_units(m, coordinates, shared_address)
    return [((address - global_base) % 2**64, places) for address, places in units]


def write_all(units: list[Unit], shared_memory: Memory, global_memory: Memory, combine: Combine) -> None:
    """Write ``combine(old, new)`` for every unit, after every check."""
    flat_bytes("global_memory", global_memory, writeable=True)
    for begin, places in units:
        traps.must_fit(max(places) + 1, shared_memory)
        traps.must_be_in_memory(begin, begin + INNER_UNIT_BYTES, global_memory.size)
    for begin, places in units:
        there = slice(begin, begin + INNER_UNIT_BYTES)
        global_memory[there] = combine(global_memory[there].copy(), shared_memory[places])
