"""The channels of an image, each a small grey picture, slice below slice; what pads the last slice is empty."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Drawing, Picture, text_width
from course_lib.model.call.sizes import ceil_div

THUMB, GAP, LEFT, TOP, LABEL = 90.0, 6.0, 66.0, 44.0, 14.0
MOST_PIXELS = 60_000  # of all channels together, at half a byte each, in base64


def photo_picture(pixels: NDArray[np.uint8], title: str, scale: int = 6) -> Picture:
    """A picture of RGB pixels, each ``scale`` pixels wide."""
    height, width = pixels.shape[:2]
    sentence = f"{width} × {height} pixels of red, green and blue."
    wide = max(width * scale, text_width(title) + 8)
    drawing = Drawing(wide, height * scale + 26, title, sentence)
    drawing.text(2, 14, title, bold=True)
    drawing.image(0, 24, width * scale, height * scale, pixels)
    return drawing.picture(f"{title}: {sentence}")


def channel_picture(channels: Sequence[Any] | Any, in_slice: int, title: str) -> Picture:
    """(channels, rows, columns) as grey pictures, ``in_slice`` to a line, dark for the least value of each channel.

    ValueError for more than 60,000 pixels.
    """
    planes = np.asarray(channels, np.float64)
    if planes.size > MOST_PIXELS:
        raise ValueError(f"{planes.size} pixels are too many for this picture; it takes {MOST_PIXELS}")
    slices = ceil_div(len(planes), in_slice)
    high = THUMB * planes.shape[1] / planes.shape[2]
    sentence = slices_sentence(len(planes), in_slice, slices)
    drawing = Drawing(LEFT + in_slice * (THUMB + GAP), TOP + slices * (high + LABEL + GAP) + 18, title, sentence)
    drawing.text(4, 14, title, bold=True)
    drawing.text(4, 32, f"one line is one slice: the {in_slice} channels of a packet", faint=True, size=11)
    for number in range(slices * in_slice):
        row, column = divmod(number, in_slice)
        x, y = LEFT + column * (THUMB + GAP), TOP + row * (high + LABEL + GAP)
        if column == 0:
            drawing.text(4, y + high / 2 + 4, f"slice {row}")
        if number < len(planes):
            drawing.image(x, y, THUMB, high, in_grey(planes[number]))
        else:
            drawing.box(x, y, THUMB, high, "empty", "zero")
        words = f"channel {number}" if number < len(planes) else "padding"
        drawing.text(x + THUMB / 2, y + high + 11, words, anchor="middle", size=9)
    drawing.text(4, drawing.height - 6, sentence, faint=True, size=11)
    return drawing.picture(f"{title}. {sentence}")


def in_grey(plane: NDArray[np.float64]) -> NDArray[np.uint8]:
    """From black, the least value, to white, the largest; a NaN is mid-grey."""
    low, high = np.nanmin(plane, initial=np.inf), np.nanmax(plane, initial=-np.inf)
    scaled = (plane - low) / (high - low) * 255 if high > low else np.full(plane.shape, 128.0)
    return np.nan_to_num(scaled, nan=128.0).astype(np.uint8)


def slices_sentence(count: int, in_slice: int, slices: int) -> str:
    """Channels, slices and padding in one sentence."""
    rest = slices * in_slice - count
    padding = f"; {rest} channels of zeros fill the last slice" if rest else ""
    return f"{count} channels are {plural(slices, 'slice')} of {in_slice}{padding}."
