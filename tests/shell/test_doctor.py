"""The five lines of `start.py check`: each says what is there and what to do."""

import webbrowser

import pytest

from shell import doctor


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("NVIDIA H200, 9.0, 580.159.04\n", "NVIDIA H200, driver 580.159.04: hardware cells run on it"),
        ("NVIDIA L4, 8.9, 550.54\nNVIDIA L4, 8.9, 550.54\n", "NVIDIA L4 is not a Hopper GPU (9.0, this is 8.9)"),
        ("", "none found: recorded answers of a real H200 stand in"),
    ],
)
def test_the_gpu_line_says_who_will_answer(said, words):
    assert words in doctor.gpu_line(said)


def test_a_missing_driver_tool_is_no_gpu(monkeypatch):
    monkeypatch.setattr(doctor, "ASK_GPU", ["no-such-program"])
    assert doctor.ask_gpu() == ""


def test_packages_that_are_not_there_are_said_to_be_missing(tmp_path):
    assert "not installed yet" in doctor.packages_line(tmp_path)


def test_missing_recordings_are_said_to_be_missing(tmp_path):
    assert "git checkout course_lib/recordings" in doctor.recordings_line(tmp_path)


def test_no_browser_is_answered_with_the_option_that_helps(monkeypatch):
    def none_found():
        raise webbrowser.Error

    monkeypatch.setattr(webbrowser, "get", none_found)
    assert "--no-browser" in doctor.browser_line()
