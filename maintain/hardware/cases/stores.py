"""Random legal stores and reductions to record, tiled and im2col, and the operands of reductions to record bit by bit."""

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from course_lib.model.facts.enums import DataType
from course_lib.rows.row import Row
from maintain.hardware.cases.drawn import DOCUMENTED_PAIRS, PAIRS, TYPES, im2col_map, legal, store_row, tiled_map

INTEGERS = (DataType.UINT32, DataType.INT32, DataType.UINT64, DataType.INT64)
SHORT_FLOATS = (DataType.FLOAT16, DataType.BFLOAT16)
LONG_FLOATS = (DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT32_FTZ, DataType.TFLOAT32, DataType.TFLOAT32_FTZ)
LEGAL_TYPES: dict[str, tuple[DataType, ...]] = {  # measured: traps.jsonl
    "add": (*INTEGERS[:3], *SHORT_FLOATS, *LONG_FLOATS),
    "min": (*INTEGERS, *SHORT_FLOATS),
    "max": (*INTEGERS, *SHORT_FLOATS),
    "inc": (DataType.UINT32,),
    "dec": (DataType.UINT32,),
    "and": INTEGERS[:3],
    "or": INTEGERS[:3],
    "xor": INTEGERS[:3],
}
LEGAL_PAIRS = [(op, data_type) for op, data_types in LEGAL_TYPES.items() for data_type in data_types]
START, END = 1 << 16, 256 << 10  # where the tensors lie in the 256 KiB of global memory
MANTISSA_BITS = {DataType.FLOAT16: 10, DataType.BFLOAT16: 7, DataType.FLOAT64: 52}  # 23 for the others
OPERANDS = 4096  # of one table: 40 special values against each other, then random pairs
SPECIALS = 40


def stores(seed: int, count: int) -> Iterator[Row]:
    """``count`` rounds over both modes and every interleave and swizzle pair: each a store and a reduction."""
    rng = Random(f"{seed} stores")
    for number in range(count):
        for draw in (tiled_map, im2col_map):
            for pair in PAIRS:
                op, data_type = rng.choice(LEGAL_PAIRS)
                for what, kind in (("store", TYPES[number % len(TYPES)]), (op, data_type)):
                    apart = legal(rng, draw, pair, kind, START, END, apart=True)
                    yield store_row(rng, apart, seed, what)
    for data_type in TYPES:
        for pair in DOCUMENTED_PAIRS:
            yield store_row(rng, legal(rng, tiled_map, pair, data_type, START, END, apart=True), seed, "store")


def specials(data_type: int) -> NDArray[np.uint64]:
    """40 bit patterns: zeros, ones, infinities, quiet and signalling NaNs, both ends of the subnormals, halves of a last place."""
    width, mantissa = DataType(data_type).facts.bits, MANTISSA_BITS.get(DataType(data_type), 23)
    top, sign = (2 ** (width - 1 - mantissa) - 1) << mantissa, 1 << (width - 1)  # infinity's pattern, the sign
    one, ulp = (top >> 1) & ~((1 << mantissa) - 1), 1 << mantissa
    quiet = top | 1 << (mantissa - 1)
    positive = [0, 1, 2, ulp // 2, ulp - 1, ulp, ulp + 1, ulp * 2, one, one + 1, one - 1, one + ulp]
    positive += [one - ulp * (mantissa + 1), one - ulp * mantissa, top - 1, top - ulp, top]
    positive += [top | 1, quiet | 5, sign - 1]
    patterns = np.array(positive[: SPECIALS // 2], np.uint64)
    return np.concatenate([patterns, patterns | np.uint64(sign)])


def integer_specials(data_type: int) -> NDArray[np.uint64]:
    """40 bit patterns: both ends of the range, powers of two, and what lies beside them."""
    width = DataType(data_type).facts.bits
    some = [0, 1, 2, 3, 2**width - 1, 2**width - 2, 2 ** (width - 1), 2 ** (width - 1) - 1, 2 ** (width - 1) + 1]
    some += [2**k + d for k in (8, 16, width // 2, width - 2) for d in (-1, 0, 1)]
    some += [0x0123456789ABCDEF % 2**width * (2 * k + 1) % 2**width for k in range(SPECIALS - len(some))]
    return np.array(some, np.uint64)


def operand_pairs(data_type: int, rng: np.random.Generator) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """4,096 operands: 40 specials against each other, random bits, and (floats) values of nearly the same exponent."""
    facts = DataType(data_type).facts
    chosen = specials(data_type) if facts.is_float else integer_specials(data_type)
    rest = OPERANDS - SPECIALS**2
    a, b = (rng.integers(0, 2**64, rest, np.uint64) >> np.uint64(64 - facts.bits) for _ in range(2))
    if facts.is_float:
        mantissa = MANTISSA_BITS.get(DataType(data_type), 23)
        apart = rng.integers(0, mantissa + 3, rest // 2).astype(np.uint64) << np.uint64(mantissa)
        b[: rest // 2] = (a[: rest // 2] - apart) & np.uint64(2**facts.bits - 1)
        b[: rest // 4] &= ~np.uint64((1 << mantissa) - 1)  # powers of two: ties in rounding
    left, right = np.meshgrid(chosen, chosen, indexing="ij")
    return np.concatenate([left.ravel(), a]), np.concatenate([right.ravel(), b])


def operand_rows(seed: int) -> Iterator[Row]:
    """One table of 4,096 operands for each legal operation and type; long vectors in hex, little-endian."""
    for op, data_type in LEGAL_PAIRS:
        carrier = f"<u{DataType(data_type).size_bytes}"
        memory, shared = operand_pairs(data_type, np.random.default_rng([seed, data_type]))
        yield {
            "op": op,
            "data_type": int(data_type),
            "memory": memory.astype(carrier).tobytes().hex(),
            "shared": shared.astype(carrier).tobytes().hex(),
        }
