"""The call that can be copied: as Python it gives the same tensor map, as C it has the driver's own names."""

import re
from dataclasses import replace

import pytest

import course_lib
from course_lib.draw.replies.calls import C_PREFIX, c_call, c_name, python_call
from course_lib.model.call.tensor_map import ENUMERATIONS
from tests.draw.examples import CALLS, TILED

CHANGED = [replace(TILED, swizzle=9, oob_fill=1, interleave=2), replace(TILED, element_strides=(1, 2), data_type=77)]


@pytest.mark.parametrize("call", [*CALLS, *CHANGED], ids=lambda call: f"{call.api}-{call.rank}")
def test_the_python_call_gives_the_same_tensor_map(call):
    assert eval(python_call(call), vars(course_lib)) == call


def test_the_python_call_leaves_out_what_has_its_default():
    assert "oob_fill" not in python_call(TILED)
    assert "element_strides" not in python_call(TILED)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.api}-{call.rank}")
def test_the_c_call_has_the_drivers_arguments_in_the_drivers_number(call):
    text = c_call(call)
    inside = re.search(rf"{call.entry_point}\((.*)\);$", text, re.S)
    assert inside is not None
    assert len(inside[1].split(",")) == {"tiled": 12, "im2col": 15, "im2col_wide": 16}[call.api]
    declared = re.findall(r"(\w+)\[\] =", text)
    assert all(re.search(rf"\b{name}\b", inside[1]) for name in declared)


def test_a_number_that_the_driver_has_no_name_for_is_cast():
    assert "(CUtensorMapSwizzle)9" in c_call(CHANGED[0])


@pytest.mark.parametrize("argument", ENUMERATIONS)
def test_every_enumerator_is_spelled_as_in_the_drivers_header(argument):
    driver = pytest.importorskip("cuda.bindings.driver")
    prefix, kind = C_PREFIX[argument]
    theirs = {int(member): name for name, member in getattr(driver, kind).__members__.items()}
    ours = {int(member): prefix + c_name(member.name) for member in ENUMERATIONS[argument]}
    assert {number: theirs.get(number, name) for number, name in ours.items()} == ours
