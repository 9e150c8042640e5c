"""Pixels as a PNG: what a decoder gets back, and the same bytes everywhere."""

import zlib

import numpy as np
import pytest

from course_lib.draw.pen.png import BLOCK_BYTES, data_uri, png, zlib_stream


def decoded(data):
    """(width, height, depth, colour type) and the lines of a PNG, check sums verified."""
    at, lines, head = 8, b"", b""
    while at < len(data):
        length, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        assert int.from_bytes(data[at + 8 + length : at + 12 + length], "big") == zlib.crc32(kind + body)
        head, lines = (body, lines) if kind == b"IHDR" else (head, lines + body * (kind == b"IDAT"))
        at += length + 12
    return (int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big"), head[8], head[9]), zlib.decompress(lines)


def test_colours_come_back_unchanged():
    pixels = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    head, lines = decoded(png(pixels))
    assert head == (7, 5, 8, 2)
    assert np.array_equal(np.frombuffer(lines, np.uint8).reshape(5, 22)[:, 1:], pixels.reshape(5, 21))


@pytest.mark.parametrize("width", [6, 7])
def test_grey_keeps_its_upper_four_bits(width):
    pixels = np.arange(3 * width, dtype=np.uint8).reshape(3, width) * 11
    head, lines = decoded(png(pixels))
    assert head == (width, 3, 4, 0)
    rows = np.frombuffer(lines, np.uint8).reshape(3, -1)[:, 1:]
    both = np.stack([rows >> 4, rows & 15], -1).reshape(3, -1)
    assert np.array_equal(both[:, :width], pixels >> 4)


@pytest.mark.parametrize("size", [0, 1, BLOCK_BYTES, BLOCK_BYTES + 1])
def test_a_stored_stream_of_any_length_is_read_back(size):
    data = bytes(size)
    assert zlib.decompress(zlib_stream(data)) == data


def test_an_address_holds_the_picture_and_other_shapes_are_refused():
    assert data_uri(np.zeros((1, 1, 3), np.uint8)).startswith("data:image/png;base64,iVBORw0KGgo")
    with pytest.raises(ValueError, match=r"not \(2, 2, 4\)"):
        png(np.zeros((2, 2, 4), np.uint8))
