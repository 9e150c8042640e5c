"""Pictures: the same content gives the same bytes, readable on light and dark ground, and in words."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw.svg import COLOURS, Drawing

WHITE, JUPYTER_DARK = "#ffffff", "#111111"


def drawing(words: str = "a < b & c") -> Drawing:
    made = Drawing(100, 40, "A title", "A description.")
    made.text(5, 20, words, bold=True)
    made.frame(1, 1, 98, 38, "differs")
    made.line(0, 30, 100, 30)
    return made


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", [WHITE, JUPYTER_DARK])
@pytest.mark.parametrize("name", COLOURS)
def test_every_colour_of_a_shape_is_seen_on_light_and_dark_ground(name, ground):
    assert contrast(COLOURS[name], ground) >= 3


def test_words_take_the_colour_of_the_page():
    picture = drawing().picture("")
    assert 'fill="currentColor"' in picture.svg
    assert "<text" in picture.svg
    assert not re.search(r"<text[^>]*fill=", picture.svg)


def test_a_standalone_picture_brings_its_own_ground():
    picture = drawing().picture("")
    assert 'fill="#ffffff"' in picture.standalone
    assert "currentColor" not in picture.standalone


def test_the_same_content_gives_the_same_bytes_and_other_content_other_ids():
    ids = [set(re.findall(r'id="(\w+)', drawing(words).picture("").svg)) for words in ("same", "same", "other")]
    assert ids[0] == ids[1]
    assert not ids[0] & ids[2]


def test_a_picture_is_well_formed_and_names_itself_to_a_screen_reader():
    svg = ElementTree.fromstring(drawing().picture("").svg)
    named = {element.get("id"): element.text for element in svg if element.get("id")}
    assert [named[name] for name in svg.get("aria-labelledby", "").split()] == ["A title", "A description."]
    assert svg.get("role") == "img"


def test_a_notebook_gets_the_page_form_the_file_form_and_the_words():
    shown = drawing().picture("in words")._repr_mimebundle_()
    assert set(shown) == {"text/html", "image/svg+xml", "text/plain"}
    assert shown["text/plain"] == "in words"
