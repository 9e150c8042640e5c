"""The small tiled loads that scripts for a barrier, and multicasts, copy: rows of the recordings with seed 97."""

from course_lib.rows.row import Row

SEED = 97
PITCH_ELEMENTS = 256
SETTLE_NS = 10_000  # the time that a copy gets to land before the barrier is looked at


def box_row(row_bytes: int, rows: int, swizzle: int = 0) -> Row:
    """A tiled load of ``rows`` rows of ``row_bytes``: bytes up to 256 a row, float64 beyond."""
    size, data_type = (1, 0) if row_bytes <= PITCH_ELEMENTS else (8, 8)
    shape = {"global_dim": [PITCH_ELEMENTS] * 2, "global_strides": [PITCH_ELEMENTS * size]}
    box = {"box_dim": [row_bytes // size, rows], "element_strides": [1, 1]}
    plain = {"interleave": 0, "swizzle": swizzle, "l2_promotion": 0, "oob_fill": 0, "seed": SEED}
    return {"api": "tiled", "data_type": data_type, "rank": 2, "global_address": 1 << 20, **shape, **box, **plain}
