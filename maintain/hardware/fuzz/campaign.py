"""``make fuzz N=…``: random calls and copies, answered by the model and by the GPU; the first difference, shrunk.

N encode calls, N / 4 copies (half loads, the rest stores, reductions and linear copies), and a small sample of copies
that the model expects to fault, each in a child process. The model's answers are worked out by a pool of processes,
the GPU's by this one. A difference is printed as a row that ``python -m course_lib.recordings FILE`` reads.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from random import Random
from typing import Any, NamedTuple

from course_lib.gpu.child import Child, ChildFailed
from course_lib.gpu.device import gpu_status
from course_lib.rows.row import Row
from maintain.hardware import actions
from maintain.hardware.fuzz import around, draws
from maintain.hardware.fuzz.differences import CodesAndBytes, differing_parts, expects_fault, model_answer
from maintain.hardware.fuzz.shrink import smallest

FuzzAsker = Callable[[str, Row], CodesAndBytes]
DRAWS: dict[str, draws.Draw] = {
    "encode": draws.encode_call,
    "load": draws.load,
    "store": draws.store,
    "bulk": draws.bulk,
    "far load": around.far_load,
    "far store": around.far_store,
    "trap": draws.trap,
}
BATCH = 250
CHILDREN = 8  # processes for the copies that fault
SHOWN = 2  # differences of each family that are shrunk and printed
SEEDS = (201, 202)  # of the memories: few, so that each is made once


class Batch(NamedTuple):
    """What one process of the pool works out: ``size`` draws of a family from a seed."""

    family: str
    seed: int
    size: int


class FuzzCase(NamedTuple):
    """A drawn row and the model's answer."""

    do: str
    row: Row
    model: CodesAndBytes


FuzzDifference = tuple[FuzzCase, CodesAndBytes]


@dataclass
class FuzzReport:
    """What a run found."""

    asked: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    differences: dict[str, list[FuzzDifference]] = field(default_factory=lambda: defaultdict(list))
    lost: str = ""  # why the GPU could not go on

    def add(self, family: str, case: FuzzCase, outcome: CodesAndBytes) -> None:
        """Count one case, and keep it where the two differ."""
        self.asked[family] += 1
        self.accepted[family] += outcome.get("result", 0) == 0
        if differing_parts(case.do, case.model, outcome):
            self.differences[family].append((case, outcome))

    def __str__(self) -> str:
        lines = [self.line(name) for name in self.asked]
        found = sum(map(len, self.differences.values()))
        return "\n".join([*lines, f"  {found} differences", *([self.lost] if self.lost else [])])

    def line(self, family: str) -> str:
        """The numbers of one family."""
        asked, accepted, differ = self.asked[family], self.accepted[family], len(self.differences[family])
        return f"  {family:<10}{asked:>9,} asked, {accepted:>9,} accepted, {differ} differ"


def work_out(batch: Batch) -> list[FuzzCase]:
    """The draws of a batch with the model's answers: faults in the trap family alone, and only there."""
    rng, draw = Random(f"{batch.family} {batch.seed}"), DRAWS[batch.family]
    drawn = (draw(rng, SEEDS[batch.seed % len(SEEDS)]) for _ in range(batch.size))
    cases = (FuzzCase(do, row, model_answer(do, row)) for do, row in drawn)
    if batch.family == "trap":
        return [case for case in cases if isinstance(case.model.get("fault"), int)]
    return [case for case in cases if not expects_fault(case.model)]


def batches(family: str, count: int, seed: int) -> list[Batch]:
    """``count`` draws in batches, each with a seed of its own."""
    starts = range(0, count, BATCH)
    return [Batch(family, seed + number, min(BATCH, count - start)) for number, start in enumerate(starts)]


