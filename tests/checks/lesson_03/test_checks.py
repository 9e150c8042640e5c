"""The checks of exercise 03, proved four ways: untouched, mistaken, solved, and solved in other words."""

from math import ceil, prod

import numpy as np

from course_lib.checks.lesson_03 import checks as lesson_03
from course_lib.checks.lesson_03.descriptors import first_difference
from course_lib.checks.lesson_03.questions import FIRST_CHANGES, accepted_rows, model_questions, recorded_questions
from course_lib.model.call.encoding import decode
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.recordings import recorded_encode
from course_lib.recordings.copies.descriptors import recorded_fields
from tests.checks.four_ways import FourWays

CODES = {
    DataType.FLOAT32_FTZ: 8,
    DataType.FLOAT64: 9,
    DataType.BFLOAT16: 10,
    DataType.TFLOAT32: 7,
    DataType.TFLOAT32_FTZ: 8,
}
TF32 = (DataType.TFLOAT32, DataType.TFLOAT32_FTZ)
REPEAT = {0: 16, 1: 256, 2: 512, 3: 1024}


def number(data):
    return int.from_bytes(data, "little")


def field(data, lsb, width):
    return number(data) >> lsb & (1 << width) - 1


# Task 1: the rank


def rank_of(data):
    return field(data, 68, 3) + 1


def rank_from_byte_8(data):
    return np.int64((data[8] >> 4 & 7) + 1)


def rank_less_one(data):
    return field(data, 68, 3)


def rank_one_bit_too_high(data):
    return field(data, 67, 3) + 1


def rank_of_the_first_byte(data):
    return data[0] + 1


def rank_in_words(data):
    return f"rank {rank_of(data)}"


RANK_MISTAKES = [
    (
        rank_less_one,
        "for a map of rank 2 you read 1. The bits hold the rank less one. Written back",
        "First difference: byte",
    ),
    (rank_one_bit_too_high, "for a map of rank 2 you read 3. It has three bits, from bit 68 on."),
    (rank_of_the_first_byte, "you read"),
    (rank_in_words, "returned 'rank 2', not a rank as an integer"),
]

# Task 2: the shape


def shape_of(data):
    rank = rank_of(data)
    dims = tuple(field(data, 256 + 32 * i, 32) + 1 for i in range(rank))
    return dims, tuple(
        16 * (field(data, 96 + 32 * i, 32) + (field(data, 224 + 4 * i, 4) << 32)) for i in range(rank - 1)
    )


def shape_by_numpy(data):
    rank, halves = rank_of(data), np.frombuffer(data, "<u4").astype(np.uint64)
    high = (halves[7] >> np.arange(0, 16, 4).astype(np.uint64)) & np.uint64(15)
    strides = ((high << np.uint64(32)) | halves[3:7]) * np.uint64(16)
    return halves[8 : 8 + rank] + np.uint64(1), list(strides[: rank - 1])


def shape_from_the_last_to_the_first(data):
    dims, strides = [], []
    for i in reversed(range(rank_of(data))):
        dims.insert(0, field(data, 256 + 32 * i, 32) + 1)
        if i:
            strides.insert(0, field(data, 92 + 4 * i + 28 * i - 28, 32) * 16 + (field(data, 220 + 4 * i, 4) << 36))
    return [dims, strides]


def dimensions_less_one(data):
    dims, strides = shape_of(data)
    return tuple(d - 1 for d in dims), strides


