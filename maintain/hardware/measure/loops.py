"""A loop over tiles, by cp.async and by TMA: what each warp issues for one tile, and registers. Needs no GPU."""

import re
from collections.abc import Iterator
from itertools import product

from course_lib.gpu import compile, sass
from course_lib.gpu.compile import Macros
from course_lib.rows.row import Row

TARGET = "sm_90a"
EDGES = ("none", "rows", "any")  # GUARD of measure_loop_cp_async, by its number
ISSUERS = ("threadIdx.x == 0", "elect.sync", "every lane")  # ISSUER of measure_loop_tma, by its number
EACH = range(1, 17)  # copies of a thread
SHAPES = ((8, 256), (8, 512), (4, 128), (2, 64))  # other units a row and threads, where the count must be the same
STATIC_SHARED_BYTES, BOX_ROWS_MAX = 48 * 1024, 256
LABEL = re.compile(r"^\s*(\.L_x_\d+):")
BRANCH = re.compile(r"\bBRA(?:\.[A-Z.]+)? `\((\.L_x_\d+)\)")


def loop_macros() -> Iterator[Macros]:
    """Every number of copies with 128 threads and rows of 128 bytes, then some with other threads and rows."""
    shapes = [(8, 128, each) for each in EACH] + [(*shape, each) for shape, each in product(SHAPES, (1, 3, 4, 7, 9))]
    for guard, (units, threads, each) in product(range(len(EDGES)), shapes):
        rows = each * threads // units
        if rows * units * 16 <= STATIC_SHARED_BYTES and rows <= BOX_ROWS_MAX:
            yield {"ROWS": rows, "UNITS": units, "THREADS": threads, "GUARD": guard}


def place_labels(text: str) -> tuple[list[str], dict[str, int]]:
    """The instructions in order, and the number of the one behind each label."""
    lines: list[str] = []
    labels: dict[str, int] = {}
    for line in text.splitlines():
        if label := LABEL.match(line):
            labels[label[1]] = len(lines)
        elif sass.INSTRUCTION.search(line):
            lines.append(" ".join(line.split("*/")[1].split(";")[0].split()))
    return lines, labels


def targets(lines: list[str], labels: dict[str, int]) -> list[tuple[int, int]]:
    """(the number of a branch, of the instruction that it may go to), in order."""
    found = ((number, BRANCH.search(line)) for number, line in enumerate(lines))
    return [(number, labels[branch[1]]) for number, branch in found if branch]


def longest_loop(text: str) -> tuple[list[str], list[str]]:
    """(the instructions of the longest loop; those of them that one warp alone issues, the others branching past them)."""
    lines, labels = place_labels(text)
    branches = targets(lines, labels)
    end, begin = max(((at, to) for at, to in branches if to < at), key=lambda branch: branch[0] - branch[1])
    past = next(((at, to) for at, to in branches if begin <= at < to <= end), (begin, begin))
    return lines[begin : end + 1], lines[past[0] + 1 : past[1]]


def compile_loop(kernel: str, macros: Macros) -> tuple[list[str], list[str], Row]:
    """The loop of a kernel, the part of one warp, and a row with what was counted."""
    cubin = compile.cubin(kernel, TARGET, **macros)
    all_warps, one_warp = longest_loop(sass.sass(cubin))
    row: Row = {"kernel": kernel, "macros": macros, "target": TARGET, "registers": sass.registers(cubin)}
    return all_warps, one_warp, row | {"loop_instructions": len(all_warps)}


def cp_async_row(macros: Macros) -> Row:
    """A row of the loop by cp.async."""
    lines, _, row = compile_loop("measure_loop_cp_async", macros)
    copies = sum(line.lstrip("@!P0123456 ").startswith("LDGSTS") for line in lines)
    return {"part": "cp.async", "edges": EDGES[int(macros["GUARD"])], "copies_each": copies} | row


def tma_row(rows: int, issuer: int) -> Row:
    """A row of the loop by TMA, with the instructions of the warp that issues."""
    _, issuing, row = compile_loop("measure_loop_tma", {"ROWS": rows, "ISSUER": issuer})
    own = {"of_one_warp": len(issuing), "issuing": issuing if rows == 128 else []}
    return {"part": "TMA", "issuer": ISSUERS[issuer]} | row | own


def measure(gpu: object, quick: bool) -> Iterator[Row]:
    """The loop alone, by cp.async, by TMA; the compiler that made them."""
    said = {"compiler": compile.compiler()}
    yield said | {"part": "nothing"} | compile_loop("measure_loop_cp_async", {"PIECES": 0})[2]
    for macros in list(loop_macros())[:: 9 if quick else 1]:
        yield said | cp_async_row(macros)
    for rows, issuer in product((128,) if quick else (8, 64, 128, 256), range(len(ISSUERS))):
        yield said | tma_row(rows, issuer)
