"""Calls as a task hands them out: written as a person would type them, and without what the task asks for."""

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.call.verdict import Verdict


@dataclass(frozen=True, kw_only=True, repr=False)
class TypedCall(TiledTensorMap):
    """A call that prints as it is typed."""

    def __repr__(self) -> str:
        return as_typed(self)


class Unaided(TypedCall):
    """A call that does not encode itself, for a task that asks a learner to do it."""

    def encode(self, target: str = "sm_90") -> bytes:
        """Refused: the task is to write this."""
        raise TypeError("in this task you write the bytes yourself, without .encode()")


class Unjudged(TypedCall):
    """A call that gives no verdict, for a task that asks a learner for a rule."""

    def check(self, target: str = "sm_90") -> Verdict:
        """Refused: the task is to write this."""
        raise TypeError("in this task you write the rule yourself, without .check()")


def as_typed(call: TiledTensorMap) -> str:
    """The call as a person would type it, arguments at their defaults left out."""
    plain = {f.name: f.default for f in fields(call)} | {"element_strides": (1,) * call.rank}
    named = ((f.name, getattr(call, f.name)) for f in fields(call))
    typed = [f"{name}={value_as_typed(name, value)}" for name, value in named if value != plain[name]]
    return f"TiledTensorMap({', '.join(typed)})"


def value_as_typed(name: str, value: Any) -> str:
    """One argument: enumerations by name, the address in hex."""
    if isinstance(value, IntEnum):
        return f"{type(value).__name__}.{value.name}"
    return f"0x{value:x}" if name == "global_address" else str(value)
