"""Model values → pictures. A picture is SVG text with a title, a description and the same content in plain words."""

from .svg import Picture
from .words import compare_words

__all__ = ["Picture", "compare_words"]
