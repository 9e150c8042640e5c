"""What went wrong with a walk, a rule, a code or a mended call: one sentence each."""

from course_lib.checks.lesson_06.copy_questions import CopyQuestion, can_stay
from course_lib.checks.lesson_06.questions import CallWalk, walk_steps
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType, Interleave, Swizzle

SPANS: dict[int, int] = {Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}


def rule_stride_slip(call: TiledTensorMap) -> str:
    """What may have been overlooked with strides."""
    if call.rank == 1:
        return "A call of rank 1 has no strides: nothing can be wrong with them."
    if call.interleave == Interleave.B32:
        return "With interleave B32 the unit is 32 bytes."
    return "Every stride counts, in bytes, and the unit is 16."


def row_slip(call: TiledTensorMap) -> str:
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


def walk_slip(got: str, walk: CallWalk) -> str:
    """Where the walk stops, and what the learner's answer would mean."""
    walked = dict(walk_steps(walk.good, walk.bad, walk.accepts))
    if got not in walked:
        return f"you name {got}, but the walk has stopped before it."
    return f"you name {got}, but with the arguments up to it the call is still accepted."


def copy_advice(copy: CopyQuestion) -> str:
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
