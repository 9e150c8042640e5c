"""All rules of a call together, in the order of its arguments; the verdict, and the 128 bytes of an accepted call."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from course_lib.model.call import encoding
from course_lib.model.call.tensor_map import CALLS, Call
from course_lib.model.call.verdict import Broken, IllegalTensorMap, Repair, Verdict, spell_value
from course_lib.model.facts.limits import Target, target_named
from course_lib.model.rules import boxes, elements, modes, pixels, shapes
from course_lib.model.rules.cautions import CAUTIONS
from course_lib.model.rules.declaration import Finding, Rule, declared_in
from course_lib.model.rules.repair import find_repair

CACHED_VERDICTS = 4096
DECLARED = declared_in(elements, shapes, boxes, pixels, modes)
RULES: dict[str, tuple[Rule, ...]] = {
    api: tuple(rule for rule in DECLARED if rule.applies_to(kind)) for api, kind in CALLS.items()
}


def check(call: Call, target: str = "sm_90") -> Verdict:
    """The verdict on a call for ``target``; kept in a bounded cache. ValueError for an unknown target."""
    return _verdict(call, target_named(target).name)


@lru_cache(CACHED_VERDICTS)
def _verdict(call: Call, target: str) -> Verdict:
    return Verdict(call, target_named(target))


def encode(call: Call, target: str = "sm_90") -> bytes:
    """The 128 bytes; IllegalTensorMap where the driver refuses, NotMeasured where nobody recorded the target's."""
    verdict = call.check(target)
    encoding.must_be_measured(verdict.target)
    if not verdict.accepted:
        raise IllegalTensorMap(verdict)
    return encoding.to_bytes(call)


def broken(verdict: Verdict) -> tuple[Broken, ...]:
    """Every rule that the driver refuses the call for."""
    return tuple(find_all(RULES[verdict.tensor_map.api], verdict))


def warnings(verdict: Verdict) -> tuple[Broken, ...]:
    """Every caution of an accepted call."""
    kind = type(verdict.tensor_map)
    return tuple(find_all((caution for caution in CAUTIONS if caution.applies_to(kind)), verdict))


def repair(verdict: Verdict) -> Repair:
    """What would mend the call."""
    return find_repair(verdict.tensor_map, verdict.target, RULES[verdict.tensor_map.api])


def find_all(rules: Iterable[Rule], verdict: Verdict) -> Iterator[Broken]:
    """What the rules find, in words."""
    for rule in rules:
        finding = rule.find(verdict.tensor_map, verdict.target)
        if finding is not None:
            yield in_words(rule, finding, verdict)


def in_words(rule: Rule, finding: Finding, verdict: Verdict) -> Broken:
    """The finding as a learner reads it: the offending entries, then the rule."""
    index, value = finding.offenders[0] if finding.offenders else (None, finding.value)
    entries = [(f"{rule.field}[{i}]", entry) for i, entry in finding.offenders] or [(rule.field, finding.value)]
    listed = ", ".join(f"{name} = {spell_value(rule.field, entry)}" for name, entry in entries)
    message = f"{listed}: {finding.sentence}"
    source = on_target(finding.source or rule.source, verdict.target)
    return Broken(rule.id, rule.field, index, value, finding.limit, message, source, verdict)


def on_target(source: str, target: Target) -> str:
    """A source that says which chip was measured, where it is not the one asked about."""
    return source if target.measured else source.replace("measured:", "measured on sm_90:")