def strides_in_units(data):
    dims, strides = shape_of(data)
    return dims, tuple(s // 16 for s in strides)


def lower_strides_only(data):
    dims, strides = shape_of(data)
    return dims, tuple(s % 2**36 for s in strides)


def five_dimensions(data):
    return [field(data, 256 + 32 * i, 32) + 1 for i in range(5)], shape_of(data)[1]


def a_stride_for_each_dimension(data):
    dims, strides = shape_of(data)
    return dims, (*strides, 0)


def outermost_first(data):
    dims, strides = shape_of(data)
    return dims[::-1], strides[::-1]


def big_endian_shape(data):
    return shape_of(data[::-1])


def dimensions_alone(data):
    return shape_of(data)[0]


SHAPE_MISTAKES = [
    (dimensions_less_one, "A dimension is stored less one."),
    (strides_in_units, "A stride is stored in units of 16 bytes; wanted are bytes.", "First difference: byte"),
    (lower_strides_only, "its upper four lie from bit 224 on."),
    (five_dimensions, "A map of rank 2 has 2 dimensions."),
    (a_stride_for_each_dimension, "A map of rank 2 has one stride fewer, 1: that of dimension 0 is not given."),
    (outermost_first, "The innermost dimension comes first."),
    (big_endian_shape, "global_dim: you read"),
    (dimensions_alone, "global_dim is 1024, not a sequence of integers."),
    (lambda data: set(shape_of(data)[0]), "not the pair"),
]

# Task 3: the type


def type_of(data):
    is_tf32 = bool(field(data, 80, 1))
    return next(t for t in DataType if CODES.get(t, int(t)) == field(data, 71, 4) and (t in TF32) == is_tf32)


def type_as_a_numpy_integer(data):
    return np.int64(type_of(data))


def code_as_type(data):
    return DataType(field(data, 71, 4))


def code_without_the_tf32_bit(data):
    code = field(data, 71, 4)
    return {8: DataType.FLOAT32_FTZ, 9: DataType.FLOAT64, 10: DataType.BFLOAT16}.get(code, DataType(code))


def tf32_without_its_code(data):
    return DataType.TFLOAT32 if field(data, 80, 1) else type_of(data)


def name_of_the_type(data):
    return type_of(data).name


TYPE_MISTAKES = [
    (code_as_type, "is the code in the bits; the driver's number is another.", "First difference: byte"),
    (code_without_the_tf32_bit, "A TF32 type has a bit of its own, bit 80."),
    (tf32_without_its_code, "Both TF32 types set bit 80; the code tells which"),
    (name_of_the_type, "not an element type as an integer"),
]

# Task 4: the derived words


def derived_words(call):
    steps = zip(call.box_dim, call.element_strides, strict=True)
    return prod(b // s for b, s in steps) * call.data_type.size_bytes, REPEAT[call.swizzle]


def derived_by_numpy(call):
    counted = np.array(call.box_dim) // np.array(call.element_strides)
    return [
        counted.prod() * np.int64(call.data_type.size_bytes),
        np.int32(16 if call.swizzle == 0 else 128 << call.swizzle),
    ]


def rounded_up(call):
    steps = zip(call.box_dim, call.element_strides, strict=True)
    return prod(ceil(b / s) for b, s in steps) * call.data_type.size_bytes, REPEAT[call.swizzle]


def not_divided(call):
    return prod(call.box_dim) * call.data_type.size_bytes, REPEAT[call.swizzle]


def in_elements(call):
    return derived_words(call)[0] // call.data_type.size_bytes, REPEAT[call.swizzle]


def span_for_repeat(call):
    return derived_words(call)[0], {0: 16, 1: 32, 2: 64, 3: 128}[call.swizzle]


def no_repeat_without_swizzle(call):
    return derived_words(call)[0], REPEAT[call.swizzle] if call.swizzle else 0


def box_bytes_alone(call):
    return derived_words(call)[0]


DERIVED_MISTAKES = [
    (rounded_up, "Yours is rounded up; the driver rounds down.", "First difference: byte"),
    (not_divided, "Each box entry is divided by its element stride first."),
    (in_elements, "Yours counts elements; wanted are bytes."),
    (span_for_repeat, "That is the span of one row."),
    (no_repeat_without_swizzle, "for swizzle NONE: 0, the driver wrote 16. Each mode has a number of its own."),
    (box_bytes_alone, "not the pair (box_bytes, swizzle_repeat)"),
]

# Task 5: all of it


def encode_tiled(call, *, step=16, less=1, code=True, big=False, words=derived_words):
    n = call.global_address | (call.rank - less) << 68 | call.interleave << 75 | call.swizzle << 77
    n |= (CODES.get(call.data_type, int(call.data_type)) if code else int(call.data_type)) << 71
    n |= call.oob_fill << 79 | (call.data_type in TF32) << 80 | call.l2_promotion << 81
    for i, stride in enumerate(call.global_strides):
        n |= (stride // step & 0xFFFFFFFF) << 96 + 32 * i | (stride // step >> 32 & 15) << 224 + 4 * i
    for i, (dim, step_of, box) in enumerate(zip(call.global_dim, call.element_strides, call.box_dim, strict=True)):
        n |= (dim - less & 0xFFFFFFFF) << 256 + 32 * i | (step_of - 1) << 416 + 3 * i | (box - 1) << 440 + 8 * i
    box_bytes, repeat = words(call)
    return (n | box_bytes << 512 | repeat << 576).to_bytes(128, "big" if big else "little")


def encode_backwards_into_a_bytearray(call):
    data = bytearray(128)

    def put(lsb, width, value):
        for bit in range(width):
            data[(lsb + bit) // 8] |= (int(value) >> bit & 1) << (lsb + bit) % 8

    box_bytes, repeat = derived_by_numpy(call)
    put(576, 11, repeat)
    put(512, 18, box_bytes)
    for i in reversed(range(call.rank)):
        put(440 + 8 * i, 8, np.int64(call.box_dim[i] - 1))
        put(416 + 3 * i, 3, call.element_strides[i] - 1)
        put(256 + 32 * i, 32, call.global_dim[i] - 1)
    for i, stride in enumerate(call.global_strides):
        put(96 + 32 * i, 32, stride >> 4)
        put(224 + 4 * i, 4, stride >> 36)
    fields = (
        (81, 2, call.l2_promotion),
        (80, 1, call.data_type in TF32),
        (79, 1, call.oob_fill),
        (77, 2, call.swizzle),
    )
    for lsb, width, value in (*fields, (75, 2, call.interleave), (68, 3, call.rank - 1), (0, 57, call.global_address)):
        put(lsb, width, value)
    put(71, 4, CODES.get(call.data_type, call.data_type))
    return data


def encode_by_numpy(call):
    return np.frombuffer(encode_tiled(call), np.uint8)


ENCODE_MISTAKES = [
    (
        lambda call: encode_tiled(call, less=0),
        "bits 68 to 70 (rank_minus_1): yours holds 2, it should hold 1. The rank",
    ),
    (lambda call: encode_tiled(call, step=1), "stride_0_low): yours holds", "First difference: byte"),
    (lambda call: encode_tiled(call, big=True), "in the wrong order: the lowest byte comes first (little-endian)."),
    (lambda call: encode_tiled(call, code=False), "The code is tensormap.replace's number"),
    (lambda call: encode_tiled(call, words=rounded_up), "bits 512 to 529 (box_bytes)"),
    (lambda call: encode_tiled(call, words=span_for_repeat), "bits 576 to 586 (swizzle_repeat)"),
    (lambda call: call.encode(), "you write the bytes yourself, without .encode()"),
    (lambda call: number(encode_tiled(call)), "returned an integer"),
    (lambda call: encode_tiled(call)[:64], "returned 64 bytes; a descriptor has 128"),
    (lambda call: encode_tiled(call).hex(), "of type str, not 128 bytes"),
    (
        lambda call: (number(encode_tiled(call)) | 1 << 700).to_bytes(128, "little"),
        "Bit 700 belongs to no field and is 0.",
    ),
]

# Task 6: the way back


def decode_tiled(data):
    dims, strides = shape_of(data)
    return TiledTensorMap(
        data_type=type_of(data),
        global_address=field(data, 0, 57),
        global_dim=dims,
        global_strides=strides,
        box_dim=[field(data, 440 + 8 * i, 8) + 1 for i in range(len(dims))],
        element_strides=np.array([field(data, 416 + 3 * i, 3) + 1 for i in range(len(dims))]),
        interleave=field(data, 75, 2),
        swizzle=Swizzle(field(data, 77, 2)),
        oob_fill=field(data, 79, 1),
        l2_promotion=field(data, 81, 2),
    )


def without_element_strides(data):
    full = decode_tiled(data)
    return TiledTensorMap(**{**vars(full), "element_strides": None})


def without_l2_promotion(data):
    return TiledTensorMap(**{**vars(decode_tiled(data)), "l2_promotion": 0})


DECODE_MISTAKES = [
    (without_element_strides, "element_strides: you read"),
    (without_l2_promotion, "l2_promotion: you read", "First difference: byte"),
    (lambda data: vars(decode_tiled(data)), "of type dict, not a TiledTensorMap"),
]

TASKS = [
    (lesson_03.check_rank_of, [rank_of, rank_from_byte_8], RANK_MISTAKES),
    (
        lesson_03.check_shape_of,
        [shape_of, shape_by_numpy, shape_from_the_last_to_the_first, lambda data: map(iter, shape_of(data))],
        SHAPE_MISTAKES,
    ),
    (lesson_03.check_type_of, [type_of, type_as_a_numpy_integer], TYPE_MISTAKES),
    (
        lesson_03.check_derived_words,
        [derived_words, derived_by_numpy, lambda call: np.array(derived_words(call))],
        DERIVED_MISTAKES,
    ),
    (lesson_03.check_encode_tiled, [encode_tiled, encode_backwards_into_a_bytearray, encode_by_numpy], ENCODE_MISTAKES),
    (lesson_03.check_decode_tiled, [decode_tiled, decode], DECODE_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


def test_the_bytes_asked_for_are_a_real_drivers_and_the_models():
    for question in recorded_questions(7):
        answer = recorded_fields().get(question.call) or recorded_encode(question.call)
        assert answer.bytes == question.data
    assert all(question.call.check().accepted for question in model_questions(7, count=200))
    assert {row["rank"] for row in accepted_rows()} == {1, 2, 3, 4, 5}


def test_another_seed_asks_about_other_calls():
    first, second = ({question.call for question in recorded_questions(seed)} for seed in (1, 2))
    assert len(first & second) < len(FIRST_CHANGES) + 3


def test_a_call_in_a_message_can_be_pasted_into_a_cell():
    message = lesson_03.check_encode_tiled(ENCODE_MISTAKES[0][0]).message
    typed = message.split("for ", 1)[1].split("\n")[0]
    names = {name: getattr(__import__("course_lib"), name) for name in ("TiledTensorMap", "DataType", "Swizzle")}
    names |= {name: getattr(__import__("course_lib"), name) for name in ("Interleave", "L2Promotion", "OobFill")}
    assert eval(typed, names) in {question.call for question in recorded_questions(0)}


def test_equal_descriptors_part_nowhere_but_a_bit_between_the_fields_does():
    right = recorded_questions(0)[0].data
    assert "Bit 65 belongs to no field" in first_difference((number(right) | 1 << 65).to_bytes(128, "little"), right)
