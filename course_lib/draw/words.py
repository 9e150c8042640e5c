"""The 128 bytes of a tensor map as 16 words of 64 bits, two of them side by side."""

import re
import struct
from itertools import groupby

from course_lib.model.encoding import fields_of
from course_lib.model.tensor_map import decode

from .svg import CHARACTER_WIDTH, Drawing, Picture

ROW = 18
LEFT = 8.0


def words_of(data: bytes) -> tuple[int, ...]:
    """The 16 little-endian 64-bit words of 128 bytes. ValueError for another length."""
    if len(data) != 128:
        raise ValueError(f"a tensor map has 128 bytes, not {len(data)}")
    return struct.unpack("<16Q", data)


def compare_words(left: bytes, right: bytes, names: tuple[str, str] = ("model", "driver")) -> Picture:
    """Two tensor maps word by word: what each word holds, and a mark where the two differ."""
    pairs = list(zip(words_of(left), words_of(right), strict=True))
    differing = [number for number, (a, b) in enumerate(pairs) if a != b]
    sentence = _sentence(left, right, names)
    rows = _rows(pairs, held_by(left), names)
    title = f"The 128 bytes of a tensor map: {names[0]} beside {names[1]}"
    width = 2 * LEFT + max(map(len, rows)) * CHARACTER_WIDTH
    drawing = Drawing(round(width), (len(rows) + 2) * ROW, title, sentence)
    for number, row in enumerate(rows):
        different = number - 1 in differing
        drawing.text(LEFT, (number + 1) * ROW, row.replace(" ", "\u00a0"), bold=number == 0 or different)
        if different:
            drawing.frame(LEFT / 2, number * ROW + 4, width - LEFT, ROW, "differs")
    drawing.line(LEFT, ROW + 4, width - LEFT, ROW + 4)
    drawing.text(LEFT, (len(rows) + 1) * ROW + 2, sentence, bold=True)
    return drawing.picture("\n".join([*rows, sentence]))


def held_by(data: bytes) -> list[str]:
    """For each of the 16 words, the names of the fields that are not zero in it; empty where the bytes are no tensor map."""
    try:
        fields = fields_of(decode(data))
    except ValueError:
        return [""] * 16
    number = int.from_bytes(data, "little")
    held = [(field.lsb // 64, re.sub(r"_\d.*|_minus_1", "", field.name)) for field in fields if field.read(number)]
    return [", ".join(name for name, _ in groupby(name for place, name in held if place == word)) for word in range(16)]


def _rows(pairs: list[tuple[int, int]], held: list[str], names: tuple[str, str]) -> list[str]:
    head = f"word   bytes   {names[0]:<16}    {names[1]:<16}  holds"
    return [head.rstrip()] + [
        f"{number:>4}{8 * number:>5}–{8 * number + 7:<5}{a:016x}  {'=' if a == b else '≠'} {b:016x}  {what}".rstrip()
        for number, ((a, b), what) in enumerate(zip(pairs, held, strict=True))
    ]


def _sentence(left: bytes, right: bytes, names: tuple[str, str]) -> str:
    at = next((i for i, (a, b) in enumerate(zip(left, right, strict=True)) if a != b), None)
    if at is None:
        return f"All 128 bytes are equal: {names[0]} = {names[1]}."
    ours, theirs = f"{names[0]} 0x{left[at]:02x}", f"{names[1]} 0x{right[at]:02x}"
    return f"First difference: byte {at}, in word {at // 8}: {ours}, {theirs}."
