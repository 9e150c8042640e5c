"""The claims table, followed: each row to the section that shows it, to the recording or document it rests on."""

import json
import re
import sys
from functools import lru_cache
from typing import NamedTuple

from maintain.lessons import Section, sections
from maintain.reading import DATA, read_by_section
from maintain.tables import CLAIMS, Link, is_broken, links, numbers, table_rows

LABELS = ("measured", "documented", "model", "seen")
NOTHING = "—"


class Claim(NamedTuple):
    """A row of the table, cell by cell."""

    holds: str
    taught: str
    label: str
    shown_in: str
    rests_on: str

    @property
    def link(self) -> Link:
        """Where the claim is shown."""
        (link,) = links(self.shown_in, CLAIMS.parent)
        return link

    @property
    def section(self) -> Section:
        """What stands there."""
        return sections(self.link.path)[self.link.anchor]


def claims(text: str | None = None) -> list[Claim]:
    """All rows of the committed table, or of another."""
    found = table_rows(CLAIMS.read_text(encoding="utf-8") if text is None else text)
    return [Claim(*row) for row in found if len(row) == len(Claim._fields)]


def faults(claim: Claim) -> list[str]:
    """What does not hold of a row; empty where all of it does."""
    if claim.label not in LABELS:
        return [f"{claim.label!r} is no label"]
    if is_broken(claim.link) or not claim.link.anchor:
        return [f"no such lesson or heading: {claim.shown_in}"]
    basis = _document_faults(claim) if claim.label == "documented" else _recording_faults(claim)
    return [*_label_faults(claim), *_number_faults(claim), *basis]


def _label_faults(claim: Claim) -> list[str]:
    bold = re.search(rf"\*\*{claim.label}\*\*", claim.section.prose, re.I)
    return [] if bold else [f"the section does not say **{claim.label}**"]


def _number_faults(claim: Claim) -> list[str]:
    return [f"the section shows no {n}" for n in sorted(numbers(claim.holds) - numbers(claim.section.shown))]


def _document_faults(claim: Claim) -> list[str]:
    if claim.rests_on == NOTHING:
        return ["a documented claim names its document"]
    prose = " ".join(claim.section.prose.split())
    return [] if claim.rests_on in prose else [f"the section does not name {claim.rests_on}"]


def _recording_faults(claim: Claim) -> list[str]:
    """A model claim may rest on no recording; the others name one at least."""
    named = set(claim.rests_on.split(", ")) - {NOTHING}
    if claim.label != "model" and not named:
        return [f"a {claim.label} claim names its recording"]
    read = read_by_section(claim.link.path)[claim.link.anchor]
    unread = [f"the section does not read {name}" for name in sorted(named & files_with_provenance() - read)]
    return [f"no recording, or no provenance: {name}" for name in sorted(named - files_with_provenance())] + unread


@lru_cache(1)
def files_with_provenance() -> frozenset[str]:
    """The recordings that are there and have their provenance."""
    told = json.loads((DATA / "provenance.json").read_text(encoding="utf-8"))
    return frozenset(name for session in told for name in session["files"] if (DATA / name).exists())


def main() -> int:
    """Print what does not hold, row by row."""
    wrong = [(claim, found) for claim in claims() if (found := faults(claim))]
    for claim, found in wrong:
        print(f"{claim.shown_in}: {claim.holds}", *(f"  - {fault}" for fault in found), sep="\n")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
