"""What a machine answers: the same value in the same shape, whoever answered; and how two answers are compared."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib.machines.causes import spell_code

Pairs = list[tuple[str, object, object]]


class Mismatch(RuntimeError):
    """A live GPU, or the model, answered otherwise than the recording of the same call. The message says where."""


class Who(NamedTuple):
    """Who answered: ``kind`` "model", "recorded" or "live"; for hardware its device, driver, CUDA and date."""

    kind: str
    device: str = ""
    target: str = ""
    driver: str = ""
    cuda: str = ""
    date: str = ""
    note: str = ""

    def __str__(self) -> str:
        if self.kind == "model":
            return f"{self.note}: the model answers" if self.note else "the model"
        told = f"{self.kind}: {self.device} ({self.target}), driver {self.driver}, CUDA {self.cuda}, {self.date}"
        return f"{told}; {self.note}" if self.note else told


@dataclass(frozen=True)
class Encoded:
    """The answer to an encode call: its CUresult (0 or 1) and, on 0, the 128 bytes; why, where the model knows."""

    result: int
    bytes: bytes | None
    by: Who
    why: str = ""

    def __str__(self) -> str:
        told = "accepted, 128 bytes" if self.result == 0 else f"refused with {spell_code(self.result)}"
        return f"encode: {told}{': ' + self.why if self.why else ''}\n{self.by}"


@dataclass(frozen=True, eq=False)
class Moved:
    """The answer to a copy.

    ``result`` is the encode call's CUresult (0 for a copy without a tensor map), ``fault`` the launch's, or None;
    ``completed`` whether the barrier's phase ended (None: the copy has no barrier, or nobody promises it), with
    ``told_bytes`` it expected and ``awaited_bytes`` it still waits for (negative: more came than it was told; None
    where the machine can't say). ``memory`` is what the copy wrote into, as it was afterwards: shared memory for a
    load, global memory for a store; None where nothing was copied.
    """

    what: str
    result: int
    fault: int | str | None
    completed: bool | None
    told_bytes: int | None
    awaited_bytes: int | None
    memory: NDArray[np.uint8] | None
    by: Who
    why: str = ""

    @property
    def outcome(self) -> str:
        """What happened, in one sentence."""
        if self.result:
            return f"the encode call is refused with {spell_code(self.result)}"
        if self.fault is not None:
            return f"the launch ends with {spell_code(self.fault)}"
        if self.told_bytes is None:
            return "done"
        if self.completed is None:
            return f"told {self.told_bytes:,} bytes, the barrier may complete early, late or never"
        if self.completed:
            return f"the barrier completed after {self.told_bytes:,} bytes"
        return f"the barrier did not complete: told {self.told_bytes:,} bytes, {awaited_words(self.awaited_bytes)}"

    def __str__(self) -> str:
        return f"{self.what}: {self.outcome}{': ' + self.why if self.why else ''}\n{self.by}"


def awaited_words(count: int | None) -> str:
    """The barrier's count in words."""
    if count is None:
        return "and how many it still awaits is not known"
    return f"it still awaits {count:,}" if count >= 0 else f"{-count:,} more came"


class Agreement(NamedTuple):
    """Do two answers agree? True or False where a truth value is asked; prints as a sentence."""

    agrees: bool
    sentence: str

    def __bool__(self) -> bool:
        return self.agrees

    def __str__(self) -> str:
        return self.sentence


def agree(a: Encoded | Moved, b: Encoded | Moved) -> Agreement:
    """Compare two answers to the same call; the sentence tells the first difference. TypeError for different kinds.

    Who answered, and why, is not compared; neither is ``completed`` where one of the two promises nothing.
    """
    if isinstance(a, Encoded) and isinstance(b, Encoded):
        pairs: Pairs = [("CUresult", a.result, b.result)]
        return compare_answers(a, b, pairs, as_array(a.bytes), as_array(b.bytes))
    if isinstance(a, Moved) and isinstance(b, Moved) and a.what == b.what:
        pairs = [("CUresult of the encode call", a.result, b.result), ("fault", a.fault, b.fault)]
        if None not in (a.completed, b.completed):
            pairs.append(("barrier completed", a.completed, b.completed))
        return compare_answers(a, b, pairs, a.memory, b.memory)
    raise TypeError("agree compares two answers of the same kind: both encode, both load …")


def as_array(data: bytes | None) -> NDArray[np.uint8] | None:
    """Bytes as an array, to be compared."""
    return None if data is None else np.frombuffer(data, np.uint8)


def compare_answers(
    a: Encoded | Moved,
    b: Encoded | Moved,
    pairs: Pairs,
    left: NDArray[np.uint8] | None,
    right: NDArray[np.uint8] | None,
) -> Agreement:
    """The first difference: of the codes, else of the bytes."""
    for name, ours, theirs in pairs:
        if ours != theirs:
            return Agreement(False, f"{name}: {ours} ({a.by}), {theirs} ({b.by})")
    if left is None or right is None:
        one = a.by if left is not None else b.by
        return Agreement(left is right, "the same answer" if left is right else f"only one has bytes ({one})")
    where = first_byte_difference(left, right)
    return Agreement(not where, f"{where} ({a.by}; {b.by})" if where else f"all {left.size:,} bytes are equal")


def first_byte_difference(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> str:
    """Where two runs of bytes part, and in how many; empty where they don't."""
    if left.size != right.size:
        return f"{left.size:,} bytes against {right.size:,}"
    places = np.flatnonzero(left != right)
    if not places.size:
        return ""
    at = int(places[0])
    return f"{places.size:,} bytes differ, the first at {at:,}: 0x{left[at]:02x} against 0x{right[at]:02x}"
