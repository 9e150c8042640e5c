"""The base of a widget: settings that are set and read without a browser, and one message for a turn."""

import pytest

from course_lib.draw.pen.svg import Drawing
from course_lib.widgets.skeleton.base import PanelLook, Turnable, View
from course_lib.widgets.skeleton.controls import Control


class Sample(Turnable):
    """Two numbers; the second follows the first."""

    panels = {"Words": PanelLook()}  # noqa: RUF012

    def __init__(self, b=2):
        super().__init__([Control("a", "number", "A"), Control("b", "number", "B")], {"a": 1, "b": b}, "Which?")

    def settle(self, before, now):
        return now | {"b": 2 * now["a"]}

    def see(self, values):
        picture = Drawing(10, 10, "t", f"{values['a']}").picture(f"a is {values['a']}")
        return View(f"b is {values['b']}", picture, {"Words": picture.text})


def by_hand(turn, **settings):
    """The message of the browser for its turn of this number."""
    return {"_hand": {"turn": turn, "settings": settings}}


@pytest.fixture
def sent(monkeypatch):
    """What is sent to the browser, message by message."""
    messages = []
    monkeypatch.setattr(Turnable, "send_state", lambda self, key=None: messages.append(set(key or ())))
    return messages


def test_settings_are_read_and_set_without_a_browser():
    widget = Sample()
    assert widget.state == {"a": 1, "b": 2}
    assert widget.set(a=5) is widget
    assert widget.state == {"a": 5, "b": 10}
    assert widget.picture.text == "a is 5"
    assert widget.text == repr(widget) == "Which?\nb is 10\na is 5"


def test_the_first_settings_are_settled_as_those_of_a_turn():
    assert Sample(b=99).state == {"a": 1, "b": 2}
    assert Sample(b=99).text == Sample().text


def test_a_turn_sets_what_it_names_and_a_control_that_is_gone_is_no_setting():
    widget = Sample()
    widget.set_state(by_hand(1, a=7, gone=3))
    assert widget.state == {"a": 7, "b": 14}


def test_a_setting_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(KeyError, match="'c': the controls are a, b"):
        Sample().set(c=1)


def test_the_settings_that_are_handed_out_are_a_copy():
    widget = Sample()
    widget.state["a"] = 99
    assert widget.state["a"] == 1


def test_a_turn_in_the_browser_shows_what_the_same_set_shows():
    turned, set_ = Sample(), Sample()
    turned.set_state(by_hand(1, a=7, b=2))
    set_.set(a=7)
    assert turned.state == set_.state
    assert turned.text == set_.text
    assert turned.get_state()["_picture"] == set_.get_state()["_picture"]


def test_one_turn_is_answered_by_one_message_with_only_what_changed(sent):
    widget = Sample()
    sent.clear()
    widget.set_state(by_hand(1, a=7, b=2))
    assert sent == [{"_values", "_picture", "_said", "_panels"}]


def test_a_turn_to_where_it_is_already_is_answered_and_draws_nothing(sent):
    widget = Sample()
    sent.clear()
    widget.set_state(by_hand(1, a=1, b=2))
    assert sent == [{"_values"}]


def test_an_answer_carries_the_number_of_its_turn_and_the_settings_as_settled():
    widget = Sample()
    widget.set_state(by_hand(5, a=7, b=2))
    assert widget.get_state()["_values"] == {"turn": 5, "settings": {"a": 7, "b": 14}}
    widget.set(a=8)
    assert widget.get_state()["_values"] == {"turn": 5, "settings": {"a": 8, "b": 16}}


def test_the_browsers_own_turn_is_not_echoed():
    assert Sample().trait_metadata("_hand", "echo_update") is False


def test_a_reader_without_a_kernel_gets_the_picture_and_the_words():
    shown, _ = Sample()._repr_mimebundle_()
    assert set(shown) == {"application/vnd.jupyter.widget-view+json", "image/svg+xml", "text/plain"}
    assert shown["text/plain"] == "Which?\nb is 2\na is 1"
