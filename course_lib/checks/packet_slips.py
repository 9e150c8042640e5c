"""What went wrong with packets, where a wrong answer tells it: one sentence each, empty where it is not plain."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.model.enums import Interleave, Swizzle
from course_lib.model.packets import packet_channels
from course_lib.model.sizes import packet_bytes

from .packet_questions import Box, Fetch, Tensor


def packet_slip(got: NDArray[Any], right: NDArray[Any], place: tuple[int, ...]) -> str:
    """What a wrong packet looks like."""
    mine, should = got[place], right[place]
    if np.array_equal(mine[should != 0], should[should != 0]):
        return "Its padding channels are not zero."
    if np.array_equal(got.reshape(-1), np.moveaxis(right, -1, 2).reshape(-1)):
        return "A reshape alone moves nothing: the channels of a pixel must become neighbours, by a transpose."
    if mine[0] == should[0]:
        return "Its first channel is right; the others are no neighbours in the packet."
    return ""


def field_slip(wrong: str, got: Any, right: Any, asked: Tensor) -> str:
    """What a wrong argument looks like."""
    per_packet = packet_channels(asked.interleave, asked.data_type)
    if wrong == "global_dim":
        if len(got.global_dim) != 4:
            return "The dimensions are W, H, slice, N: the channels of a packet are none of them."
        if got.global_dim[2] == asked.shape[1] // per_packet:
            return "The slices are rounded up."
        if got.global_dim[::-1] == right.global_dim:
            return "Innermost first."
        return "Dimension 0 counts packets, so pixels." if got.global_dim[0] != asked.shape[3] else ""
    if wrong == "global_strides":
        if got.global_strides[0] * packet_bytes(right) == right.global_strides[0]:
            return "Bytes, not packets."
        return "A row is W packets, a slice H rows, an image all its slices, the padded one included."
    if wrong == "swizzle":
        return "By the documents 32-byte packets take 32B; 16-byte packets need none."
    return "One slice and one image: the last two are 1." if wrong == "box_dim" else ""


def bytes_slip(count: int, right: int, asked: Fetch) -> str:
    """What a wrong count looks like."""
    copies = max(right // max(count, 1), 1)
    if count and right % count == 0 and copies > 1:
        return "The barrier expects the bytes of all the copies."
    if max(asked.tensor_map.element_strides or (1,)) > 1:
        return "With a step s, ceil(box / s) packets come along a dimension."
    return "One position is a packet of 16 or 32 bytes, whatever the type."


def unpack_slip(got: NDArray[Any], right: NDArray[Any], box: Box) -> str:
    """What a wrong box looks like."""
    if np.array_equal(np.sort(got, axis=None), np.sort(right, axis=None)):
        if np.array_equal(got.reshape(-1), right.T.reshape(-1)):
            return "A channel is a row of the result, a packet a column."
        if box.tensor_map.swizzle != Swizzle.NONE:
            return "All values are there, in another order: read through the swizzle, with the whole shared address."
    if box.tensor_map.swizzle != Swizzle.NONE:
        return "Packets lie close; each address goes through the XOR of the swizzle, the base included."
    return "The box begins at the shared address." if box.shared_address else ""


def standing_slip(call: Any, of_the_driver: bool) -> str:
    """What may have been overlooked with a call."""
    row = call.box_dim[0] * call.data_type.size_bytes if call.rank else 0
    if not 3 <= call.rank <= 5:
        return "The rank is 3 to 5 with interleave."
    if row % 16:
        return (
            "This driver wants box_dim[0] times the size of a channel to be a multiple of 16."
            if of_the_driver
            else "Documents ask for whole 16 bytes in a row only without interleave."
        )
    if call.interleave == Interleave.B32 and call.swizzle != Swizzle.B32:
        return (
            "The driver takes every swizzle."
            if of_the_driver
            else "Documents allow 32-byte packets with swizzle 32B alone."
        )
    return f"Address and strides are multiples of {packet_bytes(call)}."
