"""A verdict: what the driver answers to a call, every rule that the call breaks, and what would mend it."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from course_lib.model.facts.limits import Target
from course_lib.model.rules.fixes import CANDIDATES

Fix = tuple[str, Any]
NO_FIX = "none: no argument mends it without breaking another rule"
Repair = tuple[dict[str, Fix], Any | None]  # fixes by rule id; the call with all of them applied, None where one lacks


class Finding(NamedTuple):
    """What a rule says of one call that breaks it, before it is put in words."""

    value: Any  # what the call has
    limit: Any  # what the rule allows
    sentence: str  # the rule, in one sentence
    offenders: tuple[tuple[int, int], ...] = ()  # (index, entry) where the field is a sequence
    source: str = ""  # where it differs from the rule's own


@dataclass(frozen=True)
class Rule:
    """One rule: one small function, one argument (``field``), one sentence (``text``)."""

    id: str
    field: str
    source: str
    find: Callable[[Any, Target], Finding | None]
    mend: tuple[str, ...]  # the arguments that may mend it, the likeliest first
    text: str


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
        return self._verdict._fixes.get(self.id)


@dataclass(frozen=True)
class Verdict:
    """What the driver answers: ``accepted``, the ``broken`` rules in the order of the arguments, ``warnings``."""

    tensor_map: Any
    target: Target
    _rules: tuple[Rule, ...] = dataclasses.field(repr=False)
    _cautions: tuple[Rule, ...] = dataclasses.field(repr=False)

    @cached_property
    def broken(self) -> tuple[Broken, ...]:
        """Every rule that the driver refuses the call for."""
        return tuple(self._worded(self._rules))

    @cached_property
    def warnings(self) -> tuple[Broken, ...]:
        """What the driver lets through although the copy then faults or differs, or a document forbids it.

        Empty where the driver refuses: there is no copy then.
        """
        return tuple(self._worded(self._cautions)) if self.accepted else ()

    @property
    def accepted(self) -> bool:
        """Does the driver make a tensor map of this call?"""
        return not self.broken

    @property
    def measured(self) -> bool:
        """Did hardware answer for this target, or is the verdict only the documents'?"""
        return self.target.measured

    @property
    def mended(self) -> Any | None:
        """The call with every fix applied in order; None where a rule has no fix."""
        return self._repair[1]

    @property
    def _fixes(self) -> dict[str, Fix]:
        return self._repair[0]

    @cached_property
    def _repair(self) -> Repair:
        return repair(self.tensor_map, self.target, self._rules)

    def _worded(self, rules: Iterable[Rule]) -> Iterator[Broken]:
        for rule in rules:
            finding = rule.find(self.tensor_map, self.target)
            if finding is not None:
                yield in_words(rule, finding, self)

    def __reduce__(self) -> tuple[Callable[[str], "Verdict"], tuple[str]]:
        """What pickle keeps: the call and the target, which are judged again."""
        return self.tensor_map.check, (self.target.name,)

    def __str__(self) -> str:
        return report(self)


def broken_ids(tensor_map: Any, target: Target, rules: Iterable[Rule]) -> set[str]:
    """The ids of the rules that the call breaks."""
    return {rule.id for rule in rules if rule.find(tensor_map, target) is not None}


class Case(NamedTuple):
    """A refused call, what judges it, and the ids of the rules that it breaks."""

    asked: Any
    target: Target
    rules: tuple[Rule, ...]
    before: set[str]

    def after(self, call: Any, fix: Fix) -> set[str]:
        """The ids of the rules that ``call`` breaks once a fix is applied."""
        return broken_ids(replace(call, **dict([fix])), self.target, self.rules)


def repair(asked: Any, target: Target, rules: tuple[Rule, ...]) -> Repair:
    """A fix for each broken rule that has one, by rule id, and the call with all of them applied (None if one lacks).

    Rules are mended in order, each on the call as mended so far; one fix may mend several.
    """
    case = Case(asked, target, rules, broken_ids(asked, target, rules))
    now, left = asked, case.before
    mended_by: dict[str, str] = {}
    for rule in rules:
        if rule.id in left and (fix := first_fix(rule, case, now, left)):
            still = case.after(now, fix)
            mended_by |= dict.fromkeys(left - still, fix[0])
            now, left = replace(now, **dict([fix])), still
    return {rule_id: (name, getattr(now, name)) for rule_id, name in mended_by.items()}, None if left else now


def first_fix(rule: Rule, case: Case, now: Any, left: set[str]) -> Fix | None:
    """The first candidate that mends ``rule`` in the call as mended so far and breaks no new rule, there or alone.

    One that mends the rule alone too is taken before one that does not.
    """
    second = None
    for fix in ((name, value) for name in rule.mend for value in CANDIDATES[name](now, case.target)):
        if case.after(now, fix) <= left - {rule.id}:
            alone = case.after(case.asked, fix)
            if alone <= case.before - {rule.id}:
                return fix
            second = second or (fix if alone <= case.before else None)
    return second


def in_words(rule: Rule, finding: Finding, verdict: Verdict) -> Broken:
    """The finding as a learner reads it: the offending entries, then the rule."""
    index, value = finding.offenders[0] if finding.offenders else (None, finding.value)
    entries = [(f"{rule.field}[{i}]", entry) for i, entry in finding.offenders] or [(rule.field, finding.value)]
    shown = ", ".join(f"{name} = {spelled(rule.field, entry)}" for name, entry in entries)
    message = f"{shown}: {finding.sentence}"
    source = on_target(finding.source or rule.source, verdict.target)
    return Broken(rule.id, rule.field, index, value, finding.limit, message, source, verdict)


def on_target(source: str, target: Target) -> str:
    """A source that says which chip was measured, where it is not the one asked about."""
    return source if target.measured else source.replace("measured:", "measured on sm_90:")


def spelled(name: str, value: Any) -> str:
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
        fix = f"{broken.fix[0]} = {spelled(*broken.fix)}" if broken.fix else NO_FIX
        lines += [f"  {number}. {broken.message} [{broken.id}; {broken.source}]", f"     fix: {fix}"]
    for caution in verdict.warnings:
        lines.append(f"  warning: {caution.message} [{caution.id}; {caution.source}]")
    return "\n".join(lines)
