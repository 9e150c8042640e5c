"""Make recordings: ``python -m maintain.hardware.record OUTDIR --kinds load_pairs store_more …``, one file a kind.

Beside the files, provenance.json tells device, driver, CUDA and date. ``--again FILE`` asks the rows of a recording anew
and prints every difference. Every launch runs in a child process; a trap costs about a second and becomes a row.
"""

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from course_lib.gpu.child import Child
from course_lib.gpu.device import device_provenance, gpu_status
from course_lib.rows.row import ANSWERED, Row, answer_names, without
from maintain.hardware import actions, stale
from maintain.hardware.cases import banks as cases_banks
from maintain.hardware.cases import barriers as cases_barriers
from maintain.hardware.cases import bulk as cases_bulk
from maintain.hardware.cases import drawn as cases
from maintain.hardware.cases import encode as cases_encode
from maintain.hardware.cases import far as cases_far
from maintain.hardware.cases import faults as cases_faults
from maintain.hardware.cases import misuse as cases_misuse
from maintain.hardware.cases import stores as cases_stores
from maintain.hardware.cases import swizzle as cases_swizzle
from maintain.hardware.cases.multicast import multicast_rows
from maintain.hardware.cases.views import view_loads

RecordJob = tuple[str, Row, bool]  # what to do, the row, keep the bytes?
KEPT_EACH = 10  # windows kept whole, for each mode of each undocumented pair
NO_MAP = ("bulk", "misuse", "multicast", "freed", "after_fault")  # rows that do not tell of an encode call


def jobs_of(do: str, rows: Iterable[Row]) -> Iterator[RecordJob]:
    """Jobs that keep no bytes."""
    return ((do, row, False) for row in rows)


def jobs_of_sorts(jobs: Iterable[tuple[str, Row]]) -> Iterator[RecordJob]:
    """Jobs of different sorts that keep no bytes."""
    return ((do, row, False) for do, row in jobs)


def unique(rows: Iterable[Row]) -> list[Row]:
    """Each row once, in order."""
    return list({json.dumps(row, sort_keys=True): row for row in rows}.values())


def jobs_of_pairs(kept: bool) -> Iterator[RecordJob]:
    """Loads through every interleave and swizzle pair; ``kept``: a few of the undocumented pairs, with their windows."""
    for draw, count in ((cases.tiled_map, 65), (cases.im2col_map, 52)):
        for pair in cases.PAIRS:
            if kept and pair in cases.DOCUMENTED_PAIRS:
                continue
            rows = cases.loads(90 if kept else 91, draw, pair, KEPT_EACH if kept else count)
            yield from (("load", row, kept) for row in rows)


def wide_loads() -> Iterator[Row]:
    """Loads through maps of the wide call, by an ordinary im2col copy."""
    for pair in cases.DOCUMENTED_PAIRS:
        yield from cases.loads(92, cases.wide_map, pair, 52 if pair[0] == 0 else 13)


KINDS: dict[str, tuple[str, Callable[[], Iterable[RecordJob]]]] = {
    "load_pairs": ("load_pairs.jsonl.gz", lambda: jobs_of_pairs(False)),
    "load_pairs_windows": ("load_pairs_windows.jsonl.gz", lambda: jobs_of_pairs(True)),
    "load_wide": ("load_wide.jsonl.gz", lambda: jobs_of("load", wide_loads())),
    "load_views": ("load_views.jsonl.gz", lambda: (("load", row, True) for row in view_loads())),
    "load_swizzle": ("load_swizzle.jsonl.gz", lambda: (("load", row, True) for row in cases_swizzle.swizzle_loads())),
    "store_swizzle": ("store_swizzle.jsonl.gz", lambda: jobs_of("store", cases_swizzle.swizzle_stores())),
    "load_far": ("load_far.jsonl.gz", lambda: jobs_of("load", cases_far.far_loads())),
    "faults": ("faults.jsonl", lambda: jobs_of_sorts(cases_faults.fault_jobs())),
    "faults_outside": ("faults_outside.jsonl", lambda: jobs_of_sorts(cases_faults.outside_jobs())),
    "faults_shared": ("faults_shared.jsonl", lambda: jobs_of_sorts(cases_faults.past_the_window())),
    "prefetch": ("prefetch.jsonl", lambda: jobs_of_sorts(cases_faults.prefetch_jobs())),
    "prefetch_im2col": ("prefetch_im2col.jsonl", lambda: jobs_of_sorts(cases_faults.prefetch_im2col_jobs())),
    "stale": ("stale.jsonl", lambda: jobs_of_sorts(stale.stale_jobs())),
    "store_more": ("store_more.jsonl.gz", lambda: jobs_of("store", cases_stores.stores(93, 40))),
    "reduce_floats": ("reduce_floats.jsonl.gz", lambda: jobs_of("operands", cases_stores.operand_rows(94))),
    "encode_probes": ("encode_probes.jsonl.gz", lambda: jobs_of("encode", unique(cases_encode.encode_questions()))),
    "bulk": ("bulk.jsonl.gz", lambda: jobs_of("bulk", [*cases_bulk.whole_rows(95), *cases_bulk.broken_rows(95)])),
    "barriers": ("barriers.jsonl.gz", lambda: jobs_of("barrier", cases_barriers.barrier_rows())),
    "barrier_steps": ("barrier_steps.jsonl.gz", lambda: jobs_of("barrier", cases_barriers.early_rows())),
    "barrier_misuse": ("barrier_misuse.jsonl.gz", lambda: jobs_of("misuse", cases_misuse.misuse_rows())),
    "barrier_pieces": ("barrier_pieces.jsonl.gz", lambda: jobs_of("pieces", cases_misuse.piece_rows())),
    "multicast": ("multicast.jsonl.gz", lambda: jobs_of("multicast", multicast_rows())),
    "bank_cycles": ("bank_cycles.jsonl.gz", lambda: jobs_of("banks", cases_banks.bank_rows())),
}


