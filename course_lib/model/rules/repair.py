"""What mends a refused call: one argument a rule, in order, and the call with all of them applied."""

from dataclasses import replace
from typing import NamedTuple

from course_lib.model.call.tensor_map import Call
from course_lib.model.call.verdict import Fix, Repair
from course_lib.model.facts.limits import Target
from course_lib.model.rules.declaration import Rule
from course_lib.model.rules.fixes import CANDIDATES


class Refused(NamedTuple):
    """A refused call, what judges it, and the ids of the rules that it breaks."""

    asked: Call
    target: Target
    rules: tuple[Rule, ...]
    before: set[str]

    def broken_after(self, call: Call, fix: Fix) -> set[str]:
        """The ids of the rules that ``call`` breaks once a fix is applied."""
        return broken_ids(replace(call, **dict([fix])), self.target, self.rules)


def broken_ids(call: Call, target: Target, rules: tuple[Rule, ...]) -> set[str]:
    """The ids of the rules that the call breaks."""
    return {rule.id for rule in rules if rule.find(call, target) is not None}


def find_repair(asked: Call, target: Target, rules: tuple[Rule, ...]) -> Repair:
    """A fix for each broken rule that has one, by rule id, and the call with all of them applied (None if one lacks).

    Rules are mended in order, each on the call as mended so far; one fix may mend several.
    """
    refused = Refused(asked, target, rules, broken_ids(asked, target, rules))
    now, left = asked, refused.before
    mended_by: dict[str, str] = {}
    for rule in rules:
        if rule.id in left and (fix := first_fix(rule, refused, now, left)):
            still = refused.broken_after(now, fix)
            mended_by |= dict.fromkeys(left - still, fix[0])
            now, left = replace(now, **dict([fix])), still
    return {rule_id: (name, getattr(now, name)) for rule_id, name in mended_by.items()}, None if left else now


def first_fix(rule: Rule, refused: Refused, now: Call, left: set[str]) -> Fix | None:
    """The first candidate that mends ``rule`` in the call as mended so far and breaks no new rule, there or alone.

    One that mends the rule alone too is taken before one that does not.
    """
    second = None
    for fix in ((name, value) for name in rule.mend for value in CANDIDATES[name](now, refused.target)):
        if refused.broken_after(now, fix) <= left - {rule.id}:
            alone = refused.broken_after(refused.asked, fix)
            if alone <= refused.before - {rule.id}:
                return fix
            second = second or (fix if alone <= refused.before else None)
    return second
