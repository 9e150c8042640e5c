"""Refused calls that a learner mends: some of real reports, some made by breaking a good call at one to three places."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from course_lib.checks.shared.base import Wrong
from course_lib.draw.replies.verdict import verdict_picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.call.verdict import spell_value
from course_lib.model.facts.enums import DataType
from course_lib.recordings.copies.reports import in_short, reports

REPORTED = ("T05", "T14", "T08")  # an axis of size 1, a row that is too wide for its swizzle, a stride that overflowed
GOOD_CALL = TiledTensorMap(
    data_type=DataType.FLOAT16,
    global_address=0x7F0000000000,
    global_dim=(1024, 4096),
    global_strides=(2048,),
    box_dim=(64, 32),
)
BREAKS: dict[str, Any] = {
    "global_address": (0x7F0000000008, 0x7F0000000002),
    "global_strides": ((2056,), (2050,)),
    "box_dim": ((64, 257), (0, 32), (60, 32)),
    "element_strides": ((1, 9), (1, 0)),
    "l2_promotion": (4, 9),
}


def calls_to_mend(seed: int) -> Iterator[TiledTensorMap]:
    """Calls that the driver refuses and a verdict can mend, the simplest first; one among them is accepted."""
    yield replace(GOOD_CALL, global_address=0x7F0000000008)
    yield GOOD_CALL
    yield replace(GOOD_CALL, global_strides=(2056,), box_dim=(64, 257), element_strides=(1, 9))
    for name in REPORTED:
        yield reports()[name].call  # type: ignore[misc]
    draw = random.Random(seed)
    for count in (1, 2, 3):
        names = draw.sample(sorted(BREAKS), count)
        yield replace(GOOD_CALL, **{name: draw.choice(BREAKS[name]) for name in names})


def must_be_mended(call: TiledTensorMap, got: Any) -> None:
    """Wrong unless ``got`` is the call with every fix of its verdict applied; an accepted call stays as it is."""
    if type(got) is not TiledTensorMap:
        raise Wrong(f"for {in_short(call)}: the function returned a {type(got).__name__}, not a TiledTensorMap.")
    right = call.check().mended
    parts = [name for name in vars(call) if getattr(got, name) != getattr(right, name)]
    if parts:
        mine, should = (spell_value(parts[0], getattr(tensor_map, parts[0])) for tensor_map in (got, right))
        values = f"{parts[0]} is {mine} and should be {should}"
        raise Wrong(f"for {in_short(call)}: {values}. {mend_slip(call, got)}".strip(), verdict_picture(got))


def mend_slip(call: TiledTensorMap, got: TiledTensorMap) -> str:
    """What went wrong, where that is plain."""
    left = len(got.check().broken)
    if call.check().accepted:
        return "This call was accepted: nothing needs mending."
    if got == call and left:
        return "Nothing was changed: `replace` makes a new map, and the old one stays as it was."
    return f"The driver still refuses it: rules broken: {left}." if left else ""
