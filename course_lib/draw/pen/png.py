"""Pixels as a PNG of stored blocks: the same bytes on every system, since nothing is compressed."""

import zlib
from base64 import b64encode

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPES = {2: 0, 3: 2}  # by dimensions of the array: grey, RGB
BLOCK_BYTES = 65535  # the most that one stored block of deflate holds


def png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG of grey (rows, columns) or RGB (rows, columns, 3) bytes. ValueError for another shape.

    Grey pictures have 16 levels. Source: PNG specification; RFC 1950 and 1951.
    """
    if pixels.ndim not in COLOUR_TYPES or pixels.shape[2:] not in ((), (3,)):
        raise ValueError(f"pixels are (rows, columns) or (rows, columns, 3), not {pixels.shape}")
    height, width = pixels.shape[:2]
    depth = 4 if pixels.ndim == 2 else 8
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    head = size + bytes([depth, COLOUR_TYPES[pixels.ndim], 0, 0, 0])
    rows = nibbles(pixels) if depth == 4 else pixels.reshape(height, -1)
    lines = np.pad(rows, ((0, 0), (1, 0))).tobytes()  # each row begins with its filter, 0
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", zlib_stream(lines)) + chunk(b"IEND", b"")


def nibbles(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Two pixels a byte, each in 16 levels."""
    even = np.pad(pixels >> 4, ((0, 0), (0, pixels.shape[1] % 2)))
    return (even[:, ::2] << 4 | even[:, 1::2]).astype(np.uint8)


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk with its length and check sum."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def zlib_stream(data: bytes) -> bytes:
    """A zlib stream of stored blocks."""
    blocks = [data[at : at + BLOCK_BYTES] for at in range(0, max(len(data), 1), BLOCK_BYTES)]
    stream = b"\x78\x01"
    for number, block in enumerate(blocks):
        size = len(block)
        last = number == len(blocks) - 1
        stream += bytes([last]) + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + block
    return stream + zlib.adler32(data).to_bytes(4, "big")


def data_uri(pixels: NDArray[np.uint8]) -> str:
    """The picture as an address that holds it."""
    return "data:image/png;base64," + b64encode(png(pixels)).decode()