def plan_batches(count: int, seed: int) -> list[Batch]:
    """What a run of ``count`` encode calls asks besides: a quarter as many copies near their tensors, half of them loads,
    and as many again that go around the end of all addresses.
    """
    copies = count // 4
    near = {"load": copies // 2, "store": copies // 4, "bulk": copies - copies // 2 - copies // 4}
    shares = near | {"far load": copies // 2, "far store": copies - copies // 2, "encode": count}
    return [batch for family, n in shares.items() for batch in batches(family, n, seed)]


def compare_batches(wanted: list[Batch], ask: FuzzAsker, answers: Iterable[list[FuzzCase]], report: FuzzReport) -> None:
    """Ask the GPU what the model has answered; ends where the GPU is lost to a fault that nobody expected."""
    for batch, cases in zip(wanted, answers, strict=True):
        for case in cases:
            try:
                outcome = ask(case.do, case.row)
            except RuntimeError as error:
                outcome = {"fault": getattr(error, "code", str(error))}
                report.lost = f"  the GPU was lost to {error}; what was still to come was not asked"
            report.add(batch.family, case, outcome)
            if report.lost:
                return


def sample_traps(count: int, seed: int) -> Iterator[FuzzCase]:
    """``count`` copies that the model expects to fault."""
    for number in range(10 * count):
        for case in work_out(Batch("trap", seed + number, 4)):
            if count == 0:
                return
            count -= 1
            yield case


def compare_traps(count: int, seed: int, asks: Sequence[FuzzAsker], report: FuzzReport) -> None:
    """Copies that the model expects to fault, asked of several processes at once: which CUresult comes?"""
    cases, step = list(sample_traps(count, seed)), len(asks)

    def share(first: int) -> list[CodesAndBytes]:
        return [asks[first](case.do, case.row) for case in cases[first::step]]

    with ThreadPoolExecutor(step) as pool:
        for first, outcomes in enumerate(pool.map(share, range(step))):
            for case, outcome in zip(cases[first::step], outcomes, strict=True):
                report.add("trap", case, outcome)


def shrink(case: FuzzCase, outcome: CodesAndBytes, ask: FuzzAsker) -> Row:
    """The smallest row that still differs, with the GPU's answer, as replay reads it."""

    def differs(do: str, row: Row) -> bool:
        model = model_answer(do, row)
        return model.get("fault") != "ValueError" and bool(differing_parts(do, model, ask(do, row)))

    row = smallest(case.do, case.row, differs)
    return row | ({"result": 0} if case.do != "bulk" else {}) | (outcome if row == case.row else ask(case.do, row))


def asker_of(child: Child) -> FuzzAsker:
    """Ask a child process; a failure that is no CUresult is an answer as well, for it differs from every other."""

    def ask(do: str, row: Row) -> CodesAndBytes:
        try:
            return child.ask(do, row)
        except ChildFailed as failure:
            return {"fault": str(failure)}

    return ask


def asker_here() -> FuzzAsker:
    """The GPU without a child in between: fast, and lost at the first fault."""
    from course_lib.gpu.asked.table import ACTIONS
    from course_lib.gpu.context import Gpu

    gpu, table = Gpu(), ACTIONS
    return lambda do, row: table[do](gpu, row, False)


def fuzz(
    count: int,
    traps: int,
    seed: int,
    ask: FuzzAsker,
    asks: Sequence[FuzzAsker],
    workers: int,
    only: Sequence[str] = (),
) -> FuzzReport:
    """One fuzz run, of the families named in ``only`` or of all."""
    report = FuzzReport()
    wanted = [batch for batch in plan_batches(count, seed) if not only or batch.family in only]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        compare_batches(wanted, ask, pool.map(work_out, wanted, chunksize=4), report)
        pool.shutdown(cancel_futures=True)
    compare_traps(traps, seed, asks, report)
    return report


def command_line(words: list[str]) -> Any:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m maintain.hardware.fuzz", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=20_000, help="encode calls; a quarter as many copies")
    parser.add_argument("--traps", type=int, default=24, help="copies that are expected to fault")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 10**6 * 1000, help="of the draws: repeats a run")
    parser.add_argument("--workers", type=int, default=max(1, (cpu_count() or 2) - 2), help="processes for the model")
    parser.add_argument("--only", nargs="*", default=[], choices=[name for name in DRAWS if name != "trap"])
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Run, report, shrink; 1 where something differs or there is no GPU."""
    asked, status, started = command_line(words), gpu_status(), time.monotonic()
    print(status.sentence, flush=True)
    if not status.usable:
        return 1
    with ExitStack() as stack:
        asks = [asker_of(stack.enter_context(actions.child_with_actions())) for _ in range(CHILDREN)]
        report = fuzz(asked.count, asked.traps, asked.seed, asker_here(), asks, asked.workers, asked.only)
        print(f"{report}\n  seed {asked.seed}, {time.monotonic() - started:.0f} s", flush=True)
        for found in report.differences.values():
            for line in map(partial(describe_difference_of, asks[0]), found[:SHOWN]):
                print(line, flush=True)
    return 1 if any(report.differences.values()) or report.lost else 0


def describe_difference_of(ask: FuzzAsker, difference: FuzzDifference) -> str:
    """A difference as found, and as small as it gets."""
    case, outcome = difference
    parts = ", ".join(differing_parts(case.do, case.model, outcome))
    found = json.dumps(case.row | outcome, separators=(",", ":"))
    small = json.dumps(shrink(case, outcome, ask), separators=(",", ":"))
    return f"DIFFERS in {parts}; the model: {case.model}\n  found:  {found}\n  shrunk: {small}"
