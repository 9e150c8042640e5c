"""A verdict as a value: what the driver answers to a call, every rule that the call breaks, and what would mend it.

The rules lie above. Who judges is bound in one place, ``model/bound.py``.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from course_lib.model.facts.limits import Target

if TYPE_CHECKING:
    from course_lib.model.call.tensor_map import Call

Fix = tuple[str, Any]  # an argument and its new value
Repair = tuple[
    dict[str, Fix], "Call | None"
]  # fixes by rule id; the call with all of them applied, None where one lacks
NO_FIX = "none: no argument mends it without breaking another rule"


class Judge(Protocol):
    """What the rules answer about a call."""

    def check(self, call: "Call", target: str) -> "Verdict":
        """The verdict on a call."""

    def encode(self, call: "Call", target: str) -> bytes:
        """The 128 bytes of a call."""

    def broken(self, verdict: "Verdict") -> "tuple[Broken, ...]":
        """The rules that the driver refuses the call for."""

    def warnings(self, verdict: "Verdict") -> "tuple[Broken, ...]":
        """The cautions of an accepted call."""

    def repair(self, verdict: "Verdict") -> Repair:
        """What would mend the call."""


class Judged:
    """What asks the judge: calls and their verdicts."""

    judge: ClassVar[Judge]


@dataclass(frozen=True)
class Broken:
    """A rule that a call breaks.

    ``field`` is the argument's name, ``index`` its first offending entry (None for a scalar), ``value`` that entry,
    ``limit`` what the rule allows, ``source`` the document or recording behind it. ``fix`` is (field, value): one
    argument that mends this rule and breaks no new one, or None where no such argument exists.
    """

    id: str
    field: str
    index: int | None
    value: Any
    limit: Any
    message: str
    source: str
    _verdict: "Verdict" = dataclasses.field(repr=False, compare=False)

    @property
    def fix(self) -> Fix | None:
        """(field, value) that mends this rule, with the fixes before it applied first; it breaks no new rule, then or alone."""
        return self._verdict._repair[0].get(self.id)


@dataclass(frozen=True)
class Verdict(Judged):
    """What the driver answers: ``accepted``, the ``broken`` rules in the order of the arguments, ``warnings``."""

    tensor_map: "Call"
    target: Target

    @cached_property
    def broken(self) -> tuple[Broken, ...]:
        """Every rule that the driver refuses the call for."""
        return self.judge.broken(self)

    @cached_property
    def warnings(self) -> tuple[Broken, ...]:
        """What the driver lets through although the copy then faults or differs, or a document forbids it.

        Empty where the driver refuses: there is no copy then.
        """
        return self.judge.warnings(self) if self.accepted else ()

    @property
    def accepted(self) -> bool:
        """Does the driver make a tensor map of this call?"""
        return not self.broken

    @property
    def measured(self) -> bool:
        """Did hardware answer for this target, or is the verdict only the documents'?"""
        return self.target.measured

    @property
    def mended(self) -> "Call | None":
        """The call with every fix applied in order; None where a rule has no fix."""
        return self._repair[1]

    @cached_property
    def _repair(self) -> Repair:
        return self.judge.repair(self)

    def __reduce__(self) -> tuple[Callable[[str], "Verdict"], tuple[str]]:
        """What pickle keeps: the call and the target, which are judged again."""
        return self.tensor_map.check, (self.target.name,)

    def __str__(self) -> str:
        return report(self)


class IllegalTensorMap(ValueError):
    """The driver refuses the call; ``verdict`` tells why."""

    def __init__(self, verdict: Verdict):
        super().__init__(str(verdict))
        self.verdict = verdict

    def __reduce__(self) -> tuple[type["IllegalTensorMap"], tuple[Verdict]]:
        """What pickle keeps, so that a refusal comes back whole from another process."""
        return IllegalTensorMap, (self.verdict,)


def spell_value(name: str, value: Any) -> str:
    """The value of an argument: an address in hexadecimal, an enumeration as NAME (number), anything else as it is."""
    if name == "global_address":
        return hex(value)
    return f"{value.name} ({int(value)})" if hasattr(value, "name") else str(value)


def report(verdict: Verdict) -> str:
    """The verdict as lines to read."""
    call = f"{verdict.tensor_map.entry_point} on {verdict.target.label}"
    if verdict.accepted:
        lines = [f"{call}: accepted"]
    else:
        lines = [f"{call}: refused with CUDA_ERROR_INVALID_VALUE; rules broken: {len(verdict.broken)}"]
    for number, broken in enumerate(verdict.broken, 1):
        fix = f"{broken.fix[0]} = {spell_value(*broken.fix)}" if broken.fix else NO_FIX
        lines += [f"  {number}. {broken.message} [{broken.id}; {broken.source}]", f"     fix: {fix}"]
    for caution in verdict.warnings:
        lines.append(f"  warning: {caution.message} [{caution.id}; {caution.source}]")
    return "\n".join(lines)
