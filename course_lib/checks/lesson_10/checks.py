"""The checks of exercise 10: pack an image, describe it, fetch its channels, unpack a box, and judge calls twice."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_10.learner_packets import as_array, as_fetch, as_truths
from course_lib.checks.lesson_10.questions import (
    ImageBatch,
    LoadedBox,
    StandingQuestion,
    arrays_to_pack,
    channel_fetches,
    image_batches,
    loaded_boxes,
    right_fetch,
    right_map,
    standings,
)
from course_lib.checks.lesson_10.slips import (
    bytes_slip,
    field_slip,
    leave_slip,
    packet_slip,
    standing_slip,
    unpack_slip,
)
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.calls import as_typed
from course_lib.checks.shared.learner_values import as_map
from course_lib.checks.shared.pictures import draw_if_it_fits
from course_lib.draw.copies.packets import packet_picture
from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.compare import ComparedRow, compare_rows, compare_values
from course_lib.draw.replies.verdict import verdict_picture
from course_lib.model.call.sizes import element_bytes
from course_lib.model.copy.packets import pack
from course_lib.model.facts.enums import DataType, Interleave, Swizzle

FIELDS = (
    "data_type",
    "interleave",
    "global_address",
    "global_dim",
    "global_strides",
    "box_dim",
    "element_strides",
    "swizzle",
    "l2_promotion",
    "oob_fill",
)


@check("every channel lies in its packet, and the rest is zero.")
def check_pack(answer: Answer, seed: int) -> None:
    """Task 1: `pack(values, per_packet)` gives (N, slices, H, W, per_packet)."""
    for values, per_packet in arrays_to_pack(seed):
        before, right = values.copy(), pack(values, per_packet)
        got = as_array(ask(answer, values, per_packet), right.shape, values.shape, values.dtype)
        if not np.array_equal(before, values):
            raise Wrong("your function changed the array that it was given: pack into a new one.")
        if np.shares_memory(got, values):
            raise Wrong(
                f"values {values.shape}: your result is a view of them; what is written to it would change them."
            )
        if got.dtype != values.dtype:
            raise Wrong(f"the array has the type {values.dtype}, your result {got.dtype}.")
        compare_packed(got, right, values, per_packet)


def compare_packed(got: NDArray[Any], right: NDArray[Any], values: NDArray[Any], per_packet: int) -> None:
    """Wrong at the first packet that differs."""
    differing = np.argwhere(((got != right) | (np.signbit(got) != np.signbit(right))).any(axis=-1))
    if len(differing):
        first = tuple(map(int, differing[0]))
        places = [place for place in np.ndindex(right.shape[:-1]) if place <= first][-8:]
        rows = [
            ComparedRow("n{} slice {} y{} x{}".format(*place), packet_text(got[place]), packet_text(right[place]))
            for place in places
        ]
        said = f"values {values.shape}, {per_packet} channels a packet: image {first[0]}, slice {first[1]}, y {first[2]}, x {first[3]}"
        said += f" of yours is not the packet that belongs there. {packet_slip(got, right, first)}"
        raise Wrong(said.strip(), compare_rows("Packets up to the first difference", rows, ("yours", "right"), said))


@check("the driver gets the map of these packets.")
def check_packet_map(answer: Answer, seed: int) -> None:
    """Task 2: `packet_map(shape, data_type, interleave, box, address)` gives the TiledTensorMap."""
    for asked in image_batches(seed):
        got, right = as_map(ask(answer, *asked)), right_map(asked)
        wrong = next((name for name in FIELDS if getattr(got, name) != getattr(right, name)), None)
        if wrong:
            raise Wrong(*field_difference(asked, got, right, wrong))


def field_difference(asked: ImageBatch, got: Any, right: Any, wrong: str) -> tuple[str, Picture]:
    """What is wrong with the first argument that differs, and the arguments up to it."""
    told = FIELDS[: FIELDS.index(wrong) + 1]
    rows = [ComparedRow(name, argument_text(getattr(got, name)), argument_text(getattr(right, name))) for name in told]
    mine, should = argument_text(getattr(got, wrong)), argument_text(getattr(right, wrong))
    said = f"(N, C, H, W) = {asked.shape} of {DataType(asked.data_type).name}, interleave {asked.interleave.name}: your {wrong} is {mine},"
    said += f" it should be {should}. {field_slip(wrong, got, right, asked)}"
    return said.strip(), compare_rows("Arguments up to the first difference", rows, ("yours", "right"), said)


@check("each channel comes, with as few copies as possible, and the barrier ends with the last.")
def check_copies_for(answer: Answer, seed: int) -> None:
    """Task 3: `copies_for(tensor_map, channels, image, x, y)` gives (list of coordinates, bytes to expect)."""
    for asked in channel_fetches(seed):
        got, count = as_fetch(ask(answer, *asked))
        right, bytes_right = right_fetch(asked)
        case = f"channels {asked.channels[0]} to {asked.channels[-1]} of image {asked.image} at ({asked.x}, {asked.y})"
        if got != right:
            said = f"{case}: your copies begin at {got}; right are {right}."
            raise Wrong(said, compare_values(got, right, ("yours", "right"), "coordinates"))
        if count != bytes_right:
            said = f"{case}: you expect {count} bytes, {bytes_right} come. {bytes_slip(count, bytes_right, asked)}"
            raise Wrong(said.strip(), compare_values([count], [bytes_right], ("yours", "right"), "bytes to expect"))


@check("every channel of every box comes out, boxes of an H200 among them.")
def check_channels_of(answer: Answer, seed: int) -> None:
    """Task 4: `channels_of(shared, tensor_map, shared_address)` gives (channels of a packet, packets)."""
    for box in loaded_boxes(seed):
        bits = f"<u{element_bytes(box.tensor_map)}"
        right = np.ascontiguousarray(box.packets).view(bits).T
        got = as_array(ask(answer, box.shared.copy(), box.tensor_map, box.shared_address), right.shape, None, bits)
        if got.dtype.kind != "u":
            raise Wrong(f"the result has the type {got.dtype}; unsigned integers of {right.itemsize} bytes are asked.")
        differing = np.argwhere(got != right)
        if len(differing):
            channel, packet = min(((c, p) for c, p in differing.tolist()), key=lambda place: place[::-1])
            said = f"{box_words(box)}: channel {channel} of packet {packet} is {got[channel, packet]:#x} in yours,"
            said += f" {right[channel, packet]:#x} in the box of {box.by}. {unpack_slip(got, right, box)}"
            raise Wrong(said.strip(), box_picture(box, got[:, packet], right[:, packet]))


def box_words(box: LoadedBox) -> str:
    """A box in words."""
    m = box.tensor_map
    return f"{DataType(m.data_type).name}, interleave {Interleave(m.interleave).name}, swizzle {Swizzle(m.swizzle).name}, shared address {box.shared_address}"


def box_picture(box: LoadedBox, mine: NDArray[Any], right: NDArray[Any]) -> Picture:
    """The box where it can be drawn, its first wrong packet where not."""
    sides = map(hex, mine.tolist()), map(hex, right.tolist())
    whole = draw_if_it_fits(packet_picture, box.tensor_map, box.coordinates, 24, box.shared_address)
    return whole or compare_values(*sides, names=("yours", "right"), title="channels of the packet")


@check("you know the driver, the documents, and where the two part.")
def check_standing(answer: Answer, seed: int) -> None:
    """Task 5: `standing(call)` gives (the driver accepts it, the documents allow it)."""
    for question in standings(seed):
        got = as_truths(ask(answer, question.call))
        if got != (question.driver, question.documents):
            raise Wrong(
                f"for {as_typed(question.call)}\n{standing_words(got, question)}", verdict_picture(question.call)
            )


def standing_words(got: tuple[bool, bool], question: StandingQuestion) -> str:
    """What a learner said of driver or documents, and what holds."""
    if got[0] != question.driver:
        did, slip = ("accepted", leave_slip) if question.driver else ("refused", standing_slip)
        return f"you say {got[0]} of the driver, which {did} it. {slip(question.call, True)}"
    may, slip = ("allow", leave_slip) if question.documents else ("forbid", standing_slip)
    return f"you say {got[1]} of the documents, which {may} it. {slip(question.call, False)}"


def argument_text(value: Any) -> str:
    """An argument as a learner writes it."""
    if isinstance(value, int) and hasattr(value, "name"):
        return str(value.name)
    return hex(value) if isinstance(value, int) and value > 2**16 else str(value)


def packet_text(packet: NDArray[Any]) -> str:
    """A packet in words."""
    return " ".join(f"{value:g}" for value in packet)
