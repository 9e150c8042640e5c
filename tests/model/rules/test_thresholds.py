"""Each rule at its threshold: the last value that the driver takes, and the first that it refuses for that rule alone."""

from dataclasses import replace

import pytest

from course_lib.model.rules.judge import RULES
from tests.model.thresholds import B32, IM2COL, THRESHOLDS, TILED, WIDE

OTHER_TARGETS_ONLY = {
    "packed-dimension-is-whole-groups",
    "packed-row-is-128-elements",
    "packed-6-bit-takes-no-interleave",
    "packed-swizzle-is-listed",
    "interleave-32b-takes-swizzle-32b",
}


def ids(m, target="sm_90"):
    return [broken.id for broken in m.check(target).broken]


@pytest.mark.parametrize("call", [TILED, IM2COL, WIDE], ids=lambda m: m.api)
def test_the_call_that_is_changed_is_legal(call):
    assert ids(call) == []


@pytest.mark.parametrize(
    ("rule", "call", "taken", "refused"), THRESHOLDS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_rule_takes_the_last_legal_value_and_refuses_the_next(rule, call, taken, refused):
    assert ids(replace(call, **taken)) == []
    assert ids(replace(call, **refused)) == [rule]


def test_every_rule_has_a_threshold_here():
    known = {rule.id for rules in RULES.values() for rule in rules}
    assert known == {row[0] for row in THRESHOLDS} | OTHER_TARGETS_ONLY


@pytest.mark.parametrize(
    ("rule", "call", "taken", "refused"), THRESHOLDS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_broken_rule_tells_field_value_limit_source_and_a_sentence(rule, call, taken, refused):
    m = replace(call, **refused)
    (broken,) = m.check().broken
    value = getattr(m, broken.field)
    assert broken.value == (value if broken.index is None else value[broken.index])
    assert broken.message.startswith(f"{broken.field}{'' if broken.index is None else f'[{broken.index}]'} = ")
    assert broken.source.startswith(("documented: ", "measured: "))
    assert broken.limit is not None


LIMITS = {  # what each rule says it allows, where that is the same for all calls
    "data-type-is-known": tuple(range(16)),
    "data-type-on-target": "sm_100",
    "address-is-in-range": 2**57,
    "dimensions-are-in-range": (1, 2**32),
    "strides-are-in-range": 2**40,
    "box-dim-is-in-range": (1, 256),
    "inner-row-is-whole-units": 16,
    "box-fits-the-engine": 233_472,
    "column-fits-the-engine": 233_472,
    "element-strides-are-in-range": (1, 8),
    "interleave-is-known": (0, 1, 2),
    "swizzle-is-known": tuple(range(7)),
    "swizzle-on-target": (0, 1, 2, 3),
    "l2-promotion-is-known": (0, 1, 2, 3),
    "oob-fill-is-known": (0, 1),
    "nan-fill-needs-a-float": 0,
    "pixel-box-is-not-empty": 1,
    "channels-are-in-range": (1, 256),
    "pixels-are-in-range": (1, 1024),
    "wide-mode-is-known": (0, 1),
}
LIMITS_OF_CALLS = {"rank-is-in-range", "address-is-aligned", "strides-are-aligned", "inner-row-fits-swizzle"}


@pytest.mark.parametrize(
    ("rule", "call", "taken", "refused"), THRESHOLDS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_broken_rule_tells_what_it_allows(rule, call, taken, refused):
    m = replace(call, **refused)
    (broken,) = m.check().broken
    corners = {f"pixel-box-{side}-corner{w}-is-in-range" for side in ("lower", "upper") for w in ("", "-width")}
    if rule in corners:
        assert broken.limit == {3: (-(2**15), 2**15 - 1), 4: (-128, 127), 5: (-16, 15)}[m.rank]
    elif rule in LIMITS_OF_CALLS:
        least = 1 if m.api == "tiled" and not m.interleave else 3
        step, span = 32 if m.interleave == B32 else 16, {1: 32, 2: 64, 3: 128}.get(m.swizzle)
        assert broken.limit == {"rank": (least, 5), "address": step, "strides": step, "inner": span}[rule.split("-")[0]]
    else:
        assert broken.limit == LIMITS[rule]


def test_every_offending_entry_is_named():
    (broken,) = replace(TILED, box_dim=(32, 0, 257)).check().broken
    assert broken.message == "box_dim[1] = 0, box_dim[2] = 257: a box dimension must be 1 to 256 elements"
    assert (broken.index, broken.value, broken.limit) == (1, 0, (1, 256))


def test_every_broken_rule_is_named_in_the_order_of_the_arguments():
    m = replace(TILED, data_type=99, global_address=1, global_dim=(0, 1, 1), box_dim=(0, 1, 1), swizzle=9, oob_fill=5)
    assert ids(m) == [
        "data-type-is-known",
        "address-is-aligned",
        "dimensions-are-in-range",
        "box-dim-is-in-range",
        "swizzle-is-known",
        "oob-fill-is-known",
    ]
