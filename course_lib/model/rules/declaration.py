"""What a rule is: one small function and what it declares, from which the judge's order and RULES.md come.

@rule("box_dim", MEASURED, looks_at=Quantity("bytes of the box", box_bytes, is_box))
def box_fits_the_engine(m, t):                  the name is the rule's id
    \"\"\"The box … is at most 228 KiB.\"\"\"         the docstring is the sentence that a table shows
    return Finding(…) or None                   None: the call keeps the rule
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from enum import IntEnum
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from course_lib.model.call.tensor_map import Call
from course_lib.model.facts.limits import Target
from course_lib.model.rules.quantities import Quantity, of_argument

DRIVER = "documented: CUDA Driver API 13.5, cuTensorMapEncode*; measured: encode.jsonl"
MEASURED = "measured: encode.jsonl; no document states it"
NEWER = "documented: PTX ISA 9.0, tensormap.replace, and CUDA Driver API 13.5; measured: encode.jsonl"

Asked = TypeVar("Asked", bound=Call)


class Finding(NamedTuple):
    """What a rule says of one call that breaks it, before it is put in words."""

    value: Any  # what the call has
    limit: Any  # what the rule allows
    sentence: str  # the rule, in one sentence
    offenders: tuple[tuple[int, int], ...] = ()  # (index, entry) where the field is a sequence
    source: str = ""  # where it differs from the rule's own


Find = Callable[[Asked, Target], Finding | None]


@dataclass(frozen=True)
class Rule:
    """One rule: one small function, one argument (``field``), one sentence (``text``)."""

    id: str
    field: str
    source: str
    find: Callable[..., Finding | None]
    mend: tuple[str, ...]  # the arguments that may mend it, the likeliest first
    text: str
    looks_at: Quantity | None = None  # the number that lies on one side of its threshold, where it is one

    def applies_to(self, kind: type[Call]) -> bool:
        """Has this kind of call the argument that the rule is about?"""
        return any(field.name == self.field for field in fields(kind))


def rule(
    field: str, source: str = DRIVER, mend: tuple[str, ...] = (), looks_at: Quantity | None = None
) -> Callable[[Find[Asked]], Rule]:
    """Make a Rule of a function; it is asked of every call that has the argument ``field``.

    ``mend`` names the arguments that may mend it, its own ``field`` where empty.
    """

    def make(find: Find[Asked]) -> Rule:
        name = find.__name__.replace("_", "-")
        return Rule(name, field, source, find, mend or (field,), find.__doc__ or "", looks_at)

    return make


def known(field: str, enumeration: type[IntEnum], looks_at: Quantity | None = None) -> Rule:
    """The argument must be a number of the driver's enumeration."""
    limit = tuple(int(member) for member in enumeration)
    sentence = f"the driver's {enumeration.__name__} has only the numbers {limit[0]} to {limit[-1]}"

    def find(m: Call, t: Target) -> Finding | None:
        value = getattr(m, field)
        return None if value in limit else Finding(value, limit, sentence)

    name = f"{field.replace('_', '-')}-is-known"
    return Rule(name, field, DRIVER, find, (field,), f"T{sentence[1:]}.", looks_at or of_argument(field))


def declared_in(*modules: ModuleType) -> tuple[Rule, ...]:
    """The rules of some modules in the order in which they stand there."""
    return tuple(value for module in modules for value in vars(module).values() if isinstance(value, Rule))


def entries(
    values: Iterable[int], fine: Callable[[int], bool], limit: Any, sentence: str, source: str = ""
) -> Finding | None:
    """A Finding with the entries that are not ``fine``."""
    bad = tuple((i, v) for i, v in enumerate(values) if not fine(v))
    return Finding(None, limit, sentence, bad, source) if bad else None


def power(limit: int) -> str:
    """A limit that is a power of two, as a person reads it."""
    return f"2**{limit.bit_length() - 1}"
