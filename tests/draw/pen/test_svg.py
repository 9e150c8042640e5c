"""Pictures: the same content gives the same bytes, readable on light and dark ground, and in words."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw.pen.palette import STATES
from course_lib.draw.pen.svg import Drawing, beside

SVG = "{http://www.w3.org/2000/svg}"


def drawing(words: str = "a < b & c") -> Drawing:
    made = Drawing(100, 40, "A title", "A description.")
    made.text(5, 20, words, bold=True)
    made.frame(1, 1, 98, 38, "differs")
    made.line(0, 30, 100, 30)
    return made


def test_words_take_the_colour_of_the_page():
    picture = drawing().picture("")
    assert 'fill="currentColor"' in picture.svg
    assert "<text" in picture.svg
    assert not re.search(r"<text[^>]*fill=", picture.svg)


def test_a_standalone_picture_brings_its_own_ground():
    picture = drawing().picture("")
    assert 'fill="#ffffff"' in picture.standalone
    assert "currentColor" not in picture.standalone


def test_the_same_content_gives_the_same_bytes_and_no_id_that_could_clash():
    first, second = (drawing().picture("") for _ in range(2))
    assert first == second
    assert not re.search(r"\bid=|url\(", first.svg)


def test_a_picture_is_well_formed_and_names_itself_to_a_screen_reader():
    svg = ElementTree.fromstring(drawing().picture("").svg)
    assert [svg.get("role"), svg.get("aria-label")] == ["img", "A title"]
    assert [svg.findtext(f"{SVG}title"), svg.findtext(f"{SVG}desc")] == ["A title", "A description."]


def test_a_box_brings_its_ground_its_ink_and_a_halo_under_its_words():
    made = drawing()
    made.box(0, 0, 40, 20, "first", "7")
    look = STATES["first"]
    assert f'fill="{look.fill}" stroke="{look.border}"' in made.parts[-3]
    assert f'fill="{look.ink}" stroke="{look.fill}" stroke-width="3" paint-order="stroke">7<' in made.parts[-1]


@pytest.mark.parametrize("name", STATES)
def test_a_hatch_stays_within_its_box(name):
    made = drawing("")
    made.parts.clear()
    made.box(10, 20, 33, 17, name)
    for path in re.findall(r'd="([^"]*)"', "".join(made.parts)):
        for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path):
            assert 10 <= float(x) <= 43
            assert 20 <= float(y) <= 37


def test_a_group_carries_data_for_tests_and_a_hint_under_the_pointer():
    made = drawing()
    with made.group("a < b", word=3, field_name="box"):
        made.line(0, 0, 1, 1)
    group = ElementTree.fromstring(made.picture("").svg).find(f"{SVG}g")
    assert group is not None
    assert group.attrib == {"data-word": "3", "data-field-name": "box"}
    assert group.findtext(f"{SVG}title") == "a < b"


def test_an_arrow_ends_where_it_points():
    made = drawing()
    made.arrow(0, 0, 30, 40)
    assert 'points="30,40 ' in made.parts[-1]


def test_drawings_side_by_side_keep_their_own_titles_and_stand_one_above_the_other_in_a_file():
    both = beside(drawing("left"), drawing("right"), text="both")
    assert both.svg.count("<svg") == both.svg.count('role="img"') == 2
    file = ElementTree.fromstring(both.standalone)
    assert [inner.get("y") for inner in file.iter(f"{SVG}svg")][1:] == ["0", "52"]
    assert file.get("viewBox") == "0 0 100 92"


def test_a_notebook_gets_the_page_form_the_file_form_and_the_words():
    shown = drawing().picture("in words")._repr_mimebundle_()
    assert set(shown) == {"text/html", "image/svg+xml", "text/plain"}
    assert shown["text/plain"] == "in words"
