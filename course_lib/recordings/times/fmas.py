"""What fma gave for special values, bit for bit: ordinary, and .oob, which knows the fill of the edge.

Source: measure_fma (NVIDIA H200).
"""

from functools import lru_cache
from itertools import product

import numpy as np

from course_lib.recordings.files import committed, read_rows
from course_lib.rows.row import RecordingError

FMAS = "measure_fma.jsonl.xz"
Results = dict[tuple[int, int, int], int]


@lru_cache(8)
def recorded_fma(op: str) -> Results:
    """The bits of ``op`` (a, b, c) = a × b + c by the bits of the three operands. RecordingError for an unknown op.

    The ops are fma.rn and fma.rn.oob and fma.rn.oob.relu of f16x2 and bf16x2 (one half of each), and fma.rn.f32.
    """
    rows = {row["op"]: row for row in read_rows(committed(FMAS)) if "op" in row}
    if op not in rows:
        raise RecordingError(f"op={op!r}: there are {', '.join(rows)}")
    row = rows[op]
    results = np.frombuffer(bytes.fromhex(row["results"]), f"<u{row['bits'] // 8}").tolist()
    return dict(zip(product(row["values"], repeat=3), results, strict=True))
