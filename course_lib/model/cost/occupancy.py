"""How many blocks an SM of sm_90 holds at once, and what stops it from holding one more.

Source: CUDA Programming Guide, compute capabilities; agrees with the driver's answer to every launch of
measure_bandwidth.jsonl (NVIDIA H200).
"""

from typing import NamedTuple

from course_lib.model.call.arguments import must_be_in
from course_lib.model.call.sizes import ceil_div
from course_lib.model.facts.limits import (
    BLOCK_THREADS_MAX,
    REGISTER_UNIT,
    RESERVED_SHARED_BYTES,
    SHARED_MEMORY_PER_BLOCK_BYTES,
    SM_BLOCKS,
    SM_PARTITIONS,
    SM_REGISTERS,
    SM_SHARED_BYTES,
    SM_WARPS,
    THREAD_REGISTERS_MAX,
    WARP_LANES,
)


class Occupancy(NamedTuple):
    """``blocks`` that an SM holds, of ``warps_a_block`` warps each; ``allowed``: how many each resource alone allows."""

    blocks: int
    warps_a_block: int
    allowed: dict[str, int]

    @property
    def warps(self) -> int:
        """Warps that an SM holds."""
        return self.blocks * self.warps_a_block

    @property
    def share(self) -> float:
        """The warps as a part of the 64 that an SM could hold: what profilers call theoretical occupancy."""
        return self.warps / SM_WARPS

    @property
    def limited_by(self) -> tuple[str, ...]:
        """The resources that allow no more blocks than these."""
        return tuple(name for name, blocks in self.allowed.items() if blocks == self.blocks)


def occupancy(threads: int, registers: int, shared_bytes: int = 0) -> Occupancy:
    """Blocks of ``threads`` (1 to 1024) with ``registers`` a thread (1 to 255) and ``shared_bytes`` a block (0 to 227 KiB).

    ``shared_bytes`` is static and dynamic shared memory together, without the 1 KiB that the system reserves. A block
    with too many registers for any SM gives 0. ValueError for a number out of range.
    """
    must_be_in("threads", threads, 1, BLOCK_THREADS_MAX)
    must_be_in("registers", registers, 1, THREAD_REGISTERS_MAX)
    must_be_in("shared_bytes", shared_bytes, 0, SHARED_MEMORY_PER_BLOCK_BYTES)
    warps = ceil_div(threads, WARP_LANES)
    allowed = {
        "blocks": SM_BLOCKS,
        "warps": SM_WARPS // warps,
        "registers": warps_by_registers(registers) // warps,
        "shared memory": SM_SHARED_BYTES // (shared_bytes + RESERVED_SHARED_BYTES),
    }
    return Occupancy(min(allowed.values()), warps, allowed)


def warps_by_registers(registers: int) -> int:
    """Warps for which an SM has registers: each of its four parts gives whole units of 256 from a quarter of them."""
    of_a_warp = ceil_div(registers * WARP_LANES, REGISTER_UNIT) * REGISTER_UNIT
    return SM_PARTITIONS * (SM_REGISTERS // SM_PARTITIONS // of_a_warp)
