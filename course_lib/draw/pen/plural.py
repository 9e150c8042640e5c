"""One and many in words: 1 byte, 2 bytes; bit 3, bits 3–5."""


def plural(count: float, word: str, shown: str = "") -> str:
    """How many of what; ``shown`` stands for the count where it is written in another way: "No" or "1,024"."""
    return f"{shown or count} {noun(count, word)}"


def noun(count: float, word: str) -> str:
    """The word alone, as it stands behind a count."""
    return word if count == 1 else f"{word}s"


def first_to_last(word: str, first: int, last: int, to: str = "–") -> str:
    """One place, or the first and the last of several, with ``to`` between them."""
    return f"{word} {first}" if first == last else f"{word}s {first}{to}{last}"
