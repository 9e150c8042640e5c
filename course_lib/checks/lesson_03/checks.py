"""The checks of exercise 03: a descriptor is read, field by field, and written, all 128 bytes of it."""

from typing import Any

from course_lib.checks.lesson_03.descriptors import (
    as_descriptor,
    compare_with_right,
    first_difference,
    shape_values,
    type_name,
    type_values,
    write_fields,
)
from course_lib.checks.lesson_03.questions import model_questions, recorded_questions
from course_lib.checks.lesson_03.slips import box_slip, dimension_slip, stride_slip, type_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.calls import Unaided, as_typed
from course_lib.checks.shared.learner_values import as_integer, as_map, as_shape, as_two_integers
from course_lib.model.call.sizes import descriptor_box_bytes, span_bytes
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.swizzle import pattern_of


@check("the rank of every recorded tensor map is read.")
def check_rank_of(answer: Answer, seed: int) -> None:
    """Task 1: `rank_of(descriptor)` reads the rank from 128 bytes."""
    for question in recorded_questions(seed):
        got, right = as_integer(ask(answer, question.data), "a rank"), question.call.rank
        if got != right:
            slip = "The bits hold the rank less one." if got == right - 1 else "It has three bits, from bit 68 on."
            picture = compare_with_right(write_fields(question.data, {"rank_minus_1": got - 1}), question)
            raise Wrong(f"for a map of rank {right} you read {got}. {slip}{reading_caption(picture)}", picture)


@check("the shape of every recorded tensor map is read.")
def check_shape_of(answer: Answer, seed: int) -> None:
    """Task 2: `shape_of(descriptor)` reads (global_dim, global_strides), in elements and bytes."""
    for question in recorded_questions(seed):
        dims, strides = as_shape(ask(answer, question.data))
        right_dims, right_strides = tuple(question.call.global_dim), tuple(question.call.global_strides)
        picture = compare_with_right(write_fields(question.data, shape_values(dims, strides)), question)
        if dims != right_dims:
            slip = dimension_slip(dims, right_dims)
            raise Wrong(
                f"global_dim: you read {dims}, the call had {right_dims}. {slip}{reading_caption(picture)}", picture
            )
        if strides != right_strides:
            slip = stride_slip(strides, right_strides)
            said = f"global_strides: you read {strides}, the call had {right_strides}. {slip}"
            raise Wrong(said + reading_caption(picture), picture)


@check("the element type of every recorded tensor map is read.")
def check_type_of(answer: Answer, seed: int) -> None:
    """Task 3: `type_of(descriptor)` reads the DataType."""
    for question in recorded_questions(seed):
        got, right = as_integer(ask(answer, question.data), "an element type"), DataType(question.call.data_type)
        if got != right:
            picture = compare_with_right(write_fields(question.data, type_values(got)), question)
            said = f"you read {type_name(got)}, the call had {type_name(right)}. {type_slip(got, right)}"
            raise Wrong(said + reading_caption(picture), picture)


@check("both words are what the driver wrote.")
def check_derived_words(answer: Answer, seed: int) -> None:
    """Task 4: `derived_words(tensor_map)` gives (box_bytes, swizzle_repeat)."""
    for question in recorded_questions(seed):
        call = question.call
        box, repeat = as_two_integers(ask(answer, call), "(box_bytes, swizzle_repeat)", "box_bytes", "swizzle_repeat")
        right = descriptor_box_bytes(call), pattern_of(call.swizzle).repeat_bytes
        picture = compare_with_right(
            write_fields(question.data, {"box_bytes": box, "swizzle_repeat": repeat}), question
        )
        case = f"for box_dim={call.box_dim}, element_strides={call.element_strides}, {type_name(call.data_type)}"
        if box != right[0]:
            raise Wrong(f"{case}: box_bytes is {box}, the driver wrote {right[0]}. {box_slip(box, call)}", picture)
        if repeat != right[1]:
            slip = (
                "That is the span of one row." if repeat == span_bytes(call) else "Each mode has a number of its own."
            )
            name = getattr(call.swizzle, "name", call.swizzle)
            raise Wrong(f"for swizzle {name}: {repeat}, the driver wrote {right[1]}. {slip}", picture)


@check("every byte is the one that the driver wrote, and the model's where nobody recorded the call.")
def check_encode_tiled(answer: Answer, seed: int) -> None:
    """Task 5: `encode_tiled(tensor_map)` gives the 128 bytes of any legal tiled call."""
    for question in [*recorded_questions(seed), *model_questions(seed)]:
        got = as_descriptor(ask(answer, Unaided(**vars(question.call))))
        if got != question.data:
            raise Wrong(
                f"for {as_typed(question.call)}\n{first_difference(got, question.data)}",
                compare_with_right(got, question),
            )


@check("each call comes back from its bytes.")
def check_decode_tiled(answer: Answer, seed: int) -> None:
    """Task 6: `decode_tiled(descriptor)` gives the TiledTensorMap behind 128 bytes."""
    for question in [*recorded_questions(seed), *model_questions(seed)]:
        got = as_map(ask(answer, question.data))
        if got != question.call:
            name = next(n for n in vars(got) if getattr(got, n) != getattr(question.call, n))
            ours, right = getattr(got, name), getattr(question.call, name)
            picture = compare_with_right(got.encode(), question) if got.check().accepted else None
            raise Wrong(f"{name}: you read {ours!r}, the call had {right!r}.", picture)


def reading_caption(picture: Any) -> str:
    """What the picture beside a reading shows."""
    return " Written back into the bytes, your reading gives:" if picture else ""
