"""The checks of exercise 06: culprits are found, rules are written, codes foretold, and calls mended without moving a byte."""

from operator import index
from typing import Any

from course_lib.checks.lesson_06.copy_questions import Copied, can_stay, copies, views
from course_lib.checks.lesson_06.questions import ROW_RULES, STRIDE_RULES, Judged, Walk, judged, steps, walks
from course_lib.checks.shared.answers import as_map, as_word, is_truth
from course_lib.checks.shared.base import Answer, Wrong, ask, ask_for_anything, check
from course_lib.checks.shared.calls import Unjudged, as_typed
from course_lib.draw.answers.compare import Row, compare_rows
from course_lib.draw.answers.verdict import verdict_picture
from course_lib.draw.pen.svg import Picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave, Swizzle

SPANS = {Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}
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
    for question in judged(STRIDE_RULES, seed):
        must_agree(answer, question, stride_slip(question.call))


@check("your rule agrees with every recorded answer of the driver.")
def check_row_fits(answer: Answer, seed: int) -> None:
    """Task 3: `row_fits(call)` is the rule of the box's row: whole units, within the span of the swizzle."""
    for question in judged(ROW_RULES, seed):
        must_agree(answer, question, row_slip(question.call))


@check("every copy comes to the code that you foretold.")
def check_code_of(answer: Answer, seed: int) -> None:
    """Task 4: `code_of(call, direction, coordinates, shared_address)` foretells 0, 1, 715 or 716."""
    for copy in copies(seed):
        got = as_code(ask(answer, copy.call, copy.direction, copy.coordinates, copy.shared_address))
        if got != copy.code:
            raise Wrong(copy_words(got, copy), copy_picture(got, copy))


@check("each call that can be mended without moving a byte is, and no other call has changed.")
def check_same_bytes(answer: Answer, seed: int) -> None:
    """Task 5: `same_bytes(call)` mends strides of axes of size 1, and those alone."""
    for call in views(seed):
        got = as_map(ask(answer, call))
        slip = mend_slip(call, got)
        if slip:
            raise Wrong(f"for {as_typed(call)}\n{slip}", verdict_picture(got))


def ask_for_a_stop(answer: Answer, walk: Walk) -> Any:
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


def must_agree(answer: Answer, question: Judged, advice: str) -> None:
    """Wrong, with the verdict, where a learner's rule and the recorded driver part."""
    got = ask(answer, Unjudged(**vars(question.call)))
    if not is_truth(got):
        raise Wrong(f"the function returned {got!r}, not True or False.")
    if bool(got) != question.taken:
        said = f"your rule says {bool(got)}, the driver {'took' if question.taken else 'refused'} the call"
        raise Wrong(f"for {as_typed(question.call)}\n{said}. {advice}", verdict_picture(question.call))


def stride_slip(call: Any) -> str:
    """What may have been overlooked with strides."""
    if call.rank == 1:
        return "A call of rank 1 has no strides: nothing can be wrong with them."
    if call.interleave == Interleave.B32:
        return "With interleave B32 the unit is 32 bytes."
    return "Every stride counts, in bytes, and the unit is 16."


def row_slip(call: Any) -> str:
    """What may have been overlooked with a row of the box."""
    row = call.box_dim[0] * DataType(call.data_type).size_bytes
    if row % 16:
        return f"A row is {row} bytes, no multiple of 16; this holds with interleave too."
    if call.interleave:
        return f"A row is {row} bytes; with an interleave the swizzle does not limit it."
    span = SPANS.get(call.swizzle)
    return f"A row is {row} bytes" + (
        f"; this swizzle takes at most {span}." if span else "; without swizzle it has no span."
    )


def walk_slip(got: str, walk: Walk) -> str:
    """Where the walk stops, and what the learner's answer would mean."""
    walked = dict(steps(walk.good, walk.bad, walk.accepts))
    if got not in walked:
        return f"you name {got}, but the walk has stopped before it."
    return f"you name {got}, but with the arguments up to it the call is still accepted."


def walk_picture(got: str, walk: Walk) -> Picture:
    """The walk step by step, yours beside the driver's answers."""
    walked = dict(steps(walk.good, walk.bad, walk.accepts))
    names = list(vars(walk.bad))
    ours = ["refused" if name == got else "accepted" if at < names.index(got) else "–" for at, name in enumerate(names)]
    theirs = [{True: "accepted", False: "refused", None: "–"}[walked.get(name)] for name in names]
    rows = [Row(name, mine, true) for name, mine, true in zip(names, ours, theirs, strict=True)]
    sentence = f"First difference: the walk is refused at {walk.culprit}, not at {got}."
    return compare_rows("The walk from the good call to the bad one", rows, ("yours", "driver"), sentence)


def copy_words(got: int, copy: Copied) -> str:
    """The copy, both answers, and the rule that decides."""
    where = f"a {copy.direction} at {copy.coordinates}, shared address {copy.shared_address}"
    said = f"by you it {MEANING[got]}, by {copy.by} it {MEANING[copy.code]}"
    return f"for {as_typed(copy.call)}\n{where}: {said}. {copy_advice(copy)}"


def copy_advice(copy: Copied) -> str:
    """The first rule that the copy breaks, in the order that decides."""
    size = DataType(copy.call.data_type).size_bytes
    start = copy.coordinates[0] * size
    if copy.code == 1:
        return "Where there is no tensor map there is no copy."
    if copy.code == 715 and start % 16 and not copy.call.interleave:
        return f"The innermost start is byte {start}, no multiple of 16, and 715 comes before 716."
    if copy.code == 715:
        return "A store takes no coordinate below 0."
    if copy.code == 716:
        return f"The shared address {copy.shared_address} is no multiple of 128."
    if copy.call.interleave:
        return "With an interleave a coordinate counts whole packets, so each is fine."
    return f"The innermost start is byte {start}; a load may start below 0."


def copy_picture(got: int, copy: Copied) -> Picture:
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
        Row(name, "stops" if got == code else "", "stops" if copy.code == code else "", note)
        for name, code, note in facts
    ]
    sentence = f"First difference: yours ends with {got}, the device's answer is {copy.code}."
    return compare_rows("A copy, rule by rule", rows, ("yours", "device"), sentence, ("it looks at", "which is"))


def mend_slip(call: TiledTensorMap, got: TiledTensorMap) -> str:
    """What is wrong with a mended call, in one sentence; empty where nothing is."""
    changed = [name for name in vars(call) if getattr(call, name) != getattr(got, name)]
    other = [name for name in changed if name != "global_strides"]
    if other:
        return f"{other[0]} has changed: then the copy brings other bytes."
    pairs = list(zip(call.global_dim[1:], call.global_strides, got.global_strides, strict=True))
    moved = next((i for i, (dim, before, after) in enumerate(pairs) if dim > 1 and before != after), None)
    if moved is not None:
        size = call.global_dim[moved + 1]
        return f"global_strides[{moved}] has changed: it belongs to dimension {moved + 1}, which has {size} elements."
    if can_stay(call) and not got.check().accepted:
        return f"it can be mended, but yours is still refused: {got.check().broken[0].message}."
    if not can_stay(call) and changed:
        return "no stride of an axis of size 1 can mend this call, so it comes back as it is."
    if call.check().accepted and changed:
        return "the call is legal already, so it comes back as it is."
    return ""
