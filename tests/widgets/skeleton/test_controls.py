"""What the front end is told: every kind of control it builds, and each with a label."""

import json
import re

import pytest

from course_lib.widgets.skeleton.base import HERE
from course_lib.widgets.skeleton.controls import KINDS, Control

FRONT = (HERE / "front.js").read_text()


def test_the_front_end_builds_every_kind_of_control_and_no_other():
    builders = FRONT[FRONT.index("const BUILDERS") : FRONT.index("function copyButton")]
    assert set(re.findall(r"^  (\w+)\(description, turn\)", builders, re.M)) == set(KINDS)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind='dial': a control is one of number, range"):
        Control("a", "dial", "A")


def test_a_control_is_described_in_json():
    described = Control("a", "select", "A", options=[(1, "one"), ("x", "two")]).describe()
    assert json.loads(json.dumps(described)) == described
    assert described["options"] == [[1, "one"], ["x", "two"]]


def test_the_front_end_names_no_address_of_another_machine():
    assert not re.search(r"https?://|import\s*\(|fetch\(", FRONT)
