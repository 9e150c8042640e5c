"""The barrier lab without a browser: every script ends as it says, steps can be followed, and the panels run."""

from itertools import product

import pytest

from course_lib.model.barrier.script import LANDINGS
from course_lib.widgets.labs.barrier import FIRST, ORDERS, OWN, PARITIES, RIGHT, SCRIPTS, SLIDERS, barrier_lab, steps_of


def said(widget):
    return widget.get_state()["_said"]


def panel(widget, title):
    return widget.get_state()["_panels"][title]


def test_it_starts_at_the_third_line_of_a_right_script():
    widget = barrier_lab()
    assert widget.state == FIRST
    assert said(widget) == "Line 3 of 9, copy 128: phase 0: 0 of 1 arrivals pending, 128 bytes awaited."
    assert widget.run.is_right


def test_a_step_shows_one_line_more_and_stops_at_the_last():
    widget = barrier_lab().set(step=4)
    assert said(widget).startswith("Line 4 of 9, 32 bytes land: phase 0")
    assert said(widget.set(step=40)) == "It comes through, and every read finds all bytes."
    assert widget.state["step"] == 9


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("copy first", "every read finds all bytes"),
        (
            "too high",
            "It hangs: the thread waits for full to complete a phase of parity 0 (phase 0: 0 of 1 arrivals pending, 16",
        ),
        ("hit", "read 1 is early: 64 bytes are not there"),
        ("missed", "0 of 1 arrivals pending, -80 bytes"),
        ("missing", "1 of 2 arrivals pending, 0 bytes"),
        ("many", "It traps: CUresult 719"),
        ("slips", "(phase 2: 1 of 1 arrivals pending, 0 bytes awaited)"),
        ("same parity", "read 2 is early"),
        ("other parity", "read 1 is early"),
        ("arrive first", "read 1 is early"),
        ("elsewhere", "1 of 1 arrivals pending, -128 bytes"),
        ("set up again", "read 2 is early"),
    ],
)
def test_each_script_ends_as_its_mistake_does(script, words):
    assert words in said(barrier_lab().set(script=script))


def test_only_the_right_scripts_are_called_right():
    verdicts = {name: panel(barrier_lab().set(script=name), "Verdict").splitlines()[0] for name in SCRIPTS}
    verdicts["right"] = panel(barrier_lab(), "Verdict").splitlines()[0]
    assert {name for name, verdict in verdicts.items() if verdict.startswith("Right")} == {"right", "copy first"}


def test_a_count_that_is_early_with_one_landing_hangs_with_another():
    lines = panel(barrier_lab(script="hit"), "Verdict").splitlines()
    assert ["early" in line for line in lines[1:]] == [True, False, False]
    assert ["hangs" in line for line in lines[1:]] == [False, True, True]


def test_a_setting_turned_by_hand_makes_the_script_ones_own_and_shows_all_of_it():
    widget = barrier_lab().set(expected=64)
    assert widget.state["script"] == OWN
    assert said(widget).startswith("It comes through, but read 1 is early")
    assert widget.set(script="right").state["expected"] == RIGHT["expected"]


def test_start_again_brings_the_first_settings_back():
    widget = barrier_lab(count=2).set(script="hit", step=2).set(again=1)
    assert widget.state == FIRST | {"count": 2, "script": OWN, "again": 1}


def test_a_start_setting_can_be_given_and_an_unknown_one_is_refused():
    with pytest.raises(KeyError, match="'cont': the controls are script"):
        barrier_lab(cont=2)


def test_a_number_out_of_its_range_is_put_back():
    widget = barrier_lab()
    for slider in SLIDERS:
        for value in (slider.low - 1, slider.high + 1, None):
            assert widget.set(**{slider.name: value}).state[slider.name] == FIRST[slider.name]


def test_every_combination_of_orders_parities_and_landings_is_drawn_small():
    far = {"copy_bytes": 192, "expected": 208, "count": 4, "arrivals": 4, "phases": 2}
    for order, parity, landing in product(ORDERS, PARITIES, LANDINGS):
        for set_up, where in product(("once", "every phase"), ("same", "other")):
            settings = far | {"order": order, "parity": parity, "landing": landing, "set_up": set_up, "where": where}
            assert len(barrier_lab().set(**settings).picture.svg) < 60_000


def test_no_arrival_at_all_leaves_the_announcement():
    steps = steps_of(FIRST | {"arrivals": 0})
    assert ("expect", 128, "full") in steps
    assert not any(what.startswith("arrive") for what, *_ in steps)


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_python_of_the_panel_runs_to_the_same_end(script):
    widget = barrier_lab().set(script=script)
    names = {}
    exec(panel(widget, "The call in Python").replace("\nrun([", "\ndone = run(["), names)
    assert names["done"] == widget.run


def test_the_ptx_names_every_step():
    text = panel(barrier_lab(), "The steps in PTX")
    words = ["mbarrier.init", "bar.sync", "fence.proxy.async", "arrive.expect_tx", "cp.async.bulk", "try_wait.parity"]
    words += ["ld.shared"]
    assert [word for word in words if word not in text] == []


def test_every_control_has_a_label_and_its_own_name():
    controls = barrier_lab().get_state()["_controls"]
    assert {control["name"] for control in controls} == set(FIRST)
    assert len({control["label"] for control in controls}) == len(controls)
