"""The checks of exercise 05: round to TF32, choose a type, add with and without FTZ, take a maximum, read a dump."""

from itertools import product
from operator import index
from random import Random
from typing import Any

from course_lib.checks.lesson_05.dumps import ADDED_32, dumps, suspects_picture
from course_lib.checks.lesson_05.elements import ElementQuestion, as_bits, compare_bits, reductions, roundings
from course_lib.checks.lesson_05.slips import add_slip, max_slip, tf32_slip
from course_lib.checks.lesson_05.type_choices import SIZES, choice_picture, choice_slip, types_for
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import as_plain
from course_lib.model.facts.enums import DataType, ReduceOp

USES = ("load", "nan fill", "add", "min")
TF32, FLOAT32 = DataType.TFLOAT32, DataType.FLOAT32


@check("every element is rounded as the H200 rounds it on a TFLOAT32 load.")
def check_tf32_of(answer: Answer, seed: int) -> None:
    """Task 1: `tf32_of(bits)` gives the bits that a TFLOAT32 load makes of float32 bits."""
    for question in roundings(seed):
        (bits,) = question.given
        got = as_bits(ask(answer, bits), 32)
        if got != question.right:
            told = f"0x{bits:08x}: you have 0x{got:08x}, {source_words(question)} 0x{question.right:08x}. {tf32_slip(bits, got)}"
            raise Wrong(told.strip(), compare_bits(TF32, question, got, ("given",)))


@check("a type for every array, and none where there is none.")
def check_type_for(answer: Answer, seed: int) -> None:
    """Task 2: `type_for(dtype, use)` gives the DataType for an array, or "none"."""
    asked = list(product(USES, SIZES))
    plain, rest = asked[: len(SIZES)], asked[len(SIZES) :]
    Random(seed).shuffle(rest)
    for use, dtype in plain + rest:
        got, right = as_type(ask(answer, dtype, use)), types_for(dtype, use)
        if got not in (right or (None,)):
            name = "none" if got is None else got.name
            reason = choice_slip(dtype, use, got)
            raise Wrong(f"{dtype} for {use}: you chose {name}. {reason}", choice_picture(dtype, use, name))


@check("every recorded sum comes out, with FTZ and without.")
def check_added(answer: Answer, seed: int) -> None:
    """Task 3: `added(memory, operand, ftz)` gives the bits after an add through FLOAT32, or FLOAT32_FTZ."""
    for ftz, data_type in ((False, FLOAT32), (True, DataType.FLOAT32_FTZ)):
        for question in reductions(ReduceOp.ADD, data_type, seed):
            got = as_bits(ask(answer, *question.given, ftz), 32)
            if got != question.right:
                slip = add_slip(question, got, ftz)
                raise Wrong(
                    difference_words(data_type, question, got, slip),
                    compare_bits(data_type, question, got, OPERAND_NAMES),
                )


@check("every recorded maximum comes out, in both 16-bit floats.")
def check_maximum(answer: Answer, seed: int) -> None:
    """Task 4: `maximum(memory, operand, exponent_bits)` gives the bits after MAX on FLOAT16 (5) or BFLOAT16 (8)."""
    for exponent, data_type in ((5, DataType.FLOAT16), (8, DataType.BFLOAT16)):
        for question in reductions(ReduceOp.MAX, data_type, seed):
            got = as_bits(ask(answer, *question.given, exponent), 16)
            if got != question.right:
                slip = max_slip(data_type, question)
                raise Wrong(
                    difference_words(data_type, question, got, slip),
                    compare_bits(data_type, question, got, OPERAND_NAMES),
                )


@check("each dump has its suspects, and no other.")
def check_suspects(answer: Answer, seed: int) -> None:
    """Task 5: `suspects(memory, operand, after)` gives every 4-byte type whose ADD leaves exactly this."""
    for dump in dumps(seed):
        got = as_types(ask(answer, *(list(side) for side in dump)))
        if got != dump.suspects:
            sides = ", ".join(f"[{', '.join(f'0x{bits:08x}' for bits in side)}]" for side in dump)
            told = f"memory, what came, afterwards: {sides}. You say {type_names(got)}; right is {type_names(dump.suspects)}."
            raise Wrong(told, suspects_picture(dump, got))


OPERAND_NAMES = ("memory", "what comes")


def source_words(question: ElementQuestion) -> str:
    """Who says what is right."""
    return f"the {question.by} has"


def difference_words(data_type: DataType, question: ElementQuestion, got: int, slip: str) -> str:
    """Where yours parts from the right result."""
    digits = data_type.facts.bits // 4
    memory, operand, mine, right = (f"0x{bits:0{digits}x}" for bits in (*question.given, got, question.right))
    return f"{data_type.name}, memory {memory} and {operand}: you have {mine}, {source_words(question)} {right}. {slip}".strip()


def as_type(got: Any) -> DataType | None:
    """A learner's type; None for "none"; Wrong where it is neither."""
    if isinstance(got, str) and as_plain(got) == "none":
        return None
    try:
        return DataType(index(got))
    except (TypeError, ValueError):
        raise Wrong(f'the function returned {got!r}, neither a DataType nor "none".') from None


def as_types(got: Any) -> frozenset[DataType]:
    """A learner's collection of types; Wrong where it is none, or holds a type that adds no 4-byte elements."""
    try:
        members = list(() if isinstance(got, (str, dict)) else got)
    except TypeError:
        members = None
    if members is None or isinstance(got, (str, dict)):
        raise Wrong(f"the function returned {got!r}, not a collection of DataType.")
    found = frozenset(as_type(t) for t in members)
    if strange := [t for t in found if t not in ADDED_32]:
        raise Wrong(f"{getattr(strange[0], 'name', 'none')} is no type of 4 bytes.")
    return frozenset(t for t in found if t is not None)


def type_names(types: frozenset[DataType]) -> str:
    """Types by name, in the driver's order."""
    return ", ".join(t.name for t in sorted(types)) or "none"
