"""How each recording is asked again: what to do with a row, and which parts of the answer are data.

Times and races are made anew but never compared. What the measurements made (times and counters of the profiler) is
named, not asked.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from course_lib.model.facts.enums import DataType
from course_lib.recordings.files import committed, names, read_rows
from course_lib.recordings.replay.limit_rows import small_map
from course_lib.recordings.times.barriers import SEEN, script_alone
from course_lib.rows.calls import row_of, tensor_map_of_report
from course_lib.rows.row import ANSWERED, KEPT, Row, answer_names, without

HITS, REACHED = ("hits",), ("ended", "landed", "fault")
STALE = ("first", "saw", "status", "same_address", "answers", "fault")
TIMES = ("cycles_median", "cycles_min", "cycles_max", "latency_median", "latency_min", "latency_max")
BOX_ELEMENTS = 256  # a table of operands is sent in rows of so many


class Ask(NamedTuple):
    """What to do, the row to send, and what becomes of the outcome."""

    do: str
    row: Row
    read: Callable[[Row], Row] = dict


class AskPlan(NamedTuple):
    """How the rows of one recording are asked: ``data`` names the parts of the answer that must be equal; ``alone``:
    nothing else may run on the GPU meanwhile, as time is measured, or waited for. ``gaps``: a recorded row without any
    answer was never asked; what answers now is written, and contradicts nothing. ``only``: rows without this key are
    made anew and not compared.
    """

    ask: Callable[[Row], Ask | None]
    answers: tuple[str, ...]
    data: tuple[str, ...]
    alone: bool = False
    gaps: bool = False
    only: str = ""

    def compares(self, row: Row) -> bool:
        """Is there a recorded answer that another one would contradict?"""
        return self.only in ("", *row) and (not self.gaps or any(name in row for name in self.answers))


def question(row: Row, plan: AskPlan) -> Row:
    """A recorded row without its answer. ``bytes`` is the answer of an encode call, but the size of a store's box."""
    size = {"bytes": row["bytes"]} if "op" in row and "bytes" in row else {}
    return {k: v for k, v in row.items() if k not in (*plan.answers, "window_at")} | size


def of_copy(row: Row) -> Ask:
    """An encode call, a load or a store, told by the row's keys. ``bytes`` of a store is part of the question."""
    do = "store" if "op" in row else "load" if "coordinates" in row else "encode"
    asked = without(row, (*ANSWERED, *KEPT) if do != "store" else answer_names(do))
    if do == "load" and "transaction_bytes" not in asked:  # a map that the driver refused: nothing was launched
        do, asked = "encode", without(asked, ("coordinates", "im2col_offsets", "seed"))
    return Ask(do, asked)


def of_prefetch(row: Row) -> Ask:
    """A prefetch of a tile or of pixels."""
    return Ask("prefetch", without(row, (*ANSWERED, *KEPT)))


def of_stale(row: Row) -> Ask:
    """A map that outlives its memory, or calls behind a fault."""
    return Ask("freed" if "then" in row else "after_fault", without(row, STALE))


def of_bulk(row: Row) -> Ask:
    """A linear copy."""
    return Ask("bulk", without(row, (*ANSWERED, *KEPT)))


def of_barrier(row: Row) -> Ask:
    """A script for a barrier."""
    return Ask("barrier", script_alone(row))


def of_misuse(row: Row) -> Ask | None:
    """A script without a copy: the phases that ended, or the fault alone.

    None behind an init with a count of 0, which PTX doesn't define: two programs saw different phases end.
    """
    return None if row["count"] == 0 and "ended" in row else Ask("misuse", without(row, SEEN))


def of_pieces(row: Row) -> Ask:
    """Every count that a copy might hit."""
    return Ask("pieces", without(row, HITS))


def of_multicast(row: Row) -> Ask:
    """A box and the blocks of a cluster that a mask names."""
    return Ask("multicast", without(row, REACHED))


def of_banks(row: Row) -> Ask:
    """An access pattern to time."""
    return Ask("banks", without(row, TIMES))


