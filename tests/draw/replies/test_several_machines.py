"""One question, several machines: what each answered, held against the first."""

import pytest

from course_lib.draw.replies.several_machines import AnswerMark, MachineAnswer, machines_picture, mark_answer

MODEL = MachineAnswer("model", {"the call": bytes(128), "the tile": bytes(256)}, "the model")
H200 = MODEL._replace(who="recorded", by="recorded: NVIDIA H200")
NOBODY = MachineAnswer("live", {"the call": None, "the tile": None}, "No GPU: no driver.")


def test_machines_that_agree_are_said_to_agree_and_one_that_was_not_asked_is_not_counted():
    lines = machines_picture([MODEL, H200, NOBODY]).text.splitlines()
    assert lines[0] == "model    the call: 128 bytes; the tile: 256 bytes (the model)"
    assert lines[1].startswith("recorded the call: 128 bytes, all equal; the tile: 256 bytes, all equal")
    assert lines[2] == "live     the call: no bytes; the tile: no bytes (No GPU: no driver.)"
    assert lines[3] == "2 machines answered, and every byte is equal."


def test_the_first_byte_that_differs_is_named_with_its_machine():
    other = H200._replace(parts=H200.parts | {"the tile": bytes(200) + b"\1" + bytes(55)})
    picture = machines_picture([MODEL, other])
    assert picture.text.endswith("recorded: the tile differs from byte 200 on.")
    assert ">differs from byte 200 on<" in picture.svg


@pytest.mark.parametrize(
    ("data", "first", "held"),
    [
        (b"ab", b"ab", AnswerMark("2 bytes, all equal", "right")),
        (b"ab", b"aa", AnswerMark("differs from byte 1 on", "wrong")),
        (b"ab", b"abc", AnswerMark("differs from byte 2 on", "wrong")),
        (b"ab", None, AnswerMark("differs from byte 0 on", "wrong")),
        (None, b"ab", AnswerMark("no bytes", "waiting")),
    ],
)
def test_an_answer_is_equal_or_parts_at_a_byte_or_is_none(data, first, held):
    assert mark_answer(data, first) == held


def test_every_word_of_the_picture_is_in_its_text_and_it_is_small():
    picture = machines_picture([MODEL, H200, NOBODY])
    assert all(word in picture.svg for word in ("model", "recorded", "live", "the call", "No GPU: no driver."))
    assert max(len(picture.svg.encode()), len(picture.standalone.encode())) < 60_000
