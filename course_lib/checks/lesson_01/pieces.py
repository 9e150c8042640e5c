"""The pieces of a thread: a learner's are read, put in order, and the first that differs is named."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from course_lib.checks.lesson_01.questions import Box
from course_lib.checks.shared.base import Wrong
from course_lib.checks.shared.learner_values import as_integer
from course_lib.model.cost.thread_copy import ThreadCopy
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES


def target_of(copy: ThreadCopy) -> int:
    """The order in which pieces are compared."""
    return copy.target


def as_pieces(got: Any, fields: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The learner's pieces, in the order of their targets; Wrong where they are none."""
    if isinstance(got, (str, bytes, dict)) or not isinstance(got, Iterable):
        raise Wrong(f"the function returned {got!r}, not a list of ({', '.join(fields)}).")
    pieces = (as_numbers(with_a_source(piece), len(fields), f"({', '.join(fields)})") for piece in got)
    return sorted(pieces, key=lambda piece: piece[-1])


def with_a_source(piece: Any) -> Any:
    """A piece of which nothing is copied may have any source, None too: 0 stands for it."""
    none_copied = isinstance(piece, (tuple, list)) and len(piece) == 3 and piece[0] is None and piece[1] == 0
    return (0, *piece[1:]) if none_copied else piece


def as_numbers(got: Any, count: int, what: str) -> tuple[int, ...]:
    """So many integers; Wrong where they are not."""
    if not isinstance(got, (tuple, list, np.ndarray)) or len(got) != count:
        raise Wrong(f"the function returned {got!r}, not {what} as a tuple.")
    return tuple(as_integer(number, "a count") for number in got)


def piece_of(copy: ThreadCopy, fields: tuple[str, ...]) -> tuple[int, ...]:
    """A copy as the learner gives it."""
    return tuple(getattr(copy, name) for name in fields)


def without_source(piece: tuple[int, ...]) -> tuple[int, ...]:
    """A piece; its source does not count where nothing is copied from it."""
    return (0, *piece[1:]) if len(piece) == 3 and piece[1] == 0 else piece


def piece_slip(got: list[tuple[int, ...]], own: list[ThreadCopy], fields: tuple[str, ...], box: Box) -> str:
    """The first piece that differs, and how."""
    if len(got) != len(own):
        return f"you give {len(got)} pieces; it has {len(own)}."
    pairs = ((piece, piece_of(copy, fields), copy) for piece, copy in zip(got, own, strict=True))
    ours, right, copy = next(pair for pair in pairs if without_source(pair[0]) != without_source(pair[1]))
    differing = {name: (is_, said) for name, is_, said in zip(fields, right, ours, strict=True) if is_ != said}
    name = "inside" if "inside" in differing else next(iter(differing))  # without bytes to copy a source is anything
    is_, said = differing[name]
    said_of = f"the piece in row {copy.row}, unit {copy.unit} of the box has {name} {is_}; you say {said}."
    return f"{said_of} {origin_words(name, copy, box)}".strip()


def origin_words(name: str, copy: ThreadCopy, box: Box) -> str:
    """How a source or a target comes about."""
    m, unit = box.tensor_map, copy.unit * INNER_UNIT_BYTES
    size = DataType(m.data_type).size_bytes
    if name == "source":
        at = f"Row {box.start[1] + copy.row} of the tensor, {box.start[0] * size + unit} bytes into it"
        return f"{at}; the tensor begins at {m.global_address}, and a row at each {m.global_strides[0]} bytes."
    meant = copy.row * m.box_dim[0] * size + unit
    return f"It is `place({meant})`." if name == "target" and copy.target != meant else ""
