"""What it costs to bring one tile after the other: warp instructions and registers, by cp.async and by TMA.

A loop over tiles, as the compiler makes it. Every warp runs the loop: fetch, wait, read one word, meet. By cp.async its
length depends on n, the copies that a thread has, and on what may lie outside; not on the shape of the tile, and not on
the threads as long as they are a power of two (others: within 5 per cent, as compiled for 96, 160, 192 and 384):

    nothing outside        3 n + 12 … 15                     one copy, and two instructions for its 64-bit address
    rows, decided before   the same up to 6 copies, then 6 n - 6: of seven predicates the loop needs one; others spill
    any byte               13 n + 17 … 23                    also compare, select a size, select an address, shift it

By TMA it depends on nothing. Source: the SASS of measure_loop_cp_async.cu and measure_loop_tma.cu for sm_90a by
NVRTC 13.5 (measure_loops.jsonl); the laws were read from n = 1 … 8, 10, 12, 14, 16 and hold for 9, 11, 13 and 15.
"""

from typing import NamedTuple

from course_lib.model.call.sizes import ceil_div
from course_lib.model.cost.occupancy import occupancy
from course_lib.model.cost.thread_copy import most_copies
from course_lib.model.facts.limits import INNER_UNIT_BYTES, THREAD_REGISTERS_MAX, WARP_LANES

EDGES = {"none": "nothing", "rows": "rows", "any": "rows, columns"}  # what may lie outside of the tensor
N_STEP, N_MAX = 8, 256  # widths of a tensor core's tile: PTX ISA, wgmma
EACH_MAX = 16  # copies of a thread, as far as kernels were compiled
LOOP_ALONE = 8  # no copy: commit, wait, two barriers, add, count, compare, branch
TMA_LOOP, TMA_OF_ONE_WARP, TMA_REGISTERS = 33, 14, 10
REGISTERS = {  # of a thread, as compiled for n = 1 … 16
    "none": (16, 18, 18, 18, 20, 22, 24, 27, 28, 30, 32, 32, 32, 34, 34, 34),
    "rows": (15, 18, 17, 19, 21, 22, 27, 30, 34, 38, 42, 46, 50, 54, 58, 62),
    "any": (18, 23, 28, 31, 29, 30, 31, 31, 32, 35, 34, 35, 36, 37, 38, 39),
}


class TileCost(NamedTuple):
    """``rows`` of ``row_bytes`` (a multiple of 16) fetched by ``threads`` threads (a power of two from 32); ``edges`` of EDGES."""

    rows: int
    row_bytes: int
    threads: int
    edges: str = "none"

    @property
    def tile_bytes(self) -> int:
        """The tile."""
        return self.rows * self.row_bytes

    @property
    def thread_copies(self) -> int:
        """cp.async counted by thread."""
        return self.tile_bytes // INNER_UNIT_BYTES

    @property
    def each(self) -> int:
        """cp.async of the busiest thread."""
        return most_copies(self.rows, self.row_bytes, self.threads)

    @property
    def copy_instructions(self) -> int:
        """cp.async counted by warp, as they are issued. Where the threads do not divide the pieces some lanes are idle."""
        return ceil_div(self.thread_copies, WARP_LANES)

    @property
    def warps(self) -> int:
        """Warps of the block."""
        return self.threads // WARP_LANES

    @property
    def instructions(self) -> range:
        """What all warps issue for one tile by cp.async, from the least to the most."""
        of_a_warp = loop_instructions(self.each, self.edges)
        return range(of_a_warp.start * self.warps, (of_a_warp.stop - 1) * self.warps + 1)

    @property
    def registers(self) -> int:
        """Of a thread by cp.async."""
        return REGISTERS[self.edges][self.each - 1]

    @property
    def tma_instructions(self) -> int:
        """What all warps issue for one tile by TMA, where no wait is repeated."""
        return TMA_OF_ONE_WARP + self.warps * (TMA_LOOP - TMA_OF_ONE_WARP)


def loop_instructions(each: int, edges: str) -> range:
    """Instructions of a warp for one tile by cp.async, ``each`` copies a thread, from the least to the most.

    ValueError beyond 16 copies, KeyError for unknown edges: no kernel was compiled.
    """
    if not 1 <= each <= EACH_MAX:
        raise ValueError(f"{each} copies a thread: kernels were compiled for 1 to {EACH_MAX}")
    laws = {"none": (3, 12, 15), "any": (13, 17, 23), "rows": (3, 13, 14) if each <= 6 else (6, -6, -6)}
    slope, least, most = laws[edges]
    return range(slope * each + least, slope * each + most + 1)


def widest_tile(tile_m: int, threads: int, fetching: int, others: int) -> int:
    """Columns of the widest tile of C, a multiple of 8 up to 256, whose accumulators fit beside the other registers.

    One 32-bit register an element, shared out evenly; ``fetching`` and ``others`` are registers of a thread. 0 where
    none fits. Source: CUDA Programming Guide, registers of a thread and of an SM; PTX ISA, wgmma, steps of 8.
    """
    room = registers_of_a_thread(threads) - fetching - others
    return max((n for n in range(0, N_MAX + 1, N_STEP) if tile_m * n <= room * threads), default=0)


def registers_of_a_thread(threads: int) -> int:
    """The most registers a thread can have so that an SM holds one block."""
    return max(r for r in range(1, THREAD_REGISTERS_MAX + 1) if occupancy(threads, r).blocks)
