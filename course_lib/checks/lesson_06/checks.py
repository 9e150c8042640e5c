"""The checks of exercise 06: culprits are found, rules are written, codes foretold, and calls mended without moving a byte."""

from operator import index
from typing import Any

from course_lib.checks.lesson_06.copy_questions import CopyQuestion, asked_copies, wild_views
from course_lib.checks.lesson_06.questions import (
    ROW_RULES,
    STRIDE_RULES,
    CallWalk,
    JudgedCall,
    judged_calls,
    walk_steps,
    walks,
)
from course_lib.checks.lesson_06.slips import copy_advice, mend_slip, row_slip, rule_stride_slip, walk_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, ask_for_anything, check
from course_lib.checks.shared.calls import Unjudged, as_typed
from course_lib.checks.shared.learner_values import as_map, as_word, is_truth
from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.compare import ComparedRow, compare_rows
from course_lib.draw.replies.verdict import verdict_picture
from course_lib.model.facts.enums import DataType

MEANING = {0: "goes through", 1: "is refused by the encode call", 715: "traps with 715", 716: "traps with 716"}


@check("every walk stops at the right argument, with this driver and with another.")
def check_culprit(answer: Answer, seed: int) -> None:
    """Task 1: `culprit(good, bad, accepts)` names the argument at which the walk is refused."""
    for walk in walks(seed):
        said = ask_for_a_stop(answer, walk)
        got = as_word(said, vars(walk.bad), ", not the name of an argument such as 'box_dim'.")
        if got != walk.culprit:
            raise Wrong(f"for {as_typed(walk.bad)}\n{walk_slip(got, walk)}", walk_picture(got, walk))


@check("your rule agrees with every recorded answer of the driver.")
def check_strides_fit(answer: Answer, seed: int) -> None:
    """Task 2: `strides_fit(call)` is the rule of the stride's unit."""
    for question in judged_calls(STRIDE_RULES, seed):
        must_agree(answer, question, rule_stride_slip(question.call))


@check("your rule agrees with every recorded answer of the driver.")
def check_row_fits(answer: Answer, seed: int) -> None:
    """Task 3: `row_fits(call)` is the rule of the box's row: whole units, within the span of the swizzle."""
    for question in judged_calls(ROW_RULES, seed):
        must_agree(answer, question, row_slip(question.call))


@check("every copy comes to the code that you foretold.")
def check_code_of(answer: Answer, seed: int) -> None:
    """Task 4: `code_of(call, direction, coordinates, shared_address)` foretells 0, 1, 715 or 716."""
    for copy in asked_copies(seed):
        got = as_code(ask(answer, copy.call, copy.direction, copy.coordinates, copy.shared_address))
        if got != copy.code:
            raise Wrong(copy_words(got, copy), copy_picture(got, copy))


@check("each call that can be mended without moving a byte is, and no other call has changed.")
def check_same_bytes(answer: Answer, seed: int) -> None:
    """Task 5: `same_bytes(call)` mends strides of axes of size 1, and those alone."""
    for call in wild_views(seed):
        got = as_map(ask(answer, call))
        slip = mend_slip(call, got)
        if slip:
            raise Wrong(f"for {as_typed(call)}\n{slip}", verdict_picture(got))


def ask_for_a_stop(answer: Answer, walk: CallWalk) -> Any:
    """What a learner's walk returns; Wrong, with what ends every walk, where it returns nothing."""
    got = ask_for_anything(answer, walk.good, walk.bad, walk.accepts)
    if got is None:
        raise Wrong(
            f"for {as_typed(walk.bad)}\nthe function returned None. Is a `return` missing? If it met no refusal, it did "
            "not keep what it took over: a walk that keeps each argument ends at bad itself, which is refused."
        )
    return got


def as_code(got: Any) -> int:
    """A learner's code; Wrong where it is none of the four."""
    code = index(got) if hasattr(got, "__index__") and not getattr(got, "shape", ()) else None
    if code not in MEANING:
        raise Wrong(f"the function returned {got!r}; a code is one of {', '.join(map(str, MEANING))}.")
    return code


def must_agree(answer: Answer, question: JudgedCall, advice: str) -> None:
    """Wrong, with the verdict, where a learner's rule and the recorded driver part."""
    got = ask(answer, Unjudged(**vars(question.call)))
    if not is_truth(got):
        raise Wrong(f"the function returned {got!r}, not True or False.")
    if bool(got) != question.taken:
        said = f"your rule says {bool(got)}, the driver {'took' if question.taken else 'refused'} the call"
        raise Wrong(f"for {as_typed(question.call)}\n{said}. {advice}", verdict_picture(question.call))


def walk_picture(got: str, walk: CallWalk) -> Picture:
    """The walk step by step, yours beside the driver's answers."""
    walked = dict(walk_steps(walk.good, walk.bad, walk.accepts))
    names = list(vars(walk.bad))
    ours = ["refused" if name == got else "accepted" if at < names.index(got) else "–" for at, name in enumerate(names)]
    theirs = [{True: "accepted", False: "refused", None: "–"}[walked.get(name)] for name in names]
    rows = [ComparedRow(name, mine, true) for name, mine, true in zip(names, ours, theirs, strict=True)]
    sentence = f"First difference: the walk is refused at {walk.culprit}, not at {got}."
    return compare_rows("The walk from the good call to the bad one", rows, ("yours", "driver"), sentence)


def copy_words(got: int, copy: CopyQuestion) -> str:
    """The copy, both answers, and the rule that decides."""
    where = f"a {copy.direction} at {copy.coordinates}, shared address {copy.shared_address}"
    said = f"by you it {MEANING[got]}, by {copy.by} it {MEANING[copy.code]}"
    return f"for {as_typed(copy.call)}\n{where}: {said}. {copy_advice(copy)}"


def copy_picture(got: int, copy: CopyQuestion) -> Picture:
    """What the engine looks at, in its order, yours beside the device's answer."""
    size = DataType(copy.call.data_type).size_bytes
    facts = [
        ("the call", 1, "refused" if not copy.call.check().accepted else "accepted"),
        (
            "the start",
            715,
            f"{copy.coordinates} × {size} bytes, {copy.direction}, interleave {int(copy.call.interleave)}",
        ),
        ("the shared address", 716, f"{copy.shared_address} mod 128 = {copy.shared_address % 128}"),
        ("the copy", 0, "goes through"),
    ]
    rows = [
        ComparedRow(name, "stops" if got == code else "", "stops" if copy.code == code else "", note)
        for name, code, note in facts
    ]
    sentence = f"First difference: yours ends with {got}, the device's answer is {copy.code}."
    return compare_rows("A copy, rule by rule", rows, ("yours", "device"), sentence, ("it looks at", "which is"))
