"""Bars of k in n: their lengths, their numbers in words, and what is refused."""

import xml.etree.ElementTree as ElementTree

import pytest

from course_lib.draw.charts.shares import LONG, Share, share_bars
from course_lib.draw.pen.palette import STATES

SHARES = [Share("told 64", 8, 16), Share("told 80", 0, 16), Share("told 256", 16, 16, "all")]


def test_a_bar_is_as_long_as_its_share():
    rects = [e for e in ElementTree.fromstring(share_bars(SHARES, "hits").svg).iter() if e.tag.endswith("rect")]
    filled = [float(r.get("width")) for r in rects if r.get("fill") in (STATES["byte"].fill, STATES["unit"].fill)]
    assert filled == [LONG / 2, LONG]


def test_the_words_have_every_number():
    assert share_bars(SHARES, "hits", "16 runs each").text.splitlines() == [
        "hits",
        "told 64: 8 of 16",
        "told 80: 0 of 16",
        "told 256: 16 of 16, all",
        "16 runs each",
    ]


@pytest.mark.parametrize("shares", [[Share("x", 2, 1)], [Share("x", -1, 1)], [Share("x", 0, 1)] * 41])
def test_what_is_no_share_or_too_much_is_refused(shares):
    with pytest.raises(ValueError, match="shares: up to 40"):
        share_bars(shares, "hits")