def answer_job(child: Child, job: RecordJob) -> Row:
    """The row with its outcome; a fault stands beside ``result`` 0, as the map itself was accepted."""
    do, row, keep = job
    outcome = child.ask(do, row, keep)
    return row | ({"result": 0} if "fault" in outcome and do not in NO_MAP else {}) | outcome


def open_lines(path: Path) -> Any:
    """A text file to write, packed where its name says so."""
    return gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz" else path.open("w", encoding="utf-8")


def record(kind: str, folder: Path, every: int = 1) -> Row:
    """Write the file of ``kind`` (each ``every``-th row); rows reach it as they come. Returns counts for a report."""
    name, jobs = KINDS[kind]
    windows = folder / name.replace(".jsonl.gz", ".bin.gz")
    started, rows, faults, kept = time.monotonic(), 0, 0, bytearray()
    with actions.child_with_actions() as child, open_lines(folder / name) as lines:
        for job in list(jobs())[::every]:
            row = answer_job(child, job)
            if "window" in row:
                row["window_at"] = len(kept)
                kept += bytes.fromhex(row.pop("window"))
            lines.write(json.dumps(row, separators=(",", ":")) + "\n")
            lines.flush() if rows % 100 == 0 else None
            rows, faults = rows + 1, faults + ("fault" in row)
    if kept:
        windows.write_bytes(gzip.compress(bytes(kept)))
    return {"kind": kind, "rows": rows, "faults": faults, "seconds": round(time.monotonic() - started, 1)}


def question_alone(do: str, row: Row) -> Row:
    """A recorded row without its outcome. ``bytes`` is the outcome of an encode call, but the size of a store's box."""
    return without(row, answer_names(do))


def ask_again(path: Path, every: int = 1) -> Iterator[tuple[Row, Row]]:
    """(recorded, answered now) for each ``every``-th row of a load, store or encode recording that differs."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    do = next(name for name in ("load", "store", "encode") if path.name.startswith(name))
    with actions.child_with_actions() as child:
        for line in text.splitlines()[::every]:
            recorded = json.loads(line)
            now = answer_job(child, (do, question_alone(do, recorded), False))
            if any(now.get(k) != recorded.get(k) for k in ANSWERED):
                yield recorded, now


def command_line(words: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m maintain.hardware.record", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=[], help="what to record")
    parser.add_argument("--again", nargs="*", type=Path, default=[], help="recordings to ask anew")
    parser.add_argument("--every", type=int, default=1, help="only each N-th row")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Record and compare; 1 where there is no GPU or a recording differs."""
    asked, status = command_line(words), gpu_status()
    print(status.sentence, flush=True)
    if not status.usable:
        return 1
    asked.folder.mkdir(parents=True, exist_ok=True)
    (asked.folder / "provenance.json").write_text(json.dumps(device_provenance()) + "\n", encoding="utf-8")
    for kind in asked.kinds:
        print(json.dumps(record(kind, asked.folder, asked.every)), flush=True)
    differing = 0
    for path in asked.again:
        for recorded, now in ask_again(path, asked.every):
            differing += 1
            print("DIFFERS", json.dumps(recorded), json.dumps(now), flush=True)
        print(f"{path.name}: asked again, {differing} differences so far", flush=True)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
