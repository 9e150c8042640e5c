"""The palette: read by everyone, on light and dark ground, and never by hue alone."""

from itertools import combinations

import pytest

from course_lib.draw.pen.hatch import KINDS
from course_lib.draw.pen.palette import GROUNDS, LINES, STATES, UNITS, Look
from tests.draw.colours import EYES, contrast, lightness

FAR_ENOUGH = 15  # of 100 in lightness


def told_apart(a: Look, b: Look, eye: str) -> bool:
    """Without hue: by hatch, by a dashed border, or by lightness."""
    return (a.hatch, a.dashed) != (b.hatch, b.dashed) or abs(
        lightness(a.fill, eye) - lightness(b.fill, eye)
    ) >= FAR_ENOUGH


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("name", STATES)
def test_words_in_a_box_have_a_contrast_of_4_5_for_every_eye(name, eye):
    assert contrast(STATES[name].ink, STATES[name].fill, eye) >= 4.5


@pytest.mark.parametrize("ground", GROUNDS.values())
@pytest.mark.parametrize("colour", [*LINES.values(), *sorted({state.border for state in STATES.values()})])
def test_lines_and_borders_are_seen_on_light_and_dark_ground(colour, ground):
    assert contrast(colour, ground) >= 3


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(("a", "b"), list(combinations(STATES, 2)))
def test_no_two_states_differ_by_hue_alone(a, b, eye):
    assert told_apart(STATES[a], STATES[b], eye)


def test_two_states_that_differ_by_hue_alone_would_be_seen():
    red, green = Look("red", "#d05050", "#000000"), Look("green", "#388a38", "#000000")
    assert not told_apart(red, green, "grey")


def test_a_red_blind_eye_sees_red_darker_and_grey_as_it_is():
    assert lightness("#ff0000", "protan") < lightness("#ff0000") - 10
    assert abs(lightness("#808080", "protan") - lightness("#808080")) < 1


def test_the_hatches_of_the_palette_are_those_that_can_be_drawn():
    assert {state.hatch for state in STATES.values()} - {""} == set(KINDS)


def test_the_three_units_have_three_looks():
    looks = [STATES[UNITS[unit]] for unit in ("elements", "bytes", "16-byte units")]
    assert len({look.fill for look in looks}) == len({look.hatch for look in looks}) == 3
