"""A verdict as a picture: every argument, every broken rule with its number and fix, and the same in words."""

from dataclasses import replace

import pytest

from course_lib import DataType, Swizzle, TiledTensorMap
from course_lib.draw.replies.verdict import findings, fix_words, headline, offenders, verdict_picture
from tests.draw.examples import CALLS, TILED

BROKEN = replace(TILED, global_address=8, box_dim=(64, 257), global_strides=(2**40 + 8,), element_strides=(9, 0))


@pytest.mark.parametrize("call", CALLS)
def test_every_argument_of_every_kind_of_call_is_in_the_picture(call):
    picture = verdict_picture(call)
    for name in vars(call):
        assert f">{name}<" in picture.svg
        assert f"\n{name}: " in f"\n{picture.text}"
    assert "accepted: CUDA_SUCCESS (0)" in picture.svg


def test_each_broken_rule_stands_under_its_argument_with_its_number_and_its_fix():
    verdict = BROKEN.check()
    picture = verdict_picture(verdict)
    assert "refused: CUDA_ERROR_INVALID_VALUE (1)" in picture.svg
    for number, broken in enumerate(verdict.broken, 1):
        assert (str(number), broken) in findings(verdict, broken.field)
        assert [word for word in broken.message.split() if word not in picture.svg] == []
        assert f"fix: {fix_words(broken)}" in picture.svg
    assert "box_dim: (64, 257)  <- 4\n" in picture.text
    assert picture.text.endswith(str(verdict))


def test_all_offending_entries_of_an_argument_are_marked_and_no_other():
    by_field = {broken.field: offenders(broken) for broken in BROKEN.check().broken}
    assert by_field == {"global_address": None, "global_strides": {0}, "box_dim": {1}, "element_strides": {0, 1}}


def test_a_rule_about_a_whole_argument_marks_all_of_it():
    picture = verdict_picture(replace(TILED, interleave=1))
    assert picture.svg.count('fill="#7d1128"') == 4  # the headline, two dimensions, the number of the rule


def test_an_address_is_hexadecimal_in_message_and_fix():
    broken = BROKEN.check().broken[0]
    assert broken.message == "global_address = 0x8: the address must be a multiple of 16 bytes"
    assert fix_words(broken) == "global_address = 0x10"


def test_a_warning_has_an_exclamation_mark_and_no_fix():
    picture = verdict_picture(replace(TILED, global_address=0))
    assert ">!<" in picture.svg
    assert "fix: " not in picture.svg
    assert "global_address: 0x0  <- !" in picture.text


def test_a_rule_without_a_fix_says_so():
    packed = replace(TILED, data_type=DataType.U4X16_ALIGN8B, box_dim=(40, 2), swizzle=Swizzle.B32)
    assert fix_words(packed.check().broken[0]) == "none: no argument mends it without breaking another rule"
    assert "fix: none: no argument mends it without breaking another rule" in verdict_picture(packed).svg


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (TILED, "Accepted: no rule is broken."),
        (replace(TILED, global_address=0), "Accepted, with 1 warning."),
        (replace(TILED, box_dim=(64, 257)), "Refused: 1 rule is broken."),
        (BROKEN, "Refused: 5 rules are broken."),
    ],
)
def test_the_headline_counts(call, sentence):
    assert headline(call.check()) == sentence
    assert f"<desc>{sentence}</desc>" in verdict_picture(call).svg


def test_a_call_of_rank_1_has_no_strides_to_show():
    line = TiledTensorMap(
        data_type=DataType.UINT8, global_address=0, global_dim=(64,), global_strides=(), box_dim=(16,)
    )
    assert "none: rank 1" in verdict_picture(line).svg


@pytest.mark.parametrize("call", [*CALLS, BROKEN])
def test_a_verdict_is_small_and_the_same_every_time(call):
    assert len(verdict_picture(call).svg) < 60_000
    assert verdict_picture(call).svg == verdict_picture(call.check()).svg


def test_a_number_of_no_enumeration_can_be_shown():
    assert "data_type: 99  <- 1" in verdict_picture(replace(TILED, data_type=99)).text