def of_table(row: Row) -> Ask:
    """Every operand against every other, padded to whole rows of a box."""
    carrier = f"<u{DataType(row['data_type']).size_bytes}"
    operands = np.frombuffer(bytes.fromhex(row["operands"]), carrier)
    pairs, pad = operands.size**2, -(operands.size**2) % BOX_ELEMENTS
    memory, shared = np.repeat(operands, operands.size), np.tile(operands, operands.size)
    sent = {name: np.pad(array, (0, pad)).tobytes().hex() for name, array in (("memory", memory), ("shared", shared))}
    digits = 2 * pairs * operands.itemsize
    asked = {"op": row["op"], "data_type": row["data_type"], **sent}
    return Ask("operands", asked, lambda outcome: {"result": str(outcome.get("result"))[:digits]})


def of_report(row: Row) -> Ask | None:
    """A public trouble report: the CUresult of its call; None where no call can be made of it."""
    try:
        call = row_of(tensor_map_of_report(row))
    except ValueError:
        return None
    return Ask("encode", call, lambda outcome: {"driver_result": outcome["result"]})


def of_limit(row: Row) -> Ask | None:
    """A limit or a trap that was tried case by case; None where a row tells the end of a search."""
    make = LIMITS.get(row["kind"])
    return make(row) if make else None


def of_address(row: Row) -> Ask:
    """Is this address taken?"""
    return Ask("encode", row_of(small_map(global_address=row["address"])), only_result)


def of_dimension(row: Row) -> Ask:
    """Is this dimension taken?"""
    return Ask("encode", row_of(small_map(global_dim=(32, row["dim"]))), only_result)


def of_pair(row: Row) -> Ask:
    """Does the engine take this operation on this type?"""
    call = row_of(small_map(data_type=row["data_type"]))
    return Ask("store", call | {"op": row["op"], "coordinates": [0, 0], "seed": 96}, only_fault)


def of_alignment(row: Row) -> Ask:
    """Does a load to this shared address fault?"""
    place = {"coordinates": [0, 0], "seed": 96, "shared_address": row["shared_address"]}
    sizes = {"transaction_bytes": 128, "window_bytes": 8192}
    return Ask("load", row_of(small_map(swizzle=row["swizzle"])) | place | sizes, only_fault)


def only_result(outcome: Row) -> Row:
    """The CUresult alone."""
    return {"result": outcome["result"]}


def only_fault(outcome: Row) -> Row:
    """The fault, or None."""
    return {"fault": outcome.get("fault")}


LIMITS: dict[str, Callable[[Row], Ask]] = {
    "address_cap": of_address,
    "dim_cap": of_dimension,
    "reduce_pair": of_pair,
    "shared_alignment": of_alignment,
}
COPIES = ("encode", "descriptor_fields", "load", "store", "faults")
COPY = AskPlan(of_copy, ANSWERED, ANSWERED)
PLANS: dict[str, AskPlan] = {
    **{name: COPY for name in names() if name.startswith(COPIES)},
    **{name: AskPlan(of_bulk, ANSWERED, ANSWERED) for name in names() if name.startswith("bulk")},
    **{name: AskPlan(of_prefetch, ANSWERED, ANSWERED) for name in names() if name.startswith("prefetch")},
    **{name: AskPlan(of_stale, STALE, ("fault",), only="calls") for name in names() if name.startswith("stale")},
    "reduce_table.jsonl.xz": AskPlan(of_table, ("result",), ("result",)),
    "traps.jsonl.xz": AskPlan(of_limit, ("result", "fault"), ("result", "fault")),
    "reports.jsonl.xz": AskPlan(of_report, ("driver_result",), ("driver_result",), gaps=True),
    "barriers.jsonl.xz": AskPlan(of_barrier, SEEN, ("ended", "fault"), alone=True),
    "barrier_steps.jsonl.xz": AskPlan(of_barrier, SEEN, (), alone=True),
    "barrier_misuse.jsonl.xz": AskPlan(of_misuse, ("ended", "fault"), ("ended", "fault")),
    "barrier_pieces.jsonl.xz": AskPlan(of_pieces, HITS, (), alone=True),
    "multicast.jsonl.xz": AskPlan(of_multicast, REACHED, REACHED, alone=True),
    "bank_cycles.jsonl.xz": AskPlan(of_banks, TIMES, (), alone=True),
}


def names_left_out() -> list[str]:
    """The recordings that ship with the library and are not asked again."""
    return [name for name in names() if name not in PLANS]


def rows_and_questions(name: str, every: int) -> Iterator[tuple[Row, Any]]:
    """Each ``every``-th row of a recording with its question, or None where a row cannot be asked."""
    for row in list(read_rows(committed(name)))[::every]:
        yield row, PLANS[name].ask(row)
