"""A tile in 16-byte pieces: which thread copies which, where a piece is cut by an edge, and one thread's pieces marked."""

from collections.abc import Sequence

from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Drawing, Picture, text_width
from course_lib.model.cost.thread_copy import ThreadCopy
from course_lib.model.facts.limits import INNER_UNIT_BYTES

CELL, HIGH, LEFT, TOP, MOST_ROWS = 62.0, 20.0, 66.0, 44.0, 40


def thread_picture(copies: Sequence[ThreadCopy], thread: int, title: str = "") -> Picture:
    """The rows in which ``thread`` has a piece, the row above and below each, the first row and the last.

    A cell is a piece; ``t5`` is its thread, and a number of bytes stands behind it where not all 16 come from memory.
    ValueError where the thread has no piece, or more than 40 rows would be drawn.
    """
    rows = shown_rows(copies, thread)
    if len(rows) > MOST_ROWS:
        raise ValueError(f"{len(rows)} rows: this picture has room for {MOST_ROWS}")
    own = [copy for copy in copies if copy.thread == thread]
    title, said = title or f"{len(copies):,} pieces of 16 bytes", sentence(own, thread)
    units = 1 + max(copy.unit for copy in copies)
    width = max(LEFT + units * CELL + 8, text_width(said, title) + 16)
    drawing = Drawing(round(width), TOP + len(rows) * HIGH + 12, title, said)
    drawing.text(8, 15, title, bold=True)
    drawing.text(8, 34, said, size=11)
    lines = [title, said]
    for place, (row, before) in enumerate(zip(rows, [rows[0] - 1, *rows], strict=False)):
        pieces = [copy for copy in copies if copy.row == row]
        _row(drawing, TOP + place * HIGH, row, pieces, thread, row > before + 1)
        lines.append(
            f"row {row}: " + ", ".join(piece_words(piece) + "*" * (piece.thread == thread) for piece in pieces)
        )
    return drawing.picture("\n".join([*lines, f"* thread {thread}"]))


def shown_rows(copies: Sequence[ThreadCopy], thread: int) -> list[int]:
    """The rows to draw, however many. ValueError where the thread has no piece."""
    own, last = {copy.row for copy in copies if copy.thread == thread}, copies[-1].row
    if not own:
        raise ValueError(f"thread {thread} has no piece of this tile")
    around = {row + step for row in own for step in (-1, 0, 1)}
    return sorted(row for row in around | {0, last} if 0 <= row <= last)


def sentence(own: Sequence[ThreadCopy], thread: int) -> str:
    """The pieces of one thread in words."""
    places = "; ".join(f"row {copy.row}, unit {copy.unit}" for copy in own[:4]) + "; …" * (len(own) > 4)
    return f"Thread {thread} has {plural(len(own), 'piece')}: {places}."


def piece_words(piece: ThreadCopy) -> str:
    """A piece in short: its thread, and its bytes where they are not 16."""
    return f"t{piece.thread}" + (f" {piece.inside} B" if piece.inside < INNER_UNIT_BYTES else "")


def piece_look(piece: ThreadCopy, thread: int) -> str:
    """How a piece is drawn."""
    if piece.thread == thread:
        return "chosen"
    return "unit" if piece.inside == INNER_UNIT_BYTES else "byte" if piece.inside else "filled"


def _row(drawing: Drawing, y: float, row: int, pieces: Sequence[ThreadCopy], thread: int, gap: bool) -> None:
    drawing.text(LEFT - 8, y + 14, f"row {row}", anchor="end", size=11)
    if gap:
        drawing.line(LEFT - 60, y, LEFT + len(pieces) * CELL, y, "differs", 2)
    for piece in pieces:
        look = piece_look(piece, thread)
        drawing.box(
            LEFT + piece.unit * CELL, y + 1, CELL, HIGH - 2, look, piece_words(piece), size=10, hatched=look != "unit"
        )
