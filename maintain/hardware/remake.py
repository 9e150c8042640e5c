"""``make record``: ask every recording again on this GPU, write what it answers, and print what differs.

The files go to a folder named by device and driver, each row as it was asked, with this machine's answer. Answers that
differ are an error where the architecture is the recordings' own; another one's are listed. Times and races are made
anew and never compared. Rows that fault cost a process each, so several processes ask.
"""

import argparse
import json
import lzma
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from course_lib.gpu.child import Child, ChildFailed
from course_lib.gpu.device import device_provenance, gpu_status
from course_lib.recordings.files import DATA
from course_lib.recordings.sessions import provenance as recorded_provenance
from course_lib.rows.row import Row
from maintain.hardware import actions, ask_plans

CHILDREN = 8
OUTSIDE = Path("work") / "recordings"  # ignored by git: the same device and driver again
SHOWN = 5  # differences printed for each file


class Remake(NamedTuple):
    """One recording, asked again."""

    name: str
    rows: list[Row]
    differences: list[tuple[Row, Row]]
    skipped: int
    seconds: float

    def __str__(self) -> str:
        what = f"{len(self.differences)} differ" if ask_plans.PLANS[self.name].data else "times or races: not compared"
        skipped = f", {self.skipped} cannot be asked" if self.skipped else ""
        return f"{self.name:<28}{len(self.rows):>7,} rows, {what}{skipped}, {self.seconds:.1f} s"


def answer_all(asked: list[ask_plans.Ask], children: Sequence[Child]) -> list[Row]:
    """The outcome of every question, in order, worked on by all the child processes at once."""
    step = len(children)

    def share(first: int) -> list[Row]:
        return [answer_one(children[first], ask) for ask in asked[first::step]]

    with ThreadPoolExecutor(step) as pool:
        shares = list(pool.map(share, range(step)))
    return [shares[i % step][i // step] for i in range(len(asked))]


def answer_one(child: Child, ask: ask_plans.Ask) -> Row:
    """One outcome; a failure that is no CUresult is an outcome too, and differs from every recorded one."""
    try:
        outcome = child.ask(ask.do, ask.row)
    except ChildFailed as failure:
        return {"fault": str(failure)}
    accepted = {"result": 0} if "fault" in outcome and ask.do in ("load", "store", "prefetch") else {}
    return ask.read(accepted | outcome)


def remake(name: str, children: Sequence[Child], every: int = 1) -> Remake:
    """Ask a recording again: each ``every``-th row; what is timed or waits for a time, by one process alone."""
    started, plan = time.monotonic(), ask_plans.PLANS[name]
    pairs = list(ask_plans.rows_and_questions(name, every))
    asked = [(row, ask) for row, ask in pairs if ask is not None]
    outcomes = answer_all([ask for _, ask in asked], children[:1] if plan.alone else children)
    new, differences = [], []
    for (row, _), outcome in zip(asked, outcomes, strict=True):
        new.append(ask_plans.question(row, plan) | {k: v for k, v in outcome.items() if k in plan.answers})
        if plan.compares(row) and any(row.get(k) != new[-1].get(k) for k in plan.data):
            differences.append((row, new[-1]))
    return Remake(name, new, differences, len(pairs) - len(asked), time.monotonic() - started)


def write_recording(made: Remake, folder: Path) -> None:
    """Write the rows as a recording."""
    lines = (json.dumps(row, separators=(",", ":")) + "\n" for row in made.rows)
    (folder / made.name).write_bytes(lzma.compress("".join(lines).encode(), preset=1))


def place_of(who: dict[str, str]) -> Path:
    """Beside the committed recordings for another device or driver; outside the library for the same one."""
    folder = f"{who['device']} {who['driver']}".lower().replace(" ", "_")
    known = recorded_provenance()
    same = (known.device, known.driver) == (who["device"], who["driver"])
    return (OUTSIDE if same else Path(str(DATA))) / folder


def lines_of_remake(made: Remake) -> Iterator[str]:
    """A line for the file, and the first rows that differ: what was asked, then only the parts that part."""
    yield str(made)
    data = ask_plans.PLANS[made.name].data
    for row, new in made.differences[:SHOWN]:
        parts = {k: (row.get(k), new.get(k)) for k in data if row.get(k) != new.get(k)}
        asked = ask_plans.question(row, ask_plans.PLANS[made.name])
        yield f"- {json.dumps(asked, separators=(',', ':'))}"
        yield from (f"    {name}: recorded {a}, now {b}" for name, (a, b) in parts.items())


def command_line(words: list[str]) -> Any:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m maintain.hardware.remake", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FILE", help="recordings by name; all where none is given")
    parser.add_argument("--folder", type=Path, help="where the files go; by device and driver where not given")
    parser.add_argument("--every", type=int, default=1, help="only each N-th row")
    parser.add_argument("--children", type=int, default=CHILDREN, help="processes that ask")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Ask, write, compare; 1 where data differs or there is no GPU."""
    asked, status, started = command_line(words), gpu_status(), time.monotonic()
    print(status.sentence, flush=True)
    if not status.usable:
        return 1
    who = device_provenance()
    folder = asked.folder or place_of(who)
    folder.mkdir(parents=True, exist_ok=True)
    names, differences = asked.names or list(ask_plans.PLANS), 0
    with ExitStack() as stack:
        children = [stack.enter_context(actions.child_with_actions()) for _ in range(asked.children)]
        for name in names:
            made = remake(name, children, asked.every)
            write_recording(made, folder)
            print(*lines_of_remake(made), sep="\n", flush=True)
            differences += len(made.differences)
    (folder / "provenance.json").write_text(json.dumps([who | {"files": names}], indent=1) + "\n", encoding="utf-8")
    print(f"not asked here: {', '.join(ask_plans.names_left_out())}")
    print("measure_* are measured again by `python -m maintain.hardware.remeasure`, which `make record` runs next")
    print(f"{differences} differences, {time.monotonic() - started:.0f} s, written to {folder}")
    return int(differences > 0 and who["target"] == recorded_provenance().target)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
