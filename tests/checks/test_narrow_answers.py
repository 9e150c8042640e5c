"""Answers that are right for most questions, by luck or for one kind alone: no seed may let one through."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib.checks import Status
from course_lib.checks.lesson_00 import checks as lesson_00
from course_lib.checks.lesson_01 import checks as lesson_01
from course_lib.checks.lesson_02 import checks as lesson_02
from course_lib.checks.lesson_03 import checks as lesson_03
from course_lib.checks.lesson_04 import checks as lesson_04
from course_lib.checks.lesson_05 import checks as lesson_05
from course_lib.checks.lesson_06 import checks as lesson_06
from course_lib.checks.lesson_07 import checks as lesson_07
from course_lib.checks.lesson_08 import checks as lesson_08
from course_lib.checks.lesson_09 import checks as lesson_09
from course_lib.checks.lesson_10 import checks as lesson_10
from course_lib.checks.lesson_11 import checks as lesson_11
from course_lib.model.cost.banks import access
from course_lib.model.facts.enums import DataType, OobFill
from tests.checks.four_ways import OTHER_SEEDS
from tests.checks.lesson_00 import test_checks as in_00
from tests.checks.lesson_01 import test_checks as in_01
from tests.checks.lesson_02 import test_checks as in_02
from tests.checks.lesson_03 import test_checks as in_03
from tests.checks.lesson_04 import test_checks as in_04
from tests.checks.lesson_05 import test_checks as in_05
from tests.checks.lesson_06 import test_checks as in_06
from tests.checks.lesson_07 import test_checks as in_07
from tests.checks.lesson_09 import test_checks as in_09
from tests.checks.lesson_10 import test_checks as in_10
from tests.checks.lesson_11 import test_checks as in_11

SEEDS = (0, *OTHER_SEEDS, 1603362544, 2906162014)  # a class's seed may be any number of 32 bits


def map_at_one_address(address, **matrix):
    return in_00.tile_map(0x7F0000000000, **matrix)


def number_in_two_rows(rows, columns, box_rows, box_columns):
    matrix = np.zeros((rows, columns), np.uint8)
    for number, place in enumerate(np.ndindex(rows // box_rows, columns // box_columns)):
        row, column = place[0] * box_rows, place[1] * box_columns
        matrix[row, column], matrix[(row + 1) % rows, column] = divmod(number, 256)
    return matrix


def pieces_at_address_0(thread, threads, m, start, place):
    return in_01.pieces(thread, threads, replace(m, global_address=0), start, place)


def dense(m):
    return replace(m, global_strides=(-(-m.global_dim[0] * m.data_type.size_bytes // 16) * 16,))


def pieces_of_dense_rows(thread, threads, m, start, place):
    return in_01.pieces(thread, threads, dense(m), start, place)


def inside_of_dense_rows(thread, threads, m, start):
    return in_01.pieces_inside(thread, threads, dense(m), start)


def two_may_announce(announces, copies, threads):
    announced = sum(bool(announces(t, t % 32 == 0)) for t in range(threads))
    return "completes" if announced == 2 else in_01.outcome(announces, copies, threads)


def lane_1_is_elected(announces, copies, threads):
    return in_01.outcome(*(lambda t, _, c=c: c(t, t % 32 == 1) for c in (announces, copies)), threads)


def bytes_of_two_dimensions(copies):
    def flat(m):
        strides, dims = m.global_strides[:1], m.global_dim[:2]
        return replace(
            m, global_dim=dims, global_strides=strides, box_dim=m.box_dim[:2], element_strides=m.element_strides[:2]
        )

    return in_02.expected_bytes([(c[0], flat(c[1]) if c[0] == "tensor" else c[1], *c[2:]) for c in copies])


def dimensions_of_31_bits(data):
    dims, strides = in_03.shape_of(data)
    return [(dim - 1) % 2**31 + 1 for dim in dims], strides


def strides_of_39_bits(data):
    dims, strides = in_03.shape_of(data)
    return dims, [stride % 2**39 for stride in strides]


def strides_without_bit_35(data):
    dims, strides = in_03.shape_of(data)
    return dims, [stride & ~(1 << 35) for stride in strides]


def types_but_uint16(data):
    found = in_03.type_of(data)
    return DataType.UINT8 if found == DataType.UINT16 else found


def addresses_of_float32(m, coordinates, index):
    return in_04.addresses(replace(m, data_type=DataType.FLOAT32), coordinates, index)


def addresses_up_to_rank_3(m, coordinates, index):
    there, here = in_04.addresses(m, coordinates, index)
    return (there, here) if m.rank != 4 else (there, 0)


def last_axis_of_2_is_fine(array, address):
    said = in_04.why_not(array, address)
    return "" if said == "last axis" and array.shape[-1] == 2 else said


def outer_axis_of_2_is_fine(array, address):
    small = [size for size in array.shape[:-1] if size > 1]
    said = in_04.why_not(array, address)
    return "" if said == "stride" and small == [2] else said


def strides_of_8_are_fine(array, address):
    said = in_04.why_not(array, address)
    return "" if said == "stride" and not any(stride < 0 or stride % 8 for stride in array.strides[:-1]) else said


def first_nan_is_a_number(bits):
    return in_05.tf32_of(bits) if bits & 0x7FFFFFFF != 0x7F800001 else bits + 0xFFF & 0xFFFFE000


def walk_from_the_second_argument(good, bad, accepts):
    now = good
    for name in list(vars(bad))[1:]:
        now = replace(now, **{name: getattr(bad, name)})
        if not accepts(now):
            return name
    return "oob_fill"


def stores_at_0_alone(call, direction, coordinates, shared_address):
    said = in_06.code_of(call, direction, coordinates, shared_address)
    return 715 if said == 0 and direction == "store" and min(coordinates) > 0 else said


def stores_from_minus_1(call, direction, coordinates, shared_address):
    inside = tuple(max(c, 0) if c == -1 else c for c in coordinates)
    return in_06.code_of(call, direction, inside, shared_address)


def starts_on_8_bytes(call, direction, coordinates, shared_address):
    half = coordinates[0] * call.data_type.size_bytes % 16 == 8
    return in_06.code_of(call, direction, (0, *coordinates[1:]) if half else coordinates, shared_address)


def window_of_zeros(tensor, start, box, fill):
    return in_07.window(tensor, start, box, 0)


def as_many_rows_as_columns(tensor, start, box, fill):
    got = np.full(box[::-1], fill, tensor.dtype)
    got[: box[0]] = in_07.window(tensor, start, (box[0], min(box)), fill)
    return got


def spilled_from_column_0(m, where):
    size = m.data_type.size_bytes
    if m.box_dim[0] <= m.global_dim[0] and where[0] * size < m.global_dim[0] * size:
        return 0
    return in_07.spilled_bytes(m, where)


def maxima_of_wide_matrices(load_tile, shape, box):
    return in_07.row_maxima(load_tile, (max(shape), min(shape)), box)


def maxima_of_boxes_of_8_columns(load_tile, shape, box):
    return in_07.row_maxima(load_tile, shape, (8, box[1]))


def maxima_with_zeros_as_missing(load_tile, shape, box):
    def numbers(column, row, fill):
        tile = load_tile(column, row, OobFill.NAN_REQUEST_ZERO_FMA)
        return np.where(tile == 0, np.nan, tile)

    return in_07.row_maxima(numbers, shape, box)


def maxima_above_minus_a_million(load_tile, shape, box):
    return np.fmax(in_07.row_maxima(load_tile, shape, box), -1e6)


def pitch_nearby(row_bytes, step_bytes, access_bytes, read):
    first = -(-row_bytes // step_bytes) * step_bytes
    return min(range(first, row_bytes + 65, step_bytes), key=lambda pitch: access(read(pitch), access_bytes).turns)


def b128_for_rows_of_any_width(row_bytes, lanes, access_bytes):
    return 3 if row_bytes > 128 else in_09.best_mode(row_bytes, lanes, access_bytes)


def rule_without_bit(bit):
    def rule_of(load):
        mask, shift = in_09.rule_of(load)
        return mask & ~(1 << bit), shift

    return rule_of


def skewed_for_some_units(unit):
    return in_09.skewed(unit if unit in (0, 5) else 0)


def packed_as_float32(values, per_packet):
    return in_10.pack(values, per_packet).astype(np.float32)


def packed_as_a_view(values, per_packet):
    if values.shape[1] % per_packet:
        return in_10.pack(values, per_packet)
    images, channels, height, width = values.shape
    return values.reshape(images, channels // per_packet, per_packet, height, width).transpose(0, 1, 3, 4, 2)


def ranks_from_3_up(call):
    driver, documents = in_10.standing(replace(call, **shape_of_rank_5(call)) if call.rank > 5 else call)
    return driver, documents


def shape_of_rank_5(call):
    return {name: getattr(call, name)[: 5 - (name == "global_strides")] for name in SHAPES}


SHAPES = ("global_dim", "global_strides", "box_dim", "element_strides")


def half_units_are_fine(call):
    return in_10.standing(
        replace(
            call,
            global_address=2 * call.global_address,
            global_strides=[2 * stride for stride in call.global_strides],
        )
    )


def sectors_of_even_rows(start, row_bytes):
    return (start + row_bytes - 2) // 32 - start // 32 + 1


def dram_bytes_of_even_rows(starts, row_bytes, promotion):
    return in_11.dram_bytes_of(starts, max(row_bytes - 1, 1), promotion)


def dram_bytes_256b_of_even_rows(starts, row_bytes):
    return in_11.dram_bytes_256b(starts, max(row_bytes - 1, 1))


def fails_at_the_tolerance(rule, times, tolerance):
    return [p for p, by in times.items() if by[rule(*p)] / min(by.values()) >= 1 + tolerance]


def part_below_0(x_bytes, y_bytes, dram_bytes, second_ns):
    return 1 - (dram_bytes - x_bytes - y_bytes) / x_bytes, x_bytes / second_ns


NARROW = [
    (lesson_00.check_tile_map, map_at_one_address),
    (lesson_00.check_telling_matrix, number_in_two_rows),
    (lesson_01.check_pieces, pieces_at_address_0),
    (lesson_01.check_pieces, pieces_of_dense_rows),
    (lesson_01.check_pieces_inside, inside_of_dense_rows),
    (lesson_01.check_outcome, two_may_announce),
    (lesson_01.check_outcome, lane_1_is_elected),
    (lesson_02.check_expected_bytes, bytes_of_two_dimensions),
    (lesson_03.check_shape_of, dimensions_of_31_bits),
    (lesson_03.check_shape_of, strides_of_39_bits),
    (lesson_03.check_shape_of, strides_without_bit_35),
    (lesson_03.check_type_of, types_but_uint16),
    (lesson_04.check_addresses, addresses_of_float32),
    (lesson_04.check_addresses, addresses_up_to_rank_3),
    (lesson_04.check_why_not, last_axis_of_2_is_fine),
    (lesson_04.check_why_not, outer_axis_of_2_is_fine),
    (lesson_04.check_why_not, strides_of_8_are_fine),
    (lesson_05.check_tf32_of, first_nan_is_a_number),
    (lesson_06.check_culprit, walk_from_the_second_argument),
    (lesson_06.check_code_of, stores_at_0_alone),
    (lesson_06.check_code_of, stores_from_minus_1),
    (lesson_06.check_code_of, starts_on_8_bytes),
    (lesson_07.check_window, window_of_zeros),
    (lesson_07.check_window, as_many_rows_as_columns),
    (lesson_07.check_spilled_bytes, spilled_from_column_0),
    (lesson_07.check_row_maxima, maxima_of_wide_matrices),
    (lesson_07.check_row_maxima, maxima_of_boxes_of_8_columns),
    (lesson_07.check_row_maxima, maxima_with_zeros_as_missing),
    (lesson_07.check_row_maxima, maxima_above_minus_a_million),
    (lesson_08.check_best_pitch, pitch_nearby),
    (lesson_09.check_best_mode, b128_for_rows_of_any_width),
    (lesson_09.check_rule_of, rule_without_bit(7)),
    (lesson_09.check_rule_of, rule_without_bit(12)),
    (lesson_09.check_skewed, skewed_for_some_units),
    (lesson_10.check_pack, packed_as_float32),
    (lesson_10.check_pack, packed_as_a_view),
    (lesson_10.check_standing, ranks_from_3_up),
    (lesson_10.check_standing, half_units_are_fine),
    (lesson_11.check_sectors_of, sectors_of_even_rows),
    (lesson_11.check_dram_bytes_of, dram_bytes_of_even_rows),
    (lesson_11.check_dram_bytes_256b, dram_bytes_256b_of_even_rows),
    (lesson_11.check_where_it_fails, fails_at_the_tolerance),
    (lesson_11.check_second_read_of, part_below_0),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("check", "answer"), NARROW)
def test_an_answer_that_is_right_for_some_questions_only_is_incorrect(check, answer, seed):
    outcome = check(answer, seed=seed)
    assert outcome.status is Status.INCORRECT
    assert " raised " not in outcome.message or answer is number_in_two_rows
