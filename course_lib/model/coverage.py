"""What the model covers, in one table: who says that a copy does what the model does.

``measured`` names the recording, ``documented`` the document; ``not modelled`` raises NotMeasured or ValueError.

No lesson teaches it yet: lesson 19 will.
"""

from typing import NamedTuple


class Covered(NamedTuple):
    """One line: an instruction and mode, which types, swizzles and interleaves, and who says so."""

    instruction: str
    mode: str
    types: str
    swizzle: str
    interleave: str
    target: str
    label: str
    evidence: str


ALL_13 = "all 13 types of sm_90"
PACKED = "the three packed types"
PLAIN = "NONE, B32, B64, B128"
LOADS = "load, load_offset, load_windows"
LATER = "sm_100 and later"
PTX = "PTX ISA 9.1 section 5.5, PTX ISA 9.4 section 9.7.10.28"
DRIVER = "CUDA Driver API 13.5"

COVERAGE = (
    Covered("load", "tile", ALL_13, PLAIN, "NONE", "sm_90", "measured", LOADS),
    Covered("load", "tile", ALL_13, PLAIN, "B16, B32", "sm_90", "measured", f"{LOADS}, load_pairs"),
    Covered("load", "im2col", ALL_13, PLAIN, "NONE, B16, B32", "sm_90", "measured", f"{LOADS}, load_pairs"),
    Covered("load", "im2col of a wide map", ALL_13, PLAIN, "NONE, B16, B32", "sm_90", "measured", "load_wide"),
    Covered("load", "tile, im2col: faults 715, 716, 700", ALL_13, PLAIN, "all", "sm_90", "measured", "faults, traps"),
    Covered("load", "tile", "INT8 and fp8 as UINT8", PLAIN, "all", "sm_90", "measured", LOADS),
    Covered("store", "tile", ALL_13, PLAIN, "NONE, B16, B32", "sm_90", "measured", "store, store_more"),
    Covered("store", "im2col_no_offs", ALL_13, PLAIN, "NONE, B16, B32", "sm_90", "measured", "store_more, faults"),
    Covered("reduce", "tile", "the legal pairs", PLAIN, "NONE, B16, B32", "sm_90", "measured", "store, reduce_table"),
    Covered("reduce", "tile: pairs that trap", ALL_13, PLAIN, "NONE", "sm_90", "measured", "traps"),
    Covered("prefetch", "tile, im2col", ALL_13, PLAIN, "all", "sm_90", "measured", "faults"),
    Covered("cp.async.bulk", "every direction", "bytes", "-", "-", "sm_90", "measured", "bulk"),
    Covered("cp.reduce.async.bulk", "to global, to cluster", "its own pairs", "-", "-", "sm_90", "measured", "bulk"),
    Covered("load", "tile, im2col", ALL_13, "also B128_ATOM_32B, B128_ATOM_64B", "all", LATER, "documented", PTX),
    Covered("load", "tile", PACKED, "as listed", "NONE", LATER, "documented", f"{DRIVER}, {PTX}"),
    Covered("load", "tile::gather4", ALL_13, PLAIN, "NONE", LATER, "documented", PTX),
    Covered("store", "tile::scatter4", ALL_13, PLAIN, "NONE", LATER, "documented", PTX),
    Covered("load", "im2col::w, im2col::w::128", ALL_13, "B64, B128", "NONE", LATER, "documented", f"{DRIVER}, {PTX}"),
    Covered(
        "load", "any", ALL_13, "B128_ATOM_32B_FLIP_8B", "any", LATER, "not modelled", "which lines flip is not said"
    ),
    Covered(
        "load", "any", ALL_13, "96B (tensormap.replace)", "any", "sm_103a, sm_107a", "not modelled", "no enumerator"
    ),
    Covered("store", "tile", PACKED, "any", "any", LATER, "not modelled", "the documents leave the gaps open"),
    Covered(
        "encode", "the 128 bytes", "all", "all", "all", LATER, "not modelled", "other chips lay them out otherwise"
    ),
)


def coverage_table(labels: tuple[str, ...] = ("measured", "documented", "not modelled")) -> str:
    """The lines with these labels as a text table."""
    rows = [tuple(name.replace("_", " ") for name in Covered._fields)]
    rows += [tuple(line) for line in COVERAGE if line.label in labels]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
