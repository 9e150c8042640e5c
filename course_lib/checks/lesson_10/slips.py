"""What went wrong with packets, where a wrong answer tells it: one sentence each, empty where it is not plain."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_10.questions import ChannelFetch, ImageBatch, LoadedBox
from course_lib.model.call.sizes import element_bytes, packet_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.packets import packet_channels
from course_lib.model.facts.enums import Interleave, Swizzle


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


def field_slip(wrong: str, got: Any, right: Any, asked: ImageBatch) -> str:
    """What a wrong argument looks like."""
    per_packet = packet_channels(asked.interleave, asked.data_type)
    if wrong == "global_dim":
        if len(got.global_dim) != 4:
            return "The dimensions are W, H, slice, N: the channels of a packet are none of them."
        if got.global_dim[2] == asked.shape[1] // per_packet:
            return "The slices are rounded up."
        if got.global_dim[::-1] == right.global_dim:
            return "Innermost first."
        if got.global_dim[2] == asked.shape[1] != right.global_dim[2]:
            return "Dimension 2 counts slices, not channels."
        return "Dimension 0 counts packets, so pixels." if got.global_dim[0] != asked.shape[3] else ""
    if wrong == "global_strides":
        if got.global_strides[0] * packet_bytes(right) == right.global_strides[0]:
            return "Bytes, not packets."
        return "A row is W packets, a slice H rows, an image all its slices, the padded one included."
    if wrong == "swizzle":
        return "By the documents 32-byte packets take 32B; 16-byte packets need none."
    return box_slip(got.box_dim, right.box_dim) if wrong == "box_dim" else ""


def box_slip(got: tuple[int, ...], right: tuple[int, ...]) -> str:
    """What a wrong box looks like."""
    if got[2:] != right[2:]:
        return "One slice and one image: the last two are 1."
    return "`box` is (W, H), innermost first." if got[1::-1] == right[:2] else "`box` is in packets already."


def bytes_slip(count: int, right: int, asked: ChannelFetch) -> str:
    """What a wrong count looks like."""
    copies = max(right // max(count, 1), 1)
    if count and right % count == 0 and copies > 1:
        return "The barrier expects the bytes of all the copies."
    if max(asked.tensor_map.element_strides or (1,)) > 1:
        return "With a step s, ceil(box / s) packets come along a dimension."
    return "One position is a packet of 16 or 32 bytes, whatever the type."


def unpack_slip(got: NDArray[Any], right: NDArray[Any], box: LoadedBox) -> str:
    """What a wrong box looks like."""
    if np.array_equal(np.sort(got, axis=None), np.sort(right, axis=None)):
        if np.array_equal(got.reshape(-1), right.T.reshape(-1)):
            return "A channel is a row of the result, a packet a column."
        if box.tensor_map.swizzle != Swizzle.NONE:
            return "All values are there, in another order: read through the swizzle, with the whole shared address."
    if box.tensor_map.swizzle != Swizzle.NONE:
        return "Packets lie close; each address goes through the XOR of the swizzle, the base included."
    return "The box begins at the shared address." if box.shared_address else ""


def standing_slip(call: TiledTensorMap, of_the_driver: bool) -> str:
    """Why the driver, or the documents, refuse a call."""
    if not 3 <= call.rank <= 5:
        return "The rank is 3 to 5 with interleave."
    if any(number % packet_bytes(call) for number in (call.global_address, *call.global_strides)):
        return f"Address and strides are multiples of {packet_bytes(call)}."
    if of_the_driver:
        return "This driver wants box_dim[0] times the size of a channel to be a multiple of 16."
    return "Documents allow 32-byte packets with swizzle 32B alone."


def leave_slip(call: TiledTensorMap, of_the_driver: bool) -> str:
    """What may have been held against a call that the driver, or the documents, take: all that may look wrong."""
    row, wide = call.box_dim[0] * element_bytes(call), call.interleave == Interleave.B32
    said = []
    if row % 16:
        said.append("Documents ask for whole 16 bytes in a row only without interleave.")
    elif row % packet_bytes(call):
        said.append("A row of the box is a multiple of 16 bytes, with packets of 32 too.")
    if wide and call.swizzle != Swizzle.B32:
        said.append("The driver takes every swizzle.")
    if not (wide or of_the_driver or call.swizzle == Swizzle.NONE):
        said.append("Documents allow every swizzle with 16-byte packets.")
    return " ".join(said) or f"Address and strides are multiples of {packet_bytes(call)}, and the rank is 3 to 5."
