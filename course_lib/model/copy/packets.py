"""Channel packets: (N, C, …, H, W) ⇄ (N, slices, …, H, W, channels of a packet), and the tensor map of such memory.

This is the layout that documents call NC/8HWC8 and NC/16HWC16. Source: CUDA Driver API 13.5, interleave; PTX ISA 9.1
section 5.5.6; the order of the dimensions: load.jsonl (NVIDIA H200).
"""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import ceil_div, packet_bytes
from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.copy.layout import rows_and_units
from course_lib.model.facts.enums import DataType, Interleave
from course_lib.model.facts.limits import PACKET_BYTES
from course_lib.model.facts.swizzle import pattern_of


def packet_channels(interleave: int, data_type: int) -> int:
    """The channels of one packet. KeyError without interleave."""
    return PACKET_BYTES[Interleave(interleave)] // DataType(data_type).size_bytes


def pack(values: NDArray[Any], channels: int) -> NDArray[Any]:
    """(N, C, …, W) as (N, slices, …, W, ``channels``), contiguous; channels that do not fill the last slice are zero."""
    images, count, *spatial = values.shape
    slices = ceil_div(count, channels)
    padded = np.zeros((images, slices * channels, *spatial), values.dtype)
    padded[:, :count] = values
    return np.ascontiguousarray(np.moveaxis(padded.reshape(images, slices, channels, *spatial), 2, -1))


def unpack(packed: NDArray[Any], count: int) -> NDArray[Any]:
    """The first ``count`` channels of (N, slices, …, W, channels) as (N, C, …, W)."""
    apart = np.moveaxis(packed, -1, 2)
    return apart.reshape(apart.shape[0], -1, *apart.shape[3:])[:, :count]


def packet_map(
    packed_shape: Sequence[int], data_type: int, interleave: int, box: Sequence[int], **arguments: Any
) -> TiledTensorMap:
    """The map of dense packets, ``packed_shape`` as ``pack`` gives it; ``box`` is (W, (H, (D))), in packets.

    A copy takes one slice of one image. ``arguments`` are further ones of the call; the address is 0 without it.
    """
    images, slices, *spatial = packed_shape[:-1]
    dims = (*reversed(spatial), slices, images)
    strides = list(accumulate(dims[:-1], mul, initial=PACKET_BYTES[Interleave(interleave)]))[1:]
    given = {"global_address": 0} | arguments
    return TiledTensorMap(
        data_type=data_type,
        global_dim=dims,
        global_strides=strides,
        box_dim=(*box, 1, 1),
        interleave=interleave,
        **given,
    )


def packets_in(m: Call, shared_memory: NDArray[np.uint8], shared_address: int = 0) -> NDArray[np.uint8]:
    """The packets of a loaded box in their order, (packets, bytes): read through the swizzle. ValueError without interleave."""
    if not packet_bytes(m):
        raise ValueError("a map without interleave has no packets")
    count, _ = rows_and_units(m)
    plain = shared_address + np.arange(count * packet_bytes(m)).reshape(count, -1)
    taken: NDArray[np.uint8] = shared_memory[pattern_of(m.swizzle)(plain)]
    return taken
