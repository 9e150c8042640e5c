"""The 128 bytes of a tensor map as 16 words of 64 bits, two of them side by side."""

import re
import struct
from itertools import groupby

from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.compare import ComparedRow, compare_rows, first_differing_place
from course_lib.model.call.encoding import decode, fields_of
from course_lib.model.facts.limits import DESCRIPTOR_BYTES


def words_of(data: bytes) -> tuple[int, ...]:
    """The 16 little-endian 64-bit words of 128 bytes. ValueError for another length."""
    if len(data) != DESCRIPTOR_BYTES:
        raise ValueError(f"a tensor map has {DESCRIPTOR_BYTES} bytes, not {len(data)}")
    return struct.unpack("<16Q", data)


def compare_words(left: bytes, right: bytes, names: tuple[str, str] = ("model", "driver")) -> Picture:
    """Two tensor maps word by word: what each word holds, and a mark where the two differ."""
    held = field_names_by_word(left)
    rows = [
        ComparedRow(f"{number:>4}{8 * number:>5}–{8 * number + 7:<5}", f"{ours:016x}", f"{theirs:016x}", held[number])
        for number, (ours, theirs) in enumerate(zip(words_of(left), words_of(right), strict=True))
    ]
    title = f"The 128 bytes of a tensor map: {names[0]} beside {names[1]}"
    return compare_rows(title, rows, names, _sentence(left, right, names), ("word   bytes  ", "holds"))


def field_names_by_word(data: bytes) -> list[str]:
    """For each of the 16 words, the names of the fields that are not zero in it; empty where the bytes are no tensor map."""
    try:
        fields = fields_of(decode(data))
    except ValueError:
        return [""] * 16
    number = int.from_bytes(data, "little")
    held = [(field.lsb // 64, re.sub(r"_\d.*|_minus_1", "", field.name)) for field in fields if field.read(number)]
    return [", ".join(name for name, _ in groupby(name for place, name in held if place == word)) for word in range(16)]


def _sentence(left: bytes, right: bytes, names: tuple[str, str]) -> str:
    at = first_differing_place(left, right)
    if at is None:
        return f"All 128 bytes are equal: {names[0]} = {names[1]}."
    ours, theirs = f"{names[0]} 0x{left[at]:02x}", f"{names[1]} 0x{right[at]:02x}"
    return f"First difference: byte {at}, in word {at // 8}: {ours}, {theirs}."
