"""The kinds of rows, as data: the key that tells a kind, what else it must hold, and what compares it."""

from collections.abc import Callable
from typing import NamedTuple

from course_lib.recordings.replay.bulk_rows import compare_bulk
from course_lib.recordings.replay.call_rows import compare_encode, compare_report
from course_lib.recordings.replay.cluster_rows import compare_multicast, compare_wgmma
from course_lib.recordings.replay.comparison import Compared, must_have
from course_lib.recordings.replay.copy_rows import compare_load, compare_prefetch, compare_store
from course_lib.recordings.replay.limit_rows import compare_limit
from course_lib.recordings.replay.table_rows import compare_table
from course_lib.rows.row import RecordingError, Row


class Kind(NamedTuple):
    """One kind of row."""

    name: str
    mark: str
    needs: tuple[str, ...]
    compare: Callable[[Row], Compared]


KINDS = (  # the first whose mark a row has
    Kind("multicast", "issues", ("api", "rank", "cluster_size", "expected_bytes", "blocks", "seed"), compare_multicast),
    Kind("wgmma", "operand", ("descriptor", "type", "major", "m", "n", "k", "swizzle", "window_base"), compare_wgmma),
    Kind("limit", "kind", (), compare_limit),
    Kind("report", "dtype", ("api", "address"), compare_report),
    Kind("bulk", "direction", ("op", "size", "source", "destination", "seed"), compare_bulk),
    Kind("table", "operands", ("op", "data_type", "result"), compare_table),
    Kind("store", "op", ("api", "rank", "result", "coordinates", "seed"), compare_store),
    Kind("prefetch", "prefetch", ("api", "rank", "result", "coordinates"), compare_prefetch),
    Kind("load", "coordinates", ("api", "rank", "result", "seed"), compare_load),
    Kind("encode", "api", ("rank", "result"), compare_encode),
)


def kind_of(row: Row) -> Kind:
    """The kind of a row that holds all that its kind needs; RecordingError otherwise."""
    kind = next((kind for kind in KINDS if kind.mark in row), None)
    if kind is None:
        raise RecordingError(f"no kind of row is known that has the keys {', '.join(row) or '(none)'}")
    must_have(row, *kind.needs)
    return kind
