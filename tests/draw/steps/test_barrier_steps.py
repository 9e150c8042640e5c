"""The picture of a barrier: a line a step, the counts of the model, a hang drawn as a hang, the same in words."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw.pen.palette import STATES
from course_lib.draw.steps.barrier_steps import MOST_ROWS, barrier_picture, moment_lines
from course_lib.model.barrier.script import run

RIGHT = [("init", 1), ("arrive_expect", 128), ("copy", 128), ("wait", 0), ("read",)]
HANGING = [("init", 2), *RIGHT[1:]]
SHORT = [("init", 1), ("arrive_expect", 64), ("copy", 128), ("wait", 0), ("read",)]
TRAPPING = [("init", 1), ("arrive_expect", 64), ("arrive",), ("copy", 64)]
ELSEWHERE = [("init", 1, "a"), ("init", 1, "b"), ("arrive_expect", 64, "b"), ("copy", 64, "a"), ("wait", 0, "a")]
UNSET = [("arrive",)]
ALL = {"right": RIGHT, "hanging": HANGING, "short": SHORT, "trapping": TRAPPING, "else": ELSEWHERE, "unset": UNSET}


def boxes(picture, state):
    rects = [e for e in ElementTree.fromstring(picture.svg).iter() if e.tag.endswith("rect")]
    return [r for r in rects if r.get("fill") == STATES[state].fill]


@pytest.mark.parametrize("steps", ALL.values(), ids=ALL)
def test_every_picture_is_well_formed_small_and_ends_with_how_it_ends(steps):
    done = run(steps)
    picture = barrier_picture(done)
    ElementTree.fromstring(picture.svg)
    assert len(picture.svg.encode()) < 60_000
    assert picture.text.splitlines()[-1] == done.sentence
    assert picture == barrier_picture(run(steps))


def test_each_moment_is_a_line_with_its_state_in_words():
    lines = barrier_picture(run(RIGHT)).text.splitlines()
    assert lines[2] == ("2. arrive.expect_tx 128 → phase 0: 0 of 1 arrivals pending, 128 bytes awaited")
    assert lines[7] == "7. ↓ 32 bytes land → phase 1: 1 of 1 arrivals pending, 0 bytes awaited; phase 0 ends"
    assert len(lines) == 1 + 9 + 1


def test_a_hang_is_drawn_as_a_wait_without_an_end_and_names_what_is_never_reached():
    picture = barrier_picture(run(HANGING))
    assert any(float(box.get("width")) > 600 for box in boxes(picture, "waiting"))
    assert "never reached: read the tile" in picture.text
    assert not any(float(box.get("width")) > 600 for box in boxes(barrier_picture(run(RIGHT)), "waiting"))


def test_bytes_below_zero_lie_on_the_other_side_and_look_different():
    below = barrier_picture(run(ELSEWHERE))
    bars = {state: [float(box.get("x")) for box in boxes(below, state)] for state in ("byte", "first")}
    assert min(bars["byte"]) > max(bars["first"])
    assert "a" in below.text.splitlines()[-1]


def test_an_early_read_and_a_trap_are_marked():
    assert "64 bytes missing" in barrier_picture(run(SHORT)).svg
    assert "traps, 719" in barrier_picture(run(TRAPPING)).svg
    assert len(boxes(barrier_picture(run(RIGHT)), "wrong")) == 0


def test_many_quiet_landings_are_one_line():
    lines = list(moment_lines(run([("init", 1), ("arrive_expect", 4096), ("copy", 4096), ("wait", 0)])))
    assert [line.landings for line in lines] == [1, 1, 1, 127, 1, 1]


def test_more_lines_than_fit_are_refused():
    with pytest.raises(ValueError, match=f"the picture holds {MOST_ROWS}"):
        barrier_picture(run([("init", 1), *[("arrive",)] * MOST_ROWS]))


def test_what_is_said_below_can_be_given():
    assert barrier_picture(run(RIGHT), said="so far").text.endswith("so far")
    assert barrier_picture(run([("init", 100)])).svg.count("of 100") == 1
