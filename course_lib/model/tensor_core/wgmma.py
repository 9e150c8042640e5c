"""The 64-bit descriptor by which wgmma finds an operand in shared memory, and the bytes that it reads.

    bit   0       14 16        30 32        46   49 52                  62 64
          ┌────────┬──┬─────────┬──┬─────────┬───┬──┬────────────────────┬──┐
          │start/16│  │leading  │  │stride   │   │bo│                    │sw│   bo: base offset; the gaps are reserved
          └────────┴──┴─────────┴──┴─────────┴───┴──┴────────────────────┴──┘   and ignored

Where the byte of row r and column k of an operand lies from the start, S being the swizzle's span (16 for NONE):

    K-major              (r % 8) * S + (r // 8) * stride + k bytes; without swizzle each 16 bytes of k are ``leading`` on
    MN-major, swizzled   (r // q) * leading + (r % q) * 2 + (k % 8) * S + (k // 8) * stride, with q = S / 2
    MN-major, NONE       the same with q = 8, and the two offsets change places

Then bits 4 to 6 of the address are XORed with its bits 7 to 9 less the base offset, as far as the span reaches: keyed to
the absolute shared address, as TMA's pattern is. Source: PTX ISA 9.1, wgmma, matrix descriptor; wgmma_reads.jsonl
(NVIDIA H200), which shows the MN-major rule without swizzle and what the base offset does.

No lesson teaches it yet: lesson 16 will.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from course_lib.model.call.arguments import as_integer, must_be_in
from course_lib.model.facts.bits import Field, pack
from course_lib.model.facts.enums import Swizzle
from course_lib.model.facts.faults import ILLEGAL_ADDRESS, DeviceFault
from course_lib.model.facts.limits import INNER_UNIT_BYTES

Addresses = NDArray[np.int64]
FIELDS = (
    Field("start_address", 0, 14),
    Field("leading_byte_offset", 16, 14),
    Field("stride_byte_offset", 32, 14),
    Field("base_offset", 49, 3),
    Field("swizzle", 62, 2),
)
IN_UNITS = ("start_address", "leading_byte_offset", "stride_byte_offset")
CODES = {Swizzle.NONE: 0, Swizzle.B128: 1, Swizzle.B64: 2, Swizzle.B32: 3}
SPANS_BYTES = {Swizzle.NONE: 16, Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}
ADDRESS_LIMIT = 2**18
CORE_ROWS = 8  # rows of K, or columns of MN, that one span after the other holds
K_BYTES = 32  # of one instruction
OPERANDS, MAJORS = ("A", "B"), ("K", "MN")


@dataclass(frozen=True, kw_only=True)
class WgmmaDescriptor:
    """Addresses and offsets in bytes: multiples of 16 below 2**18; ``base_offset`` 0 to 7. ValueError otherwise, and for
    a swizzle that wgmma lacks; TypeError for what is no integer.
    """

    start_address: int
    leading_byte_offset: int
    stride_byte_offset: int
    base_offset: int = 0
    swizzle: int = Swizzle.NONE

    def __post_init__(self) -> None:
        for name in (field.name for field in FIELDS):
            object.__setattr__(self, name, as_integer(name, getattr(self, name)))
        for name in IN_UNITS:
            must_be_in(name, getattr(self, name), 0, ADDRESS_LIMIT - INNER_UNIT_BYTES)
            if getattr(self, name) % INNER_UNIT_BYTES:
                raise ValueError(f"{name} = {getattr(self, name)}: it must be a multiple of {INNER_UNIT_BYTES} bytes")
        must_be_in("base_offset", self.base_offset, 0, 7)
        if self.swizzle not in CODES:
            raise ValueError(f"swizzle = {self.swizzle}: wgmma takes {', '.join(mode.name for mode in CODES)}")
        object.__setattr__(self, "swizzle", Swizzle(self.swizzle))

    def encode(self) -> int:
        """The 64-bit word."""
        units = {name: getattr(self, name) // INNER_UNIT_BYTES for name in IN_UNITS}
        return pack(FIELDS, units | {"base_offset": self.base_offset, "swizzle": CODES[Swizzle(self.swizzle)]})

    @classmethod
    def decode(cls, value: int) -> "WgmmaDescriptor":
        """The descriptor in a 64-bit word; its reserved bits are ignored. ValueError for another size."""
        word = as_integer("value", value)
        must_be_in("value", word, 0, 2**64 - 1)
        table = {field.name: field.read(word) for field in FIELDS}
        units = {name: table[name] * INNER_UNIT_BYTES for name in IN_UNITS}
        mode = next(mode for mode, code in CODES.items() if code == table["swizzle"])
        return cls(**units, base_offset=table["base_offset"], swizzle=mode)


def wgmma_reads(
    descriptor: WgmmaDescriptor, *, operand: str, major: str, rows: int, k: int, element_bytes: int
) -> Addresses:
    """The absolute shared addresses of the elements that one wgmma reads: (k, rows) for operand "B", (rows, k) for "A".

    ``major`` is "K" or "MN" (2-byte elements only), ``rows`` the operand's N or M, ``k`` * ``element_bytes`` 32 bytes.
    ValueError for anything else, DeviceFault 700 for an address of 2**18 or more: nothing goes around.
    Source: wgmma_reads.jsonl (NVIDIA H200).
    """
    must_be_read(operand, major, rows, k, element_bytes)
    row, column = np.arange(rows)[:, None], np.arange(k)[None, :]
    offset = k_major(descriptor, row, column * element_bytes) if major == "K" else mn_major(descriptor, row, column)
    plain = descriptor.start_address + offset
    if int(plain.max()) >= ADDRESS_LIMIT:
        raise DeviceFault(
            ILLEGAL_ADDRESS, f"wgmma reads at {int(plain.max())}; shared addresses end at {ADDRESS_LIMIT}"
        )
    read = swizzle_addresses(descriptor, plain)
    return read if operand == "A" else read.T


def k_major(descriptor: WgmmaDescriptor, row: Addresses, column_bytes: Addresses) -> Addresses:
    """Offsets from the start where the elements of a row lie side by side along k."""
    span = span_of(descriptor)
    rows = row % CORE_ROWS * span + row // CORE_ROWS * descriptor.stride_byte_offset
    if descriptor.swizzle != Swizzle.NONE:
        return rows + column_bytes
    units = column_bytes // INNER_UNIT_BYTES * descriptor.leading_byte_offset
    return rows + units + column_bytes % INNER_UNIT_BYTES


def mn_major(descriptor: WgmmaDescriptor, row: Addresses, column: Addresses) -> Addresses:
    """Offsets from the start where the 2-byte elements of a column lie side by side along the rows."""
    span, along_rows, along_k = span_of(descriptor), descriptor.leading_byte_offset, descriptor.stride_byte_offset
    if descriptor.swizzle == Swizzle.NONE:
        along_rows, along_k = along_k, along_rows
    together = span // 2
    rows = row // together * along_rows + row % together * 2
    return rows + column % CORE_ROWS * span + column // CORE_ROWS * along_k


def swizzle_addresses(descriptor: WgmmaDescriptor, plain: Addresses) -> Addresses:
    """Where a byte meant for each address lies: bits 4 to 6 XORed with the bits above 7, less the base offset."""
    units = span_of(descriptor) // INNER_UNIT_BYTES
    key: Addresses = (plain >> 7) - descriptor.base_offset & units - 1
    return plain ^ key << 4


def span_of(descriptor: WgmmaDescriptor) -> int:
    """The span of the descriptor's swizzle in bytes, 16 for NONE."""
    return SPANS_BYTES[Swizzle(descriptor.swizzle)]


def must_be_read(operand: str, major: str, rows: int, k: int, element_bytes: int) -> None:
    """ValueError for what no wgmma reads."""
    if operand not in OPERANDS or major not in MAJORS:
        raise ValueError(f"operand={operand!r}, major={major!r}: operand is 'A' or 'B', major 'K' or 'MN'")
    sizes = [as_integer(*pair) for pair in (("rows", rows), ("k", k), ("element_bytes", element_bytes))]
    must_be_in("rows", sizes[0], 1, 256)
    if min(sizes) < 1 or sizes[1] * sizes[2] != K_BYTES:
        raise ValueError(f"k = {k}, element_bytes = {element_bytes}: an instruction takes {K_BYTES} bytes along k")
    if major == "MN" and sizes[2] != 2:
        raise ValueError(f"element_bytes = {element_bytes}: MN-major operands have 2-byte elements")
