"""The checks of exercise 06, proved four ways: untouched, mistaken, solved, and solved in other words."""

from dataclasses import replace

import numpy as np
import pytest

from course_lib.checks.lesson_06 import checks as lesson_06
from course_lib.checks.lesson_06.copy_questions import COPY_KINDS, asked_copies, can_stay, recorded_copies, wild_views
from course_lib.checks.lesson_06.questions import (
    GOOD_START,
    ROW_KINDS,
    ROW_RULES,
    STRIDE_KINDS,
    STRIDE_RULES,
    draw_some,
    judged_calls,
    walks,
)
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.recordings import recorded_encode
from course_lib.recordings.copies.reports import reports
from tests.checks.four_ways import FourWays

# Task 1: the culprit


def culprit(good, bad, accepts):
    now = good
    for name in vars(bad):
        now = replace(now, **{name: getattr(bad, name)})
        if not accepts(now):
            return name
    return None


def culprit_by_counting(good, bad, accepts):
    names = list(vars(bad))

    def mixed(count):
        return type(good)(**{**vars(good), **{name: getattr(bad, name) for name in names[:count]}})

    return names[next(count for count in range(1, 11) if not accepts(mixed(count))) - 1]


def culprit_without_keeping(good, bad, accepts):
    return next((n for n in vars(bad) if not accepts(replace(good, **{n: getattr(bad, n)}))), "oob_fill")


def one_at_a_time(good, bad, accepts):
    for name in vars(bad):
        if not accepts(replace(good, **{name: getattr(bad, name)})):
            return name
    return None


def culprit_by_verdict(good, bad, accepts):
    broken = bad.check().broken
    return broken[0].field if broken else "data_type"


def culprit_from_the_bad_call(good, bad, accepts):
    return next((n for n in vars(bad) if accepts(replace(bad, **{n: getattr(good, n)}))), "data_type")


CULPRIT_MISTAKES = [
    (culprit_without_keeping, "the walk has stopped before it", "First difference: the walk is refused at"),
    (culprit_by_verdict, "still accepted"),
    (culprit_from_the_bad_call, "still accepted"),
    (lambda good, bad, accepts: 3, "returned 3, not the name of an argument"),
    (lambda good, bad, accepts: None, "returned None. Is a `return` missing?"),
    (one_at_a_time, "a walk that keeps each argument ends at bad itself, which is refused"),
    (lambda good, bad, accepts: 1 / 0, "raised ZeroDivisionError"),
    (lambda good, bad, accepts: ["box_dim"], "not the name of an argument"),
]

# Task 2: strides


def strides_fit(call):
    unit = 32 if call.interleave == Interleave.B32 else 16
    return all(stride % unit == 0 for stride in call.global_strides)


def strides_by_numpy(call):
    return np.all(np.array(call.global_strides, dtype=np.uint64) % np.uint64(16 << (call.interleave == 2)) == 0)


def strides_by_sixteen(call):
    return all(stride % 16 == 0 for stride in call.global_strides)


