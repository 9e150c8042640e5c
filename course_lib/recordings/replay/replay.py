"""How far the model agrees with a file of recordings: every row compared, those that differ told."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from course_lib.recordings.files import read_rows
from course_lib.recordings.replay.comparison import Compared
from course_lib.recordings.replay.kinds import kind_of
from course_lib.recordings.replay.windows import Windows
from course_lib.rows.row import ANSWERED, KEPT, RecordingError, Row, without

Watch = Callable[[Iterable[Row]], Iterable[Row]]


class Difference(NamedTuple):
    """A row to which the model answers otherwise: its number, the call, and a sentence for each part that differs."""

    number: int
    kind: str
    call: str
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"row {self.number}, {self.kind}: {self.call}", *(f"    {s}" for s in self.sentences)])


@dataclass
class ReplayReport:
    """What a replay found: rows compared by kind, how many of each agree, all that differ, and what was not compared, and why."""

    name: str
    rows: Counter[str] = field(default_factory=Counter)
    agreeing: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    not_compared: Counter[str] = field(default_factory=Counter)

    def add(self, number: int, row: Row) -> None:
        """Compare one row."""
        kind = kind_of(row)
        compared = kind.compare(row)
        if not compared.recorded:
            self.not_compared[f"{kind.name}: {compared.note}"] += 1
            return
        self.rows[kind.name] += 1
        if compared.differing:
            self.differences.append(Difference(number, kind.name, call_of(row), tuple(sentences(compared))))
        else:
            self.agreeing[kind.name] += 1

    def report(self, most: int) -> str:
        """The counts, and the first ``most`` differences."""
        lines = [f"{self.name}: {kind}: {self.agreeing[kind]:,} of {n:,} rows agree" for kind, n in self.rows.items()]
        lines += [f"{self.name}: {n:,} not compared ({why})" for why, n in self.not_compared.items()]
        lines += [str(difference) for difference in self.differences[:most]]
        if len(self.differences) > most:
            lines.append(f"… and {len(self.differences) - most:,} more rows that differ")
        return "\n".join(lines) or f"{self.name}: no rows"


def replay(path: str | Path, watch: Watch = iter) -> ReplayReport:
    """Compare every row of a file with the model; ``watch`` may show how far it has come.

    RecordingError, with the number of the row, where the file or a row cannot be read.
    """
    path = Path(path)
    agreement, windows = ReplayReport(path.name), Windows(path)
    for number, row in enumerate(watch(read_rows(path)), 1):
        try:
            agreement.add(number, windows.attached(row))
        except RecordingError as error:
            raise RecordingError(f"{path.name} row {number}: {error}") from error
    if windows.without:
        agreement.not_compared[f"window bytes: no {windows.name} is beside; their digests were"] = windows.without
    return agreement


def call_of(row: Row) -> str:
    """What a row asked, without what was answered: JSON that can be asked again."""
    return json.dumps(without(row, (*ANSWERED, *KEPT, "driver_result")), separators=(",", ":"))


def sentences(compared: Compared) -> Iterator[str]:
    """Recorded and model's answer, for each part that differs."""
    for name in compared.differing:
        recorded, model = compared.recorded[name], compared.model.get(name)
        if isinstance(recorded, bytes) and isinstance(model, bytes):
            yield f"{name}: {describe_difference(recorded, model)}"
        else:
            yield f"{name}: recorded {spell(recorded)}, model {spell(model)}"
    if compared.note:
        yield compared.note


def describe_difference(recorded: bytes, model: bytes) -> str:
    """The first place where two runs of bytes part, and in how many they do."""
    if len(recorded) != len(model):
        return f"recorded {len(recorded):,} bytes, model {len(model):,}"
    places = [i for i, (ours, theirs) in enumerate(zip(recorded, model, strict=True)) if ours != theirs]
    at = places[0]
    return f"{len(places):,} bytes differ, the first at {at}: recorded 0x{recorded[at]:02x}, model 0x{model[at]:02x}"


def spell(value: Any) -> str:
    """A value for a sentence."""
    return "none" if value is None else str(value)
