"""Loads of one photograph as channel packets: both modes, every pair of interleave and swizzle, edges, element strides,
and the maps without interleave that bring the same bytes. Recorded in load_photo.jsonl (NVIDIA H200).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import packet_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.packets import pack, packet_channels, packet_map
from course_lib.model.facts.enums import DataType, Interleave, OobFill, Swizzle
from course_lib.recordings.copies.photo import features

HALF, BOX = DataType.FLOAT16, (16, 16)
NHWC_CHANNELS = 24  # 19, and room up to 16 bytes
ROW, PLANE = 45 * 16, 45 * 30 * 16  # bytes of the 16-byte packets
DOCUMENTED = {Interleave.B16: Swizzle.NONE, Interleave.B32: Swizzle.B32}


class PhotoLoad(NamedTuple):
    """One load: why, the map, where, the memory, and the shared address."""

    why: str
    tensor_map: TiledTensorMap
    coordinates: tuple[int, ...]
    memory: NDArray[np.uint8]
    shared_address: int = 0


def packed_photo(interleave: int) -> NDArray[np.float16]:
    """The photograph's channels as packets, (1, slices, 30, 45, channels of a packet)."""
    return pack(features(), packet_channels(interleave, HALF))


def photo_map(interleave: int, swizzle: int | None = None) -> TiledTensorMap:
    """The map of these packets, at address 0; the documented swizzle unless another is given."""
    mode = DOCUMENTED[Interleave(interleave)] if swizzle is None else swizzle
    return packet_map(packed_photo(interleave).shape, HALF, interleave, BOX, swizzle=mode)


def bytes_of(values: NDArray[Any]) -> NDArray[np.uint8]:
    """An array as flat memory."""
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8)


def pair_loads() -> Iterator[PhotoLoad]:
    """Every pair at two shared addresses."""
    for interleave in DOCUMENTED:
        memory = bytes_of(packed_photo(interleave))
        for swizzle in (Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128):
            for address in (0, 384):
                m = photo_map(interleave, swizzle)
                yield PhotoLoad("a pair", m, (16, 8, 1, 0), memory, address)


def place_loads(interleave: int) -> Iterator[PhotoLoad]:
    """The documented pair at edges, between units, in every slice, with steps and with a box of several slices."""
    memory, m = bytes_of(packed_photo(interleave)), photo_map(interleave)
    slices = m.global_dim[2]
    yield from (PhotoLoad("a slice", m, (7, 5, s, 0), memory) for s in range(slices))
    nan = replace(m, oob_fill=OobFill.NAN_REQUEST_ZERO_FMA)
    corners = ((32, 16), (-3, -2), (45, 0), (-16, 29))
    yield from (PhotoLoad("an edge", m, (*corner, 0, 0), memory) for corner in corners)
    yield PhotoLoad("an edge with NaN", nan, (32, 16, slices - 1, 0), memory)
    yield from (PhotoLoad("no such slice", nan, (0, 0, s, 0), memory) for s in (-1, slices))
    yield PhotoLoad("no such image", m, (0, 0, 0, 1), memory)
    yield PhotoLoad("every second pixel", replace(m, element_strides=(2, 2, 1, 1)), (1, 0, 0, 0), memory)
    yield PhotoLoad("a box of all slices", replace(m, box_dim=(*BOX, slices, 1)), (0, 0, 0, 0), memory)
    for data_type in (DataType.UINT8, DataType.FLOAT32):
        yield PhotoLoad("another type", replace(m, data_type=data_type), (7, 5, 1, 0), memory)


def packets_without_interleave(interleave: int, slices: int = 1, swizzle: int = Swizzle.NONE) -> TiledTensorMap:
    """The memory of ``photo_map`` by a map of rank 5 without interleave: channels of a packet, W, H, slice, N."""
    m = photo_map(interleave)
    channels = packet_channels(interleave, HALF)
    return TiledTensorMap(
        data_type=HALF,
        global_address=0,
        global_dim=(channels, *m.global_dim),
        global_strides=(packet_bytes(m), *m.global_strides),
        box_dim=(channels, *BOX, slices, 1),
        swizzle=swizzle,
    )


def nhwc_map() -> TiledTensorMap:
    """The photograph in NHWC, 8 channels of a pixel in a box."""
    pixel = NHWC_CHANNELS * HALF.size_bytes
    return TiledTensorMap(
        data_type=HALF,
        global_address=0,
        global_dim=(NHWC_CHANNELS, 45, 30, 1),
        global_strides=(pixel, 45 * pixel, 30 * 45 * pixel),
        box_dim=(8, *BOX, 1),
    )


def plain_loads() -> Iterator[PhotoLoad]:
    """The tile of ``pair_loads`` through maps without interleave."""
    small, large = (bytes_of(packed_photo(interleave)) for interleave in DOCUMENTED)
    nhwc = bytes_of(np.moveaxis(pack(features(), NHWC_CHANNELS), 1, -2))
    one, two = Interleave.B16, Interleave.B32
    yield PhotoLoad("rank 5", packets_without_interleave(one), (0, 16, 8, 1, 0), small)
    yield PhotoLoad("rank 5, 32B", packets_without_interleave(two, swizzle=Swizzle.B32), (0, 16, 8, 1, 0), large)
    yield PhotoLoad("NHWC", nhwc_map(), (8, 16, 8, 0), nhwc)
    yield PhotoLoad("rank 5, all slices", packets_without_interleave(one, 3), (0, 16, 8, 0, 0), small)
    yield PhotoLoad("rank 5, 128B", packets_without_interleave(one, swizzle=Swizzle.B128), (0, 16, 8, 1, 0), small)


def channels_first() -> PhotoLoad:
    """A map of 32-byte packets whose dimension 0 is meant as the 16 channels of a packet: accepted, and wrong."""
    m = TiledTensorMap(
        data_type=HALF,
        global_address=0,
        global_dim=(16, 45, 30, 2),
        global_strides=(32, 2 * ROW, 2 * PLANE),
        box_dim=(16, *BOX, 1),
        interleave=Interleave.B32,
        swizzle=Swizzle.B32,
    )
    return PhotoLoad("channels first", m, (0, 0, 0, 0), bytes_of(packed_photo(Interleave.B32)))


def photo_loads() -> list[PhotoLoad]:
    """All of them."""
    places = [load for interleave in DOCUMENTED for load in place_loads(interleave)]
    return [*pair_loads(), *places, *plain_loads(), channels_first()]
