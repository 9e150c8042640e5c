"""The 128 bytes in hexadecimal, the ones that differ from an earlier setting in brackets."""

from course_lib.draw.replies.compare import first_differing_place


def hex_lines(data: bytes, before: bytes | None = None, row: int = 8) -> str:
    """``row`` bytes a line behind the number of the first; ``before`` brackets the bytes that changed."""
    old = data if before is None else before
    lines = []
    for start in range(0, len(data), row):
        pairs = zip(data[start : start + row], old[start : start + row], strict=True)
        lines.append(f"{start:>3} " + "".join(f"[{new:02x}]" if new != was else f" {new:02x} " for new, was in pairs))
    return "\n".join(lines)


def changed_bytes(data: bytes, before: bytes) -> str:
    """How many bytes changed, and which is the first."""
    count = sum(new != was for new, was in zip(data, before, strict=True))
    first = first_differing_place(data, before)
    return "No byte changed." if first is None else f"{count} of {len(data)} bytes changed, the first is byte {first}."
