"""What went wrong with sectors, bytes, hints and second reads, where a wrong answer tells it: one sentence each."""

from math import isclose

from course_lib.checks.lesson_11.questions import RowsQuestion
from course_lib.model.call.sizes import ceil_div
from course_lib.model.cost.traffic import HINTED_LINE_BYTES, READ_AROUND_BYTES, starts_traffic
from course_lib.model.facts.limits import DRAM_ATOM_BYTES, L2_LINE_BYTES, SECTOR_BYTES
from course_lib.recordings.times.l2 import SecondRead


def sectors_slip(got: int, start: int, row_bytes: int) -> str:
    """What a wrong number of sectors looks like."""
    if got == ceil_div(row_bytes, SECTOR_BYTES):
        return "Yours counts how many sectors its bytes would fill; where it begins counts too."
    first, end = start // SECTOR_BYTES, (start + row_bytes) // SECTOR_BYTES
    if got == end - first + 1:
        return "The last byte of the row is start + row_bytes - 1; the sector after it is not touched."
    return "Count from the sector of the first byte to that of the last, both included."


def traffic_slip(got: int, asked: RowsQuestion) -> str:
    """What a wrong number of DRAM bytes looks like."""
    each = sum(starts_traffic([s], asked.row_bytes, asked.promotion).dram_bytes for s in asked.starts)
    around = READ_AROUND_BYTES[asked.promotion]
    if got == each:
        return "Rows that share an atom or a line have it read once."
    if got == len({start // around for start in asked.starts}) * around:
        return "A row may cross into a second atom or line; yours counts the one in which it begins."
    if got == asked.traffic.requested_sectors * SECTOR_BYTES:
        return "That is what L2 is asked for; DRAM reads whole atoms or lines around it."
    if asked.promotion < 2 and got == starts_traffic(asked.starts, asked.row_bytes, 2).dram_bytes:
        return f"NONE and 64B read atoms of {DRAM_ATOM_BYTES} bytes, not lines."
    return f"NONE and 64B read atoms of {DRAM_ATOM_BYTES} bytes, 128B lines of {L2_LINE_BYTES}, each once."


def hints_slip(got: int, asked: RowsQuestion) -> str:
    """What a wrong number of bytes with 256B looks like."""
    found = asked.traffic
    if got == found.demanded_bytes:
        return (
            "That is without the hints: line 1 of a block comes too, if a row touches its sector 0, be it with its end."
        )
    if got == found.demanded_bytes + found.hinted_lines * L2_LINE_BYTES:
        return f"A hint is followed 15 times of 16: count {HINTED_LINE_BYTES} bytes for it."
    if got == found.demanded_bytes + found.hints * HINTED_LINE_BYTES:
        return "A hint for a line that is read anyway, or hinted at already, adds nothing."
    return "A hint comes only from sector 0 of a block, which may be where a row goes on, and each line counts once."


def second_slip(what: str, mine: float, its: float, read: SecondRead) -> str:
    """What a wrong part or rate looks like."""
    if what == "rate":
        return "A byte a nanosecond is 1 GB/s, and the second read brings all of X."
    if isclose(mine, 1 - its, rel_tol=1e-3, abs_tol=2e-3):
        return "That is the part that was read again."
    if isclose(mine, 100 * its, rel_tol=1e-3):
        return "That is per cent; a part is 0 to 1."
    if mine < 0:
        return "DRAM may read a little more than X again; then nothing was kept: 0."
    return "DRAM reads X once and Y once at least; only what is beyond that was read again."
