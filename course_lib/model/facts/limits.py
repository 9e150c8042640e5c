"""The numbers of the machine by target, each with its source.

``None`` for a limit means that no source names one: the rule that needs it is silent there.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from course_lib.model.facts.enums import DataType, Interleave, Swizzle

H200 = "measured: NVIDIA H200, driver 580.159.04"
HEADER = "documented: CUDA Driver API 13.5, tensor map management"
TYPE_OF_ARGUMENT = "documented: the C type of the argument"

# The same on every target (CUDA Driver API; confirmed on sm_90 by the recorded encode calls).
DESCRIPTOR_BYTES = 128
RANK_MAX = 5
STRIDE_LIMIT_BYTES = 2**40
STRIDE_UNIT_BYTES = 16
BOX_DIM_MAX = 256
ELEMENT_STRIDE_MAX = 8
CHANNELS_MAX = 256
PIXELS_MAX = 1024
INNER_UNIT_BYTES = 16
PACKET_BYTES: dict[int, int] = {Interleave.B16: 16, Interleave.B32: 32}  # of one channel packet
SWIZZLE_SPAN_BYTES: dict[int, int | None] = {
    Swizzle.NONE: None,
    Swizzle.B32: 32,
    Swizzle.B64: 64,
    Swizzle.B128: 128,
    Swizzle.B128_ATOM_32B: 128,
    Swizzle.B128_ATOM_32B_FLIP_8B: 128,
    Swizzle.B128_ATOM_64B: 128,
}
PACKED_BOX_ELEMENTS = 128
PACKED_DIMENSION_UNIT: dict[int, int] = {
    DataType.U4X16_ALIGN8B: 2,
    DataType.U4X16_ALIGN16B: 128,
    DataType.U6X16_ALIGN16B: 128,
}
PACKED_SWIZZLES: dict[int, tuple[Swizzle, ...]] = {
    DataType.U4X16_ALIGN16B: (Swizzle.NONE, Swizzle.B128, Swizzle.B128_ATOM_32B),
    DataType.U6X16_ALIGN16B: (Swizzle.NONE, Swizzle.B128, Swizzle.B128_ATOM_32B, Swizzle.B128_ATOM_64B),
}
CORNER_BITS = {3: 16, 4: 8, 5: 5}  # of one signed pixel-box corner, by rank
IM2COL_OFFSET_BITS = {3: 16, 4: 8, 5: 5}  # unsigned, by rank; PTX ISA 9.1 section 5.5.4
TRANSACTION_COUNT_MAX = 2**20 - 1  # PTX ISA 9.4, mbarrier tx-count
SHARED_MEMORY_PER_BLOCK_BYTES = 227 * 1024  # sm_90, CUDA C++ Programming Guide, compute capabilities
ARRIVALS_MAX = 2**20 - 1  # PTX ISA 9.4, mbarrier pending and expected arrivals (layout v0)
CLUSTER_BLOCKS_PORTABLE = 8  # CUDA C++ Programming Guide, thread block clusters
CLUSTER_BLOCKS_MAX = 16  # where a kernel sets the non-portable attribute; measured: multicast.jsonl (NVIDIA H200)
MULTICAST_MASK_BITS = 16  # PTX ISA 9.4, cp.async.bulk.tensor, .multicast::cluster
WARP_LANES = 32
# What one SM of sm_90 holds: CUDA Programming Guide, compute capabilities, and Hopper Tuning Guide, occupancy.
SM_WARPS, SM_BLOCKS, SM_REGISTERS = 64, 32, 64 * 1024
SM_PARTITIONS = 4  # each with its own scheduler and a quarter of the registers; measured: resident blocks (NVIDIA H200)
SM_SHARED_BYTES, RESERVED_SHARED_BYTES = 228 * 1024, 1024  # the second: of every block, for the system
BLOCK_THREADS_MAX, THREAD_REGISTERS_MAX = 1024, 255
REGISTER_UNIT = 256  # registers are given to a warp in these: Nsight Compute, occupancy calculator
SMS = 132  # of an H200; measured: measure_attributes.jsonl, the driver's count
BANKS = 32  # of shared memory: CUDA C++ Programming Guide, shared memory
BANK_BYTES = 4
SECTOR_BYTES = 32  # what L2 counts in: Nsight Compute, memory tables
L2_LINE_BYTES = 128  # measured: l2_offsets.csv (NVIDIA H200), the requests that L2 counts
DRAM_ATOM_BYTES = 64  # measured: l2_promotion.csv (NVIDIA H200), the least that one miss reads
ROWS_PER_NS = 42.5  # these three fitted to l2_promotion.csv (NVIDIA H200): rows and bytes of all 132 SMs together
DRAM_BYTES_PER_NS = 4575
LAUNCH_NS = 10_000


class Limit(NamedTuple):
    """A number and where it is from."""

    value: int
    source: str


@dataclass(frozen=True)
class Target:
    """What one architecture takes. ``measured`` tells whether hardware answered for it here."""

    name: str
    measured: bool
    data_types: frozenset[DataType]
    swizzles: frozenset[Swizzle]
    wide_swizzles: frozenset[Swizzle]
    dimension_max: Limit
    address_limit: Limit
    box_bytes_max: Limit | None
    inner_unit_with_interleave: bool
    interleave_32b_needs_swizzle_32b: bool
    wide_corner_bits: dict[int, int]
    pixel_box_bits: int | None  # in which the size of the pixel box is computed; None where no source says

    @property
    def label(self) -> str:
        """How a report names the target."""
        return self.name if self.measured else f"{self.name} (by the documents, not measured)"


HOPPER = Target(
    name="sm_90",
    measured=True,
    data_types=frozenset(t for t in DataType if not t.is_packed),
    swizzles=frozenset({Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128}),
    wide_swizzles=frozenset({Swizzle.NONE, Swizzle.B32, Swizzle.B64, Swizzle.B128}),
    dimension_max=Limit(2**32, H200),
    address_limit=Limit(2**57, H200),
    box_bytes_max=Limit(228 * 1024, H200),
    inner_unit_with_interleave=True,
    interleave_32b_needs_swizzle_32b=False,
    wide_corner_bits=CORNER_BITS,
    pixel_box_bits=32,
)

BLACKWELL = Target(
    name="sm_100",
    measured=False,
    data_types=frozenset(DataType),
    swizzles=frozenset(Swizzle),
    wide_swizzles=frozenset({Swizzle.B64, Swizzle.B128, Swizzle.B128_ATOM_32B}),
    dimension_max=Limit(2**31, HEADER),
    address_limit=Limit(2**64, TYPE_OF_ARGUMENT),
    box_bytes_max=None,
    inner_unit_with_interleave=False,
    interleave_32b_needs_swizzle_32b=True,
    wide_corner_bits=dict.fromkeys(CORNER_BITS, 16),
    pixel_box_bits=None,
)

TARGETS = {
    "sm_90": HOPPER,
    "sm_90a": replace(HOPPER, name="sm_90a"),
    **{name: replace(BLACKWELL, name=name) for name in ("sm_100", "sm_100a", "sm_103", "sm_103a", "sm_107")},
    **{name: replace(BLACKWELL, name=name) for name in ("sm_110", "sm_110a", "sm_120", "sm_120a", "sm_121")},
}


def target_named(name: str) -> Target:
    """The target called ``name``, for example "sm_90".

    TypeError for what is no text, ValueError for a target that has no tensor maps or is unknown.
    """
    if not isinstance(name, str):
        raise TypeError(f"target must be a name such as 'sm_90', not {type(name).__name__}")
    if name not in TARGETS:
        raise ValueError(f"target={name!r}: tensor maps exist from sm_90 on; known targets are {', '.join(TARGETS)}")
    return TARGETS[name]
