"""The checks of exercise 10, proved four ways: untouched, mistaken, solved, and solved in other words."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib import Interleave, Swizzle, TiledTensorMap
from course_lib.checks import Status
from course_lib.checks.lesson_10 import checks as lesson_10
from course_lib.checks.lesson_10 import questions as packet_questions
from course_lib.model.copy import packets
from course_lib.model.facts.swizzle import PATTERNS
from tests.checks.four_ways import SEEDS, FourWays

# Task 1


def pack(values, per_packet):
    n, c, h, w = values.shape
    slices = -(-c // per_packet)
    padded = np.zeros((n, slices * per_packet, h, w), values.dtype)
    padded[:, :c] = values
    return padded.reshape(n, slices, per_packet, h, w).transpose(0, 1, 3, 4, 2)


def pack_by_loops(values, per_packet):
    n, c, h, w = values.shape
    out = [
        [[[[0.0] * per_packet for _ in range(w)] for _ in range(h)] for _ in range(-(-c // per_packet))]
        for _ in range(n)
    ]
    for i, channel, y, x in np.ndindex(values.shape):
        out[i][channel // per_packet][y][x][channel % per_packet] = values[i, channel, y, x]
    return out


def reshaped_alone(values, per_packet):
    n, c, h, w = values.shape
    padded = np.pad(values, ((0, 0), (0, -c % per_packet), (0, 0), (0, 0)))
    return padded.reshape(n, -1, h, w, per_packet)


def padded_with_the_edge(values, per_packet):
    wide = np.pad(values, ((0, 0), (0, -values.shape[1] % per_packet), (0, 0), (0, 0)), mode="edge")
    return pack(wide, per_packet)


def every_other_channel(values, per_packet):
    n, c, h, w = values.shape
    slices = -(-c // per_packet)
    padded = np.pad(values, ((0, 0), (0, slices * per_packet - c), (0, 0), (0, 0)))
    return padded.reshape(n, per_packet, slices, h, w).transpose(0, 2, 3, 4, 1)


def slices_rounded_down(values, per_packet):
    whole = values.shape[1] // per_packet * per_packet
    return pack(values[:, :whole], per_packet)


def packed_in_place(values, per_packet):
    right = pack(values, per_packet)
    values[:] = 0
    return right


def padded_below_zero(values, per_packet):
    right = pack(values, per_packet)
    right[right == 0] = -0.0
    return right


# Task 2


def packet_map(shape, data_type, interleave, box, address):
    n, c, h, w = shape
    packet = 16 * interleave
    slices = -(-c * data_type.size_bytes // packet)
    return TiledTensorMap(
        data_type=data_type,
        global_address=address,
        global_dim=(w, h, slices, n),
        global_strides=(w * packet, w * h * packet, w * h * slices * packet),
        box_dim=(*box, 1, 1),
        interleave=interleave,
        swizzle=interleave - 1,
    )


def map_by_numpy(shape, data_type, interleave, box, address):
    packed = packets.pack(np.zeros(shape, f"<u{data_type.size_bytes}"), packets.packet_channels(interleave, data_type))
    return TiledTensorMap(
        data_type=int(data_type),
        global_address=np.int64(address),
        global_dim=np.array(packed.shape[3::-1]),
        global_strides=packed.strides[2::-1],
        box_dim=[*box, 1, 1],
        element_strides=[1] * 4,
        interleave=int(interleave),
        swizzle={1: 0, 2: 1}[int(interleave)],
    )


def map_with(**how):
    def answer(*asked):
        m = packet_map(*asked)
        return replace(m, **{name: change(m) for name, change in how.items()})

    return answer


def slices_down(shape, data_type, interleave, box, address):
    n, c, h, w = shape
    per_packet = 16 * interleave // data_type.size_bytes
    return packet_map((n, max(c // per_packet, 1) * per_packet, h, w), data_type, interleave, box, address)


def channels_in_front(shape, data_type, interleave, box, address):
    m, packet = packet_map(shape, data_type, interleave, box, address), 16 * interleave
    dims = (packet // data_type.size_bytes, *m.global_dim)
    return replace(
        m,
        global_dim=dims,
        global_strides=(packet, *m.global_strides),
        box_dim=(dims[0], *m.box_dim),
        element_strides=(1,) * 5,
    )


# Task 3


def copies_for(m, channels, image, x, y):
    per_packet = 16 * m.interleave // m.data_type.size_bytes
    slices = sorted({channel // per_packet for channel in channels})
    count = -(-m.box_dim[0] // m.element_strides[0]) * -(-m.box_dim[1] // m.element_strides[1])
    return [(x, y, s, image) for s in slices], len(slices) * count * 16 * m.interleave


def copies_as_lists(m, channels, image, x, y):
    where, count = copies_for(m, channels, image, x, y)
    return tuple([np.int64(c) for c in place] for place in where), np.int64(count)


def one_copy_counted(*asked):
    where, count = copies_for(*asked)
    return where, count // len(where)


def a_copy_a_channel(m, channels, image, x, y):
    per_packet = 16 * m.interleave // m.data_type.size_bytes
    where = [(x, y, channel // per_packet, image) for channel in channels]
    return where, copies_for(m, channels, image, x, y)[1]


def steps_forgotten(m, *asked):
    return copies_for(m, *asked)[0], copies_for(replace(m, element_strides=(1,) * 4), *asked)[1]


def elements_counted(m, *asked):
    where, count = copies_for(m, *asked)
    return where, count // (16 * m.interleave) * m.data_type.size_bytes


def image_before_slice(*asked):
    where, count = copies_for(*asked)
    return [(x, y, n, s) for x, y, s, n in where], count


# Task 4


def channels_of(shared, m, shared_address):
    taken = packets.packets_in(m, shared, shared_address)
    return np.ascontiguousarray(taken).view(f"<u{m.data_type.size_bytes}").T


def channels_byte_by_byte(shared, m, shared_address):
    size, packet = m.data_type.size_bytes, 16 * m.interleave
    out = np.zeros((packet // size, packet_questions.prod(packet_questions.copied_shape(m))), f"<u{size}")
    for channel, number in np.ndindex(out.shape):
        at = PATTERNS[m.swizzle](shared_address + number * packet + channel * size)
        out[channel, number] = int.from_bytes(shared[at : at + size].tobytes(), "little")
    return out


def signed_channels(*asked):
    right = channels_of(*asked)
    return right.view(f"<i{right.itemsize}")


def without_the_swizzle(shared, m, shared_address):
    return channels_of(shared, replace(m, swizzle=Swizzle.NONE), shared_address)


def relative_swizzle(shared, m, shared_address):
    return channels_of(shared[shared_address:], m, 0)


def spread_to_the_span(shared, m, shared_address):
    packet = 16 * m.interleave
    pitch = max(packet, {0: 0, 1: 32, 2: 64, 3: 128}[m.swizzle])
    count = packet_questions.prod(packet_questions.copied_shape(m))
    places = shared_address + np.arange(count)[:, None] * pitch + np.arange(packet)
    places = np.minimum(PATTERNS[m.swizzle](places), shared.size - 1)
    return np.ascontiguousarray(shared[places]).view(f"<u{m.data_type.size_bytes}").T


def packets_as_rows(*asked):
    return channels_of(*asked).T


# Task 5


def standing(call):
    step = 16 * call.interleave
    both = 3 <= call.rank <= 5 and not any(n % step for n in (call.global_address, *call.global_strides))
    driver = both and call.box_dim[0] * call.data_type.size_bytes % 16 == 0
    return driver, both and (call.interleave, call.swizzle) not in [(2, 0), (2, 2), (2, 3)]


def standing_from_the_verdict(call):
    documents = replace(call, box_dim=(16, *call.box_dim[1:])).check("sm_100") if call.rank else call.check()
    return np.array([call.check().accepted, documents.accepted])


def documents_for_the_driver(call):
    return (standing(call)[1],) * 2


def driver_for_the_documents(call):
    return (standing(call)[0],) * 2


def sixteen_for_all(call):
    return standing(replace(call, interleave=Interleave.B16))


def sixteen_for_the_driver(call):
    return standing(replace(call, interleave=Interleave.B16))[0], standing(call)[1]


def no_swizzle_with_16_bytes(call):
    driver, documents = standing(call)
    return driver, documents and (call.interleave == 2 or call.swizzle == 0)


def whole_packets_in_a_row(call):
    driver, documents = standing(call)
    return driver and call.box_dim[0] * call.data_type.size_bytes % (16 * call.interleave) == 0, documents


def the_pair_for_both(call):
    driver, documents = standing(call)
    return driver and (call.interleave, call.swizzle) not in [(2, 0), (2, 2), (2, 3)], documents


def any_rank(call):
    step = 16 * call.interleave
    fine = not any(n % step for n in (call.global_address, *call.global_strides))
    right = standing(call)
    return (fine if call.rank < 3 else right[0]), right[1]


def any_address(call):
    return standing(replace(call, global_address=0))


TASKS = [
    (
        lesson_10.check_pack,
        [pack, pack_by_loops, packets.pack],
        [
            (reshaped_alone, "a reshape alone moves nothing".capitalize()),
            (padded_with_the_edge, "Its padding channels are not zero."),
            (every_other_channel, "the others are no neighbours in the packet", "n0 slice 0 y0 x0"),
            (slices_rounded_down, "the result has the shape (1, 3, 2, 3, 8); yours has (1, 2, 2, 3, 8)"),
            (packed_in_place, "changed the array that it was given"),
            (lambda *asked: pack(*asked).astype(float), "the array has the type float32, your result float64."),
            (padded_below_zero, "Its padding channels are not zero."),
        ],
    ),
    (
        lesson_10.check_packet_map,
        [packet_map, map_by_numpy],
        [
            (channels_in_front, "the channels of a packet are none of them"),
            (
                slices_down,
                "your global_dim is (45, 30, 2, 1), it should be (45, 30, 3, 1). The slices are rounded up.",
                "global_dim",
            ),
            (map_with(global_dim=lambda m: m.global_dim[::-1]), "Innermost first."),
            (
                map_with(global_strides=lambda m: [s // 16 // m.interleave * 16 for s in m.global_strides]),
                "A row is W packets",
            ),
            (map_with(swizzle=lambda m: Swizzle.NONE), "By the documents 32-byte packets take 32B"),
            (map_with(l2_promotion=lambda m: 3), "your l2_promotion is"),
            (map_with(oob_fill=lambda m: 1), "your oob_fill is"),
            (map_with(box_dim=lambda m: (*m.box_dim[:2], m.global_dim[2], 1)), "One slice and one image"),
            (map_with(box_dim=lambda m: (*m.box_dim[1::-1], 1, 1)), "`box` is (W, H), innermost first."),
            (map_with(box_dim=lambda m: (8 * m.box_dim[0], *m.box_dim[1:])), "`box` is in packets already."),
            (
                lambda shape, *rest: replace(packet_map(shape, *rest), global_dim=(*shape[:1:-1], shape[1], shape[0])),
                "your global_dim is (45, 30, 19, 1), it should be (45, 30, 3, 1). Dimension 2 counts slices",
            ),
            (lambda *asked: dict(zip("abcde", asked, strict=True)), "of type dict, not a TiledTensorMap"),
        ],
    ),
    (
        lesson_10.check_copies_for,
        [copies_for, copies_as_lists],
        [
            (one_copy_counted, "The barrier expects the bytes of all the copies."),
            (a_copy_a_channel, "your copies begin at [(7, 5, 0, 0), (7, 5, 0, 0)"),
            (steps_forgotten, "With a step s, ceil(box / s) packets come", "First difference: number 0"),
            (elements_counted, "you expect 1536 bytes, 12288 come"),
            (
                image_before_slice,
                "channels 0 to 18 of image 0 at (7, 5): your copies begin at [(7, 5, 0, 0), (7, 5, 0, 1)",
            ),
            (lambda *asked: 5, "the function returned 5, not the pair (list of coordinates, bytes)."),
        ],
    ),
    (
        lesson_10.check_channels_of,
        [channels_of, channels_byte_by_byte, signed_channels, lambda *asked: channels_of(*asked).tolist()],
        [
            (without_the_swizzle, "read through the swizzle, with the whole shared address"),
            (relative_swizzle, "swizzle B32, shared address 384", "packets of 32 bytes"),
            (spread_to_the_span, "interleave B16, swizzle B128, shared address 128"),
            (packets_as_rows, "the result has the shape"),
            (
                lambda *asked: channels_of(*asked).astype(float),
                "the result has the type float64; unsigned integers of",
            ),
        ],
    ),
    (
        lesson_10.check_standing,
        [standing, standing_from_the_verdict],
        [
            (documents_for_the_driver, "of the driver, which", "interleave"),
            (driver_for_the_documents, "of the documents, which"),
            (sixteen_for_all, "you say True of"),
            (
                sixteen_for_the_driver,
                "you say True of the driver, which refused it. Address and strides are multiples of 32.",
            ),
            (no_swizzle_with_16_bytes, "Documents allow every swizzle with 16-byte packets."),
            (whole_packets_in_a_row, "A row of the box is a multiple of 16 bytes, with packets of 32 too."),
            (the_pair_for_both, "of the driver, which accepted it. The driver takes every swizzle."),
            (any_rank, "The rank is 3 to 5 with interleave."),
            (any_address, "Address and strides are multiples of"),
            (lambda call: True, "the function returned True, not the pair of True or False."),
            (lambda call: "no", "not the pair of True or False"),
        ],
    ),
]


class TestEachTask(FourWays):
    tasks = TASKS


def test_a_mistake_that_only_a_recorded_window_shows_is_told_as_one():
    def right_for_the_model(shared, m, shared_address):
        right = channels_of(shared, m, shared_address)
        return right if shared.size == 4096 and m.rank == 4 and m.global_dim[:2] == (12, 6) else right[::-1]

    outcome = lesson_10.check_channels_of(right_for_the_model)
    assert outcome.status is Status.INCORRECT
    assert "in the box of an H200" in outcome.message


@pytest.mark.parametrize("seed", SEEDS)
def test_the_standings_have_every_outcome_and_the_model_agrees_with_the_recorded_driver(seed):
    asked = packet_questions.standings(seed)
    assert len(asked) == 64
    assert {(s.driver, s.documents) for s in asked} == {(a, b) for a in (True, False) for b in (True, False)}
    assert all(s.call.check().accepted == s.driver for s in asked)


def test_the_packets_of_the_recorded_boxes_are_what_their_windows_hold():
    found = packet_questions.recorded_boxes()
    assert len(found) > 40
    assert {(box.tensor_map.interleave, box.tensor_map.swizzle) for box in found} >= {
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
        (2, 2),
    }
    assert all(np.array_equal(packets.packets_in(b.tensor_map, b.shared, b.shared_address), b.packets) for b in found)
