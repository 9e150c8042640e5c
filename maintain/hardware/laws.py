"""What must hold of a measurement that is made again, although its times, counters and races come out otherwise.

A fact is one value of one row and must be the recorded one; a law speaks of several rows, or leaves room.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from course_lib.rows.row import Row

MeasuredRows = Sequence[Row]
PROMISED = ("fence.proxy", "fence.mbarrier_init")  # the fences that PTX asks for, but one that the reader alone calls
ROOM = 0.01  # of the bytes that counters tell


class Law(NamedTuple):
    """A sentence, and whether it holds of the rows."""

    sentence: str
    holds: Callable[[MeasuredRows], bool]


def fences_suffice(rows: MeasuredRows) -> bool:
    """No wrong word, no phase without an end."""
    fenced = [row for row in rows if row["fence"].startswith(PROMISED) and not row["fence"].endswith("reader")]
    return bool(fenced) and all(row["runs_with_wrong_words"] == row["never_ended"] == 0 for row in fenced)


def a_missing_fence_shows(rows: MeasuredRows) -> bool:
    """In most runs that keep the pipe busy close behind the stores."""
    bare = [row for row in rows if (row["fence"], row["how"]) == ("none", "busy")]
    return bool(bare) and all(2 * row["runs_with_wrong_words"] > row["runs"] for row in bare)


def the_barrier_holds(rows: MeasuredRows) -> bool:
    """No old byte behind a wait, and every wait ended."""
    waited = [row for row in rows if row["way"] != "syncthreads"]
    return bool(waited) and all((row["runs_with_old_bytes"], row["ended"]) == (0, row["runs"]) for row in waited)


def again(row: Row) -> float:
    """The part of X that DRAM read a second time."""
    part: float = (row["dram_read_bytes"] - row["y_bytes"]) / row["x_bytes"] - 1
    return part


def streams(rows: MeasuredRows, policy: str | None, at_least: int) -> list[float]:
    """What of an unmarked X was read again behind streams of so many bytes with this policy."""
    found = [row for row in rows if row.get("part") == "policy" and row["y_bytes"] >= at_least]
    return [again(row) for row in found if (row["x_policy"], row["y_policy"]) == (None, policy)]


def a_polite_stream_leaves_x(rows: MeasuredRows) -> bool:
    """With evict_first, of every size."""
    parts = streams(rows, "evict_first", 0)
    return bool(parts) and max(parts) < 0.02


def a_stream_pushes_x_out(rows: MeasuredRows) -> bool:
    """With no policy, from 64 MiB on."""
    parts = streams(rows, None, 64 << 20)
    return bool(parts) and min(parts) > 0.98


def by_shape(rows: MeasuredRows) -> dict[tuple[int, int, str], list[Row]]:
    """Stores and additions of one shape, through all promotions."""
    found: dict[tuple[int, int, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["row_bytes"], row["pitch_bytes"], row["op"]), []).append(row)
    return found


def traffic(row: Row) -> tuple[float, float]:
    """DRAM bytes, read and written, and the sectors that SMs sent to L2."""
    return row["dram_read_bytes"] + row["dram_write_bytes"], row["l2_sectors_from_sms"]


def promotion_is_nothing_to_writes(rows: MeasuredRows) -> bool:
    """The largest amount of each shape is within a hundredth of the smallest."""
    amounts = [column for shape in by_shape(rows).values() for column in zip(*map(traffic, shape), strict=True)]
    return bool(amounts) and all(max(column) <= (1 + ROOM) * min(column) for column in amounts)


def only_additions_read(rows: MeasuredRows) -> bool:
    """A store reads less than a hundredth of its bytes, an addition all of them."""
    parts = [(row["op"], row["dram_read_bytes"] / (row["rows"] * row["row_bytes"])) for row in rows]
    return bool(parts) and all(part < ROOM if op == "store" else part > 1 - ROOM for op, part in parts)


FENCED = Law("with the fence that PTX asks for no run has a wrong word", fences_suffice)
KEPT = (
    Law("a stream marked evict_first leaves X in L2", a_polite_stream_leaves_x),
    Law("64 MiB without a policy push X out", a_stream_pushes_x_out),
)
LAWS = {
    "order": (Law("behind a wait that passed nobody sees an old byte", the_barrier_holds),),
    "fences": (FENCED,),
    "fences_close": (FENCED, Law("close to the copy most runs without a fence are wrong", a_missing_fence_shows)),
    "hints_counters": KEPT,
    "hints_tensor_counters": KEPT,
    "stores_counters": (
        Law("promotion changes no write's traffic by more than 1 %", promotion_is_nothing_to_writes),
        Law("a store reads nothing from DRAM, an addition what it adds to", only_additions_read),
    ),
}


def broken_laws(name: str, rows: MeasuredRows) -> Iterator[str]:
    """The sentences that do not hold of a measurement's rows, without those that tell who measured."""
    for law in LAWS.get(name, ()):
        if not law.holds(rows):
            yield law.sentence
