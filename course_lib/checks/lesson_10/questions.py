"""What the checks of exercise 10 ask: arrays to pack, tensors to describe, channels to fetch, boxes, and recorded calls."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.sizes import ceil_div, copied_shape, element_bytes, packet_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.packets import packet_channels, packet_map, packets_in
from course_lib.model.copy.transfer import load
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.recordings.copies.packets import kept_windows, packet_calls
from course_lib.rows.calls import tiled_map_of
from course_lib.rows.row import Row

MEMORY_ADDRESS = 0x7F0000000000
DOCUMENTED = {Interleave.B16: Swizzle.NONE, Interleave.B32: Swizzle.B32}
CHANNEL_TYPES = (DataType.UINT8, DataType.FLOAT16, DataType.FLOAT32)
MOST_PACKETS, RECORDED = 512, 6
DRIVER_ALONE = "inner-row-is-whole-units"  # refused here, and no document says so for packets
LARGEST_DOCUMENTED = 2**31  # dimension, by the newest header
SINGLE_CAUSES = ("rank-is-in-range", "address-is-aligned", "strides-are-aligned")  # refused by both
ASKED_RULES = {DRIVER_ALONE, *SINGLE_CAUSES}


class ImageBatch(NamedTuple):
    """An image batch to describe: (N, C, H, W), its type, the packet, the box (W, H) and the address of its memory."""

    shape: tuple[int, int, int, int]
    data_type: DataType
    interleave: Interleave
    box: tuple[int, int]
    address: int


class ChannelFetch(NamedTuple):
    """Channels to fetch: the map, which of them, of which image, and where the box begins."""

    tensor_map: TiledTensorMap
    channels: range
    image: int
    x: int
    y: int


class LoadedBox(NamedTuple):
    """A loaded box: shared memory, the map, the shared address, the packets that are in it, who loaded it, and from where."""

    shared: NDArray[np.uint8]
    tensor_map: TiledTensorMap
    shared_address: int
    packets: NDArray[np.uint8]
    by: str
    coordinates: tuple[int, ...] = ()


class StandingQuestion(NamedTuple):
    """A recorded call with interleave: did the driver accept it, and would the documents?"""

    call: TiledTensorMap
    driver: bool
    documents: bool


def arrays_to_pack(seed: int) -> Iterator[tuple[NDArray[Any], int]]:
    """NCHW arrays of several types that count from 1, and the channels of a packet."""
    draw = Random(seed + 100)
    shapes = [((1, 19, 2, 3), 8), ((2, 16, 3, 3), 8), ((1, 5, 2, 2), 16), ((2, 33, 1, 4), 16), ((1, 4, 2, 2), 4)]
    for _ in range(3):
        shapes.append((tuple(draw.randint(1, n) for n in (3, 40, 4, 5)), draw.choice((4, 8, 16, 32))))  # type: ignore[arg-type]
    types = (np.float32, np.float32, np.int16, np.float64, np.uint8, np.float32, np.uint16, np.float16)
    for (shape, channels), dtype in zip(shapes, types, strict=True):
        yield np.arange(1, prod(shape) + 1).astype(dtype).reshape(shape), channels


def image_batches(seed: int) -> Iterator[ImageBatch]:
    """Image batches to describe."""
    draw = Random(seed + 101)
    yield ImageBatch((1, 19, 30, 45), DataType.FLOAT16, Interleave.B16, (16, 16), MEMORY_ADDRESS)
    yield ImageBatch((4, 64, 56, 56), DataType.FLOAT16, Interleave.B32, (8, 8), MEMORY_ADDRESS)
    yield ImageBatch((2, 33, 7, 9), DataType.UINT8, Interleave.B32, (16, 7), MEMORY_ADDRESS + 64)
    for _ in range(5):
        data_type, interleave = draw.choice(CHANNEL_TYPES), Interleave(draw.randint(1, 2))
        width = 16 // data_type.size_bytes * draw.randint(1, 2)
        shape = draw.randint(1, 8), draw.randint(1, 100), draw.randint(1, 64), draw.randint(1, 64)
        yield ImageBatch(
            shape, data_type, interleave, (width, draw.randint(1, 16)), MEMORY_ADDRESS + 32 * draw.randint(0, 9)
        )


def right_map(asked: ImageBatch) -> TiledTensorMap:
    """The map of a batch, with the swizzle that documents ask for."""
    images, channels, height, width = asked.shape
    per_packet = packet_channels(asked.interleave, asked.data_type)
    packed = images, ceil_div(channels, per_packet), height, width, per_packet
    mode = DOCUMENTED[asked.interleave]
    return packet_map(packed, asked.data_type, asked.interleave, asked.box, swizzle=mode, global_address=asked.address)


def channel_fetches(seed: int) -> Iterator[ChannelFetch]:
    """Channels of a batch to fetch: whole slices, parts of slices, one channel, and boxes with steps."""
    draw = Random(seed + 102)
    maps = [right_map(asked) for asked in image_batches(seed)]
    yield ChannelFetch(maps[0], range(0, 19), 0, 7, 5)
    yield ChannelFetch(maps[0], range(9, 11), 0, -3, 0)
    yield ChannelFetch(replace(maps[0], element_strides=(2, 2, 1, 1)), range(6, 18), 0, 0, 0)
    yield ChannelFetch(maps[1], range(63, 64), 3, 55, 1)
    for m in maps[2:]:
        held = m.global_dim[2] * packet_channels(m.interleave, m.data_type)
        first = draw.randrange(held)
        steps = (draw.randint(1, 3), draw.randint(1, 3), 1, 1)
        stop = draw.randint(first + 1, held)
        where = draw.randrange(m.global_dim[3]), draw.randint(-4, 40), draw.randint(-4, 40)
        yield ChannelFetch(replace(m, element_strides=steps), range(first, stop), *where)


def right_fetch(asked: ChannelFetch) -> tuple[list[tuple[int, ...]], int]:
    """The coordinates of the copies, and the bytes that one barrier must expect for all of them."""
    per_packet = packet_channels(asked.tensor_map.interleave, asked.tensor_map.data_type)
    slices = range(asked.channels[0] // per_packet, asked.channels[-1] // per_packet + 1)
    where: list[tuple[int, ...]] = [(asked.x, asked.y, number, asked.image) for number in slices]
    return where, len(slices) * transaction_bytes(asked.tensor_map)


def loaded_boxes(seed: int) -> Iterator[LoadedBox]:
    """Boxes of small images that the model loaded, then windows of an H200."""
    draw = Random(seed + 103)
    kinds = [
        (draw.choice(CHANNEL_TYPES[1:]), *kind)
        for kind in ((1, 0, 0), (2, 1, 0), (2, 1, 384), (1, 3, 128), (2, 2, 640))
    ]
    for data_type, interleave, swizzle, address in [*kinds, (DataType.UINT8, 1, 2, 256), (DataType.FLOAT64, 2, 3, 896)]:
        m = packet_map((1, 3, 6, 12, 8), data_type, interleave, (16 // data_type.size_bytes, 2), swizzle=swizzle)
        yield model_box(m, (draw.randint(-2, 6), draw.randint(-1, 5), draw.randint(0, 2), 0), address, seed)
    yield from draw.sample(recorded_boxes(), RECORDED)


def model_box(m: TiledTensorMap, where: tuple[int, ...], address: int, seed: int) -> LoadedBox:
    """A load of random bytes."""
    numbers = np.random.default_rng(seed + address)
    memory, shared = numbers.integers(1, 256, 32768, np.uint8), np.full(4096, 0xCD, np.uint8)
    load(m, where, memory, shared, shared_address=address)
    return LoadedBox(shared, m, address, packets_in(m, shared, address), "the model", where)


@lru_cache(1)
def recorded_boxes() -> tuple[LoadedBox, ...]:
    """Kept windows of a moderate size, in which something came from the tensor."""
    found = []
    for windows in kept_windows().values():
        for window in windows:
            packets = window.sent.reshape(prod(copied_shape(window.tensor_map)), packet_bytes(window.tensor_map))
            if len(packets) <= MOST_PACKETS and len(np.unique(packets, axis=0)) > 2:
                found.append(LoadedBox(window.shared.reshape(-1), window.tensor_map, window.base, packets, "an H200"))
    return tuple(found)


STANDING_KINDS: tuple[Callable[[StandingQuestion], bool], ...] = (
    *((lambda s, mode=mode: s.driver and s.documents and s.call.swizzle == mode) for mode in range(4)),
    *((lambda s, mode=mode: s.driver and not s.documents and s.call.swizzle == mode) for mode in (0, 2, 3)),
    *((lambda s, wide=wide: not s.driver and s.documents and s.call.interleave == wide) for wide in (1, 2)),
    lambda s: s.driver and s.documents and row_bytes(s.call) % packet_bytes(s.call) == 16,
)


def row_bytes(call: TiledTensorMap) -> int:
    """The bytes that a row of the box would have without packets."""
    return int(call.box_dim[0] * element_bytes(call))


def standings(seed: int) -> list[StandingQuestion]:
    """Recorded encode calls with interleave that break no rule but those of the task: each kind, 16 of each outcome."""
    draw, known = Random(seed + 104), recorded_standings()
    kinds = [[s for s in known if kind(s)] for kind in STANDING_KINDS]
    chosen = [draw.choice(found) for found in [*kinds, *refused_for_one()]]
    for outcome in ((True, True), (True, False), (False, True), (False, False)):
        alike = [s for s in known if (s.driver, s.documents) == outcome]
        chosen += draw.sample(alike, 16 - sum((s.driver, s.documents) == outcome for s in chosen))
    draw.shuffle(chosen)
    return chosen


def refused_for_one() -> list[list[StandingQuestion]]:
    """The recorded calls that both refuse for one cause alone: each kind of packet and rank, and half a unit too many."""
    tied = [s for s in recorded_standings() if not s.documents and pair_is_documented(s.call)]
    alone = [[s for s in tied if {rule.id for rule in s.call.check().broken} == {cause}] for cause in SINGLE_CAUSES]
    ranks, *units = alone
    halves = [[s for s in found if is_half_off(s.call, kind)] for found in units for kind in (1, 2)]
    return [*alone, *([s for s in ranks if s.call.rank == rank] for rank in (2, 6)), *halves]


def is_half_off(call: TiledTensorMap, interleave: int) -> bool:
    """Are address and strides with this interleave multiples of half of what they must be, and no less?"""
    half = packet_bytes(call) // 2
    return bool(
        call.interleave == interleave and not any(n % half for n in (call.global_address, *call.global_strides))
    )


@lru_cache(1)
def recorded_standings() -> tuple[StandingQuestion, ...]:
    """All of them."""
    return tuple(standing for standing in map(standing_of, packet_calls()) if standing)


def standing_of(row: Row) -> StandingQuestion | None:
    """A recorded call, where the rules of the task alone decide it."""
    m = tiled_map_of(row)
    broken = {rule.id for rule in m.check().broken}
    if not broken <= ASKED_RULES or m.swizzle not in range(4) or max(m.global_dim, default=0) > LARGEST_DOCUMENTED:
        return None
    return StandingQuestion(m, row["result"] == 0, not broken - {DRIVER_ALONE} and pair_is_documented(m))


def pair_is_documented(call: TiledTensorMap) -> bool:
    """Do the documents allow this swizzle with these packets?"""
    return bool(call.interleave == Interleave.B16 or call.swizzle == Swizzle.B32)
