"""A learner's value as what was asked for; Wrong, with the value and what it should be, where it is something else."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from operator import index
from typing import Any, TypeVar

from course_lib.checks.shared.base import Wrong
from course_lib.model.call.tensor_map import TiledTensorMap

T = TypeVar("T")
U = TypeVar("U")
UNORDERED = (str, bytes, dict, set, frozenset)
Errors = type[Exception] | tuple[type[Exception], ...]


@contextmanager
def must_be(got: Any, what: str, errors: Errors = (TypeError, ValueError)) -> Iterator[None]:
    """Wrong, with ``what`` a learner's value should be, where the body cannot read it as that."""
    try:
        yield
    except errors:
        raise Wrong(f"the function returned {got!r}, not {what}.") from None


def as_integer(got: Any, what: str = "") -> int:
    """A learner's integer of any kind; Wrong, with ``what`` it should be ("a rank"), where it is none."""
    with must_be(got, f"{what and f'{what} as '}an integer", TypeError):
        return index(got)


def as_integers(got: Any, what: str) -> tuple[int, ...]:
    """A learner's sequence of numbers; Wrong where it is none."""
    if not hasattr(got, "__iter__") or isinstance(got, UNORDERED):
        raise Wrong(f"{what} is {got!r}, not a sequence of integers.")
    return tuple(as_integer(value, f"{what} with each entry") for value in got)


def as_two(got: Any, what: str) -> tuple[Any, Any]:
    """The two parts of what a learner returned, in their order; Wrong, with ``what`` they should be, where there are not two."""
    try:
        parts = () if isinstance(got, UNORDERED) else tuple(got)
    except TypeError:
        parts = ()
    if len(parts) != 2:
        raise Wrong(f"the function returned {got!r}, not the pair {what}.")
    return parts[0], parts[1]


def as_pair(got: Any, what: str, first: Callable[[Any], T], second: Callable[[Any], U]) -> tuple[T, U]:
    """A learner's pair, each part as its reader has it."""
    parts = as_two(got, what)
    return first(parts[0]), second(parts[1])


def as_two_integers(got: Any, what: str, first: str, second: str) -> tuple[int, int]:
    """A learner's pair of integers; ``first`` and ``second`` say what they are."""
    return as_pair(got, what, partial(as_integer, what=first), partial(as_integer, what=second))


def as_shape(got: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A learner's dimensions and strides."""
    readers = (partial(as_integers, what=name) for name in ("global_dim", "global_strides"))
    return as_pair(got, "(global_dim, global_strides)", *readers)


def as_map(got: Any) -> TiledTensorMap:
    """A learner's tensor map; Wrong where it is none."""
    if type(got) is not TiledTensorMap:
        raise Wrong(f"the function returned something of type {type(got).__name__}, not a TiledTensorMap.")
    return got


def as_word(got: Any, words: Collection[str], otherwise: str) -> str:
    """A learner's word, one of ``words``; Wrong, with ``otherwise`` behind the value, where it is none."""
    word = as_plain(got)
    if not isinstance(word, str) or word not in words:
        raise Wrong(f"the function returned {word!r}{otherwise}")
    return word


def as_plain(got: Any) -> Any:
    """A learner's word as a plain one: a text of a kind of its own may agree with every other."""
    return str(got) if isinstance(got, str) else got


def quote_all(words: Collection[str]) -> str:
    """Words in a message: 'start', 'stride'."""
    return ", ".join(map(repr, words))


def is_truth(got: Any) -> bool:
    """Is it True or False, Python's or NumPy's?"""
    return type(got).__name__ in ("bool", "bool_")