def strides_by_elements(call):
    return all(stride // call.data_type.size_bytes % 16 == 0 for stride in call.global_strides)


def the_first_stride(call):
    return not call.global_strides or call.global_strides[0] % (32 if call.interleave == 2 else 16) == 0


def any_interleave(call):
    return all(stride % (32 if call.interleave else 16) == 0 for stride in call.global_strides)


STRIDE_MISTAKES = [
    (strides_by_sixteen, "With interleave B32 the unit is 32 bytes."),
    (strides_by_elements, "in bytes, and the unit is 16", "cuTensorMapEncodeTiled on sm_90"),
    (the_first_stride, "Every stride counts"),
    (any_interleave, "the driver took the call"),
    (lambda call: 1, "returned 1, not True or False"),
    (lambda call: bool(call.global_strides) and strides_fit(call), "A call of rank 1 has no strides"),
    (lambda call: call.check().accepted, "without .check()"),
]

# Task 3: the row of the box


def row_fits(call, spans=(32, 64, 128), interleave=True, units=16, size=True):
    row = call.box_dim[0] * (call.data_type.size_bytes if size else 1)
    free = (interleave and call.interleave) or call.swizzle == Swizzle.NONE
    return row % units == 0 and bool(free or row <= spans[call.swizzle - 1])


def row_step_by_step(call):
    row = np.int64(call.box_dim[0]) * call.data_type.size_bytes
    if row & 15:
        return np.bool_(False)
    return row <= {0: 10**6, 1: 32, 2: 64, 3: 128}[0 if call.interleave else int(call.swizzle)]


def row_bytes_of(call):
    return call.box_dim[0] * call.data_type.size_bytes


ROW_MISTAKES = [
    (
        lambda call: row_fits(call, interleave=False),
        "with an interleave the swizzle does not limit it",
        "cuTensorMapEncodeTiled on sm_90",
    ),
    (lambda call: row_fits(call, units=1), "no multiple of 16"),
    (lambda call: row_fits(call, size=False), "the driver"),
    (lambda call: row_fits(call, spans=(31, 63, 127)), "this swizzle takes at most"),
    (lambda call: bool(call.interleave) or row_fits(call), "this holds with interleave too"),
    (lambda call: call.box_dim[0], "not True or False"),
    (
        lambda call: (
            row_fits(call) and (bool(call.interleave) or not call.swizzle or row_bytes_of(call) == 16 << call.swizzle)
        ),
        "took the call",
    ),
    (lambda call: call.check().accepted, "without .check()"),
]

# Task 4: the code of a copy


def code_of(call, direction, coordinates, shared_address, first=715, loads_too=False, interleave=True, size=True):
    if not call.check().accepted:
        return 1
    start = coordinates[0] * (call.data_type.size_bytes if size else 1)
    off = start % 16 and not (interleave and call.interleave)
    below = (loads_too or direction == "store") and min(coordinates) < 0
    misaligned = shared_address % 128 != 0
    if first == 716 and misaligned:
        return 716
    return 715 if off or below else 716 if misaligned else 0


def code_by_numpy(call, direction, coordinates, shared_address):
    start = np.array(coordinates)
    size = DataType(call.data_type).size_bytes
    rules = [
        (1, not call.check().accepted),
        (715, call.interleave == 0 and bool(start[0] * size & 15)),
        (715, direction == "store" and bool((start < 0).any())),
        (716, bool(shared_address & 127)),
        (0, True),
    ]
    return np.int64(next(code for code, broken in rules if broken))


CODE_MISTAKES = [
    (lambda *copy: code_of(*copy, first=716), "715 comes before 716", "First difference: yours ends with 716"),
    (lambda *copy: code_of(*copy, loads_too=True), "a load may start below 0"),
    (lambda *copy: code_of(*copy, interleave=False), "counts whole packets"),
    (lambda *copy: code_of(*copy, size=False), "The innermost start is byte"),
    (lambda call, *rest: code_of(GOOD_START, *rest), "Where there is no tensor map there is no copy."),
    (lambda call, way, start, shared: code_of(call, "load", start, shared), "A store takes no coordinate below 0."),
    (lambda call, way, start, shared: code_of(call, way, start, 0), "is no multiple of 128"),
    (lambda *copy: "fault", "returned 'fault'; a code is one of 0, 1, 715, 716"),
    (lambda *copy: code_of(*copy) or (716 if copy[3] % 256 else 0), "goes through"),
    (lambda call, way, at, shared: code_of(call, way, (*at[:1], *map(abs, at[1:])), shared), "no coordinate below 0"),
    (lambda call, way, at, shared: code_of(call, way, (abs(at[0]), *at[1:]), shared), "no coordinate below 0"),
    (lambda *copy: float(code_of(*copy)), "a code is one of"),
    (lambda *copy: [code_of(*copy)], "a code is one of"),
    (lambda *copy: np.zeros(2, int), "a code is one of"),
]

# Task 5: mend without moving a byte


def same_bytes(call):
    pairs = zip(call.global_dim[1:], call.global_strides, strict=True)
    candidate = replace(call, global_strides=[0 if dim == 1 else stride for dim, stride in pairs])
    return candidate if candidate.check().accepted and not call.check().accepted else call


def same_bytes_with_dense_strides(call):
    strides = list(call.global_strides)
    for axis, dim in enumerate(call.global_dim[1:], 1):
        if dim == 1:
            strides[axis - 1] = np.int64(4096 * axis)
    mended = replace(call, global_strides=strides)
    return mended if mended.check().accepted > call.check().accepted else call


def same_bytes_of_hopeless_calls_too(call):
    return call if call.check().accepted else replace(call, global_strides=with_zeros(call))


def with_zeros(call):
    return [0 if dim == 1 else s for dim, s in zip(call.global_dim[1:], call.global_strides, strict=True)]


def same_bytes_of_legal_calls_too(call):
    candidate = replace(call, global_strides=with_zeros(call))
    return candidate if candidate.check().accepted else call


MEND_MISTAKES = [
    (lambda call: call, "it can be mended, but yours is still refused", "refused with CUDA_ERROR_INVALID_VALUE"),
    (lambda call: call.check().mended or call, "global_strides[0] has changed: it belongs to dimension 1"),
    (lambda call: replace(call, box_dim=(16,) * call.rank), "box_dim has changed"),
    (
        lambda call: replace(
            call,
            global_strides=[0 if d == 1 else s for d, s in zip(call.global_dim, call.global_strides, strict=False)],
        ),
        "has changed: it belongs to dimension",
    ),
    (same_bytes_of_legal_calls_too, "the call is legal already, so it comes back as it is"),
    (same_bytes_of_hopeless_calls_too, "no stride of an axis of size 1 can mend this call"),
    (lambda call: None, "returned None"),
    (lambda call: call.global_strides, "of type tuple, not a TiledTensorMap"),
]

TASKS = [
    (lesson_06.check_culprit, [culprit, culprit_by_counting], CULPRIT_MISTAKES),
    (lesson_06.check_strides_fit, [strides_fit, strides_by_numpy], STRIDE_MISTAKES),
    (lesson_06.check_row_fits, [row_fits, row_step_by_step], ROW_MISTAKES),
    (lesson_06.check_code_of, [code_of, code_by_numpy], CODE_MISTAKES),
    (lesson_06.check_same_bytes, [same_bytes, same_bytes_with_dense_strides], MEND_MISTAKES),
]


class TestEachTask(FourWays):
    tasks = TASKS


@pytest.mark.parametrize("rules", [STRIDE_RULES, ROW_RULES])
def test_the_rules_are_judged_by_a_real_drivers_answers(rules):
    known = {report.call: report.result for report in reports().values()}
    for question in judged_calls(rules, 3)[::4]:
        recorded = recorded_encode(question.call)
        result = known[question.call] if recorded is None else recorded.result
        assert question.taken == (result == 0)
        assert {broken.id for broken in question.call.check().broken} <= rules


@pytest.mark.parametrize(("kinds", "rules"), [(STRIDE_KINDS, STRIDE_RULES), (ROW_KINDS, ROW_RULES)])
def test_each_kind_of_call_is_on_record_with_both_answers_among_them(kinds, rules):
    from random import Random

    drawn = [list(draw_some(kind, rules, Random(5))) for kind in kinds]
    assert all(len(calls) == 3 for calls in drawn)
    assert {question.taken for calls in drawn for question in calls} == {True, False}


def test_each_kind_of_copy_is_on_record():
    assert [kind for kind in COPY_KINDS if not any(map(kind, recorded_copies()))] == []
    assert {copy.code for copy in asked_copies(4)} == {0, 1, 715, 716}


def test_walks_stop_at_several_arguments_and_one_driver_has_rules_of_its_own():
    asked = walks(6)
    assert len({walk.culprit for walk in asked}) >= 4
    assert all(walk.accepts(walk.good) and not walk.accepts(walk.bad) for walk in asked)
    assert any(walk.bad.check().accepted for walk in asked)


def test_views_can_be_mended_or_not():
    assert {can_stay(call) for call in wild_views(0)} == {True, False}


def test_another_seed_asks_other_questions():
    assert judged_calls(ROW_RULES, 1) != judged_calls(ROW_RULES, 2)
    assert asked_copies(1) != asked_copies(2)
    assert wild_views(1) != wild_views(2)
