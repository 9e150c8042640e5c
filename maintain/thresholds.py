"""python -m maintain.thresholds [FILE…]: on which rows each rule of an encode call rests.

For each rule: how many recorded calls it alone refuses, and the values nearest to its threshold that the driver took
and refused. A gap between the two is open: no row tells where in it the threshold lies. Without FILE: the recordings
that ship with the library, written as Markdown (RULES.md).
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from course_lib.model.call.tensor_map import Call
from course_lib.model.rules.judge import RULES
from course_lib.model.rules.quantities import Quantity
from course_lib.recordings.files import read_rows
from course_lib.recordings.sessions import encode_rows
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import RecordingError, Row

QUANTITIES = {rule.id: rule.looks_at for rules in RULES.values() for rule in rules if rule.looks_at}
HEAD = """\
# The rules of an encode call, and the recorded rows that they rest on

Derived by `python -m maintain.thresholds > course_lib/recordings/RULES.md`: do not edit.

*Alone* counts the recorded calls that this rule alone refuses. *Taken* are the least and the greatest value that the
driver accepted; *refused* are the values nearest to them among the rows that the rule alone refuses. Where a value
between taken and refused was possible and no row has it, the gap is *open*.

| rule | looks at | alone | refused below | taken | refused above | open |
| --- | --- | ---: | ---: | ---: | ---: | --- |
"""
NEAR = 64
LARGE_BITS = 13


@dataclass
class Sides:
    """What rows say about one quantity in one case."""

    taken: set[int] = field(default_factory=set)
    refused: list[set[int]] = field(default_factory=list)  # the numbers of each row that the rule alone refuses

    @property
    def nearest(self) -> tuple[int | None, int | None]:
        """The refused values nearest to what was taken, below and above."""
        if not self.taken:
            return None, None
        low, high = min(self.taken), max(self.taken)
        numbers = set(chain.from_iterable(self.refused))
        return max((n for n in numbers if n < low), default=None), min((n for n in numbers if n > high), default=None)

    @property
    def unexplained(self) -> int:
        """Rows that are refused although all their numbers lie among those taken."""
        return sum(all(self.taken and min(self.taken) <= n <= max(self.taken) for n in row) for row in self.refused)


Table = dict[str, dict[str, Sides]]


def make_table(rows: Iterable[Row]) -> Table:
    """By rule and case, what the rows say."""
    table: Table = {rule: {} for rule in QUANTITIES}
    for row in rows:
        tensor_map = tensor_map_of(row)
        if row["result"] == 0:
            for rule in RULES[tensor_map.api]:
                add_call(table, rule.id, tensor_map, taken=True)
        elif len(broken := tensor_map.check().broken) == 1:
            add_call(table, broken[0].id, tensor_map, taken=False)
    return table


def add_call(table: Table, rule: str, tensor_map: Call, taken: bool) -> None:
    """Add what one call says about one rule."""
    if rule not in QUANTITIES:
        return
    by_case: dict[str, set[int]] = {}
    for case, number in QUANTITIES[rule].numbers(tensor_map):
        by_case.setdefault(case, set()).add(number)
    for case, numbers in by_case.items():
        sides = table[rule].setdefault(case, Sides())
        if taken:
            sides.taken |= numbers
        else:
            sides.refused.append(numbers)


def markdown(table: Table) -> str:
    """The table as text."""
    return (
        HEAD + "\n".join(chain.from_iterable(rule_lines(rule, cases) for rule, cases in sorted(table.items()))) + "\n"
    )


def rule_lines(rule: str, cases: dict[str, Sides]) -> Iterator[str]:
    """The lines of one rule, one a case."""
    quantity = QUANTITIES[rule]
    for case, sides in sorted(cases.items()) or [("", Sides())]:
        below, above = sides.nearest
        least, most = (min(sides.taken), max(sides.taken)) if sides.taken else (None, None)
        taken = spell_number(least) if least == most else f"{spell_number(least)} to {spell_number(most)}"
        words = f"{quantity.words}; {case}" if case else quantity.words
        open_gaps = ", ".join(gaps(quantity, ((below, least), (most, above))))
        if sides.unexplained:
            open_gaps = f"{sides.unexplained} refused among the taken"
        cells = (rule, words, len(sides.refused), spell_number(below), taken, spell_number(above), open_gaps)
        yield f"| {' | '.join(map(str, cells))} |"


def gaps(quantity: Quantity, pairs: Iterable[tuple[int | None, int | None]]) -> Iterator[str]:
    """The gaps that no row closes."""
    for low, high in pairs:
        if low is not None and high is not None and quantity.leaves_open(low, high):
            yield f"{spell_number(low)} to {spell_number(high)}"


def spell_number(number: int | None) -> str:
    """A number as a person reads it: as a power of two where it lies near a large one."""
    if number is None:
        return ""
    size = abs(number)
    for bits in (size.bit_length() - 1, size.bit_length()):
        if bits >= LARGE_BITS and abs(rest := size - 2**bits) <= NEAR:
            sign = "-" if number < 0 else ""
            return (
                f"{sign}(2**{bits}{rest:+d})" if rest and sign else f"{sign}2**{bits}" + (f"{rest:+d}" if rest else "")
            )
    return str(number)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 2 where a file cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m maintain.thresholds", description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="encode rows: JSON lines, plain, .gz or .xz")
    asked = parser.parse_args(arguments)
    rows = chain.from_iterable(map(read_rows, asked.files)) if asked.files else encode_rows()
    try:
        print(markdown(make_table(rows)), end="")
    except RecordingError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
