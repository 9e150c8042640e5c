"""Null pointers in an encode call: which are left out, and what becomes of the answers. Needs no GPU."""

from ctypes import c_char

import pytest

pytest.importorskip("cuda.bindings", reason="cuda-python is not installed")

from course_lib.gpu import encode
from course_lib.gpu.child import ChildFailed
from maintain.hardware.measure import nulls

CALLS = list(nulls.calls())


class Stub:
    """A child that answers, or breaks at the calls without a box."""

    def ask(self, do, row):
        assert do == "encode_without"
        if row["null"] == "box_dim":
            raise ChildFailed("the child ended without an answer")
        return {"driver_result": 0}


@pytest.fixture
def passed(monkeypatch):
    """What the driver's function is given."""
    given = []
    monkeypatch.setattr(encode, "have_context", lambda: None)
    monkeypatch.setattr(encode, "entry_point", lambda api: lambda *arguments: given.append(arguments) or 1)
    return given


@pytest.mark.parametrize("whole", CALLS, ids=lambda whole: f"{whole.api}-{whole.rank}")
def test_the_calls_are_accepted_when_no_pointer_is_null(whole):
    assert whole.check().accepted


@pytest.mark.parametrize(("whole", "arrays"), [(CALLS[0], 4), (CALLS[2], 5)], ids=["tiled", "im2col"])
def test_each_array_and_the_descriptor_are_pointers_of_a_call(whole, arrays):
    assert len(nulls.pointers(whole.api)) == arrays + 1


@pytest.mark.parametrize("name", nulls.pointers("tiled"))
def test_the_named_pointer_alone_is_null(passed, name):
    room = (c_char * 256)()
    assert encode.call(CALLS[1], room, null=name) == 1
    assert [argument is None for argument in passed[0]] == [
        each == name for each in ("tensor_map", *encode.ARGUMENTS["tiled"])
    ]
    assert passed[0][0] is None or passed[0][0] % 128 == 0


def test_without_a_name_every_pointer_is_there(passed):
    encode.call(CALLS[2], (c_char * 256)())
    assert None not in passed[0]


def test_a_driver_that_ends_the_process_is_an_answer():
    assert nulls.answer(Stub(), {"null": "box_dim"}) == {"driver_result": None}
    assert nulls.answer(Stub(), {"null": "global_dim"}) == {"driver_result": 0}
