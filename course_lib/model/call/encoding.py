"""A call ⇄ its 128 bytes, through one table of bit fields.

    bit  0        64 66 68   71   75 77 79 80 81      96                    224      256
         ┌─────────┬──┬──┬────┬────┬──┬──┬──┬──┬──┬────┬──────────────────────┬────────┬─────────
         │ address │k │  │rank│type│il│sw│fi│tf│l2│    │ 4 × stride/16, low 32│ 4 × hi4│ 5 × dim-1
         └─────────┴──┴──┴────┴────┴──┴──┴──┴──┴──┴────┴──────────────────────┴────────┴─────────
    bit  416            440             480          512         576
         ┌───────────────┬───────────────┬────────────┬───────────┬────────────────┐
         │ 5 × step-1    │ 5 × box-1, or channels-1,  │ box bytes │ swizzle repeat │ zeros
         │               │ corners and pixels-1       │           │                │
         └───────────────┴───────────────┴────────────┴───────────┴────────────────┘

Source: the accepted rows of encode.jsonl (NVIDIA H200, driver 580.159.04). No document gives the layout, and other
chips differ: the bytes are not a contract.
"""

from collections.abc import Iterable
from typing import Any

from course_lib.model.call.sizes import descriptor_box_bytes
from course_lib.model.call.tensor_map import Call, Im2colTensorMap, TiledTensorMap
from course_lib.model.facts.bits import Field, pack
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.faults import NotMeasured
from course_lib.model.facts.limits import CORNER_BITS, DESCRIPTOR_BYTES, RANK_MAX, STRIDE_UNIT_BYTES, Target
from course_lib.model.facts.swizzle import pattern_of

DIMENSIONS = range(RANK_MAX)
COMMON_FIELDS = (
    Field("global_address", 0, 57),
    Field("is_im2col", 64, 1),
    Field("rank_minus_1", 68, 3),
    Field("element_type", 71, 4),
    Field("interleave", 75, 2),
    Field("swizzle", 77, 2),
    Field("oob_fill", 79, 1),
    Field("is_tf32", 80, 1),
    Field("l2_promotion", 81, 2),
    *(Field(f"stride_{i}_low", 96 + 32 * i, 32) for i in range(4)),
    *(Field(f"stride_{i}_high", 224 + 4 * i, 4) for i in range(4)),
    *(Field(f"dim_{i}_minus_1", 256 + 32 * i, 32) for i in DIMENSIONS),
    *(Field(f"element_stride_{i}_minus_1", 416 + 3 * i, 3) for i in DIMENSIONS),
    Field("box_bytes", 512, 18),
    Field("swizzle_repeat", 576, 11),
)
TILED_FIELDS = (*COMMON_FIELDS, *(Field(f"box_{i}_minus_1", 440 + 8 * i, 8) for i in DIMENSIONS))
IM2COL_FIELDS = {
    rank: (
        *COMMON_FIELDS,
        Field("channels_minus_1", 440, 8),
        *(Field(f"lower_corner_{i}", 448 + bits * i, bits) for i in range(rank - 2)),
        *(Field(f"upper_corner_{i}", 464 + bits * i, bits) for i in range(rank - 2)),
        Field("pixels_minus_1", 480, 10),
    )
    for rank, bits in CORNER_BITS.items()
}
# TFLOAT32 and TFLOAT32_FTZ travel as the float32 type of the same flushing, with a bit of their own.
TF32: dict[int, DataType] = {DataType.TFLOAT32: DataType.FLOAT32, DataType.TFLOAT32_FTZ: DataType.FLOAT32_FTZ}
DECODED: dict[str, type[TiledTensorMap] | type[Im2colTensorMap]] = {"tiled": TiledTensorMap, "im2col": Im2colTensorMap}
LOST = {"im2col_wide": ("the wide call itself", "wide_mode")}
"""What the bytes do not hold, by call: everything else comes back."""


def must_be_measured(target: Target) -> None:
    """Raise NotMeasured for a target whose bytes are not known here."""
    if not target.measured:
        raise NotMeasured(
            f"target={target.name!r}: the 128 bytes are known here for sm_90 only; other chips lay them out otherwise"
        )


def fields_of(m: Call) -> tuple[Field, ...]:
    """The table of bit fields of this call."""
    return TILED_FIELDS if isinstance(m, TiledTensorMap) else IM2COL_FIELDS[m.rank]


def number_fields(pattern: str, values: Iterable[int]) -> dict[str, int]:
    """``values`` under ``pattern`` with the index in it."""
    return {pattern.format(i): v for i, v in enumerate(values)}


def common_values(m: Call) -> dict[str, int]:
    """The fields that all three calls share."""
    units = [stride // STRIDE_UNIT_BYTES for stride in m.global_strides]
    return {
        "global_address": m.global_address,
        "is_im2col": int(m.is_im2col),
        "rank_minus_1": m.rank - 1,
        "element_type": DataType(TF32.get(m.data_type, m.data_type)).facts.replace_code,
        "interleave": m.interleave,
        "swizzle": m.swizzle,
        "oob_fill": m.oob_fill,
        "is_tf32": int(m.data_type in TF32),
        "l2_promotion": m.l2_promotion,
        **number_fields("stride_{}_low", units),
        **number_fields("stride_{}_high", (unit >> 32 for unit in units)),
        **number_fields("dim_{}_minus_1", (d - 1 for d in m.global_dim)),
        **number_fields("element_stride_{}_minus_1", (s - 1 for s in m.element_strides)),
        "box_bytes": descriptor_box_bytes(m) or 0,
        "swizzle_repeat": pattern_of(m.swizzle).repeat_bytes,
    }


def own_values(m: Call) -> dict[str, int]:
    """The fields of this call alone."""
    if isinstance(m, TiledTensorMap):
        return number_fields("box_{}_minus_1", (b - 1 for b in m.box_dim))
    lower, upper = m.pixel_box
    return {
        "channels_minus_1": m.channels_per_pixel - 1,
        "pixels_minus_1": m.pixels_per_column - 1,
        **number_fields("lower_corner_{}", lower),
        **number_fields("upper_corner_{}", upper),
    }


def to_bytes(m: Call) -> bytes:
    """The 128 bytes of a call that the driver accepts."""
    return pack(fields_of(m), common_values(m) | own_values(m)).to_bytes(DESCRIPTOR_BYTES, "little")


def from_bytes(data: bytes) -> tuple[str, dict[str, Any]]:
    """The name of the call and its arguments. ValueError where the bytes are not 128 or hold no known rank or type."""
    if len(data) != DESCRIPTOR_BYTES:
        raise ValueError(f"data: a tensor map has {DESCRIPTOR_BYTES} bytes, not {len(data)}")
    number = int.from_bytes(data, "little")
    head = {field.name: field.read(number) for field in COMMON_FIELDS}
    rank = head["rank_minus_1"] + 1
    if rank not in (CORNER_BITS if head["is_im2col"] else range(1, RANK_MAX + 1)):
        raise ValueError(f"data: bits 68 to 70 hold rank {rank}, which no call of this kind takes")
    arguments = common_arguments(head, rank)
    if head["is_im2col"]:
        return "im2col", arguments | im2col_arguments(number, rank)
    return "tiled", arguments | {"box_dim": [Field("", 440 + 8 * i, 8).read(number) + 1 for i in range(rank)]}


def common_arguments(head: dict[str, int], rank: int) -> dict[str, Any]:
    """The arguments behind the shared fields."""
    units = [head[f"stride_{i}_high"] << 32 | head[f"stride_{i}_low"] for i in range(rank - 1)]
    return {
        "data_type": data_type_of(head["element_type"], bool(head["is_tf32"])),
        "global_address": head["global_address"],
        "global_dim": [head[f"dim_{i}_minus_1"] + 1 for i in range(rank)],
        "global_strides": [STRIDE_UNIT_BYTES * unit for unit in units],
        "element_strides": [head[f"element_stride_{i}_minus_1"] + 1 for i in range(rank)],
        **{name: head[name] for name in ("interleave", "swizzle", "oob_fill", "l2_promotion")},
    }


def im2col_arguments(number: int, rank: int) -> dict[str, Any]:
    """The arguments behind the fields of an im2col map."""
    table = {field.name: field for field in IM2COL_FIELDS[rank]}
    return {
        "pixel_box_lower_corner": [table[f"lower_corner_{i}"].read_signed(number) for i in range(rank - 2)],
        "pixel_box_upper_corner": [table[f"upper_corner_{i}"].read_signed(number) for i in range(rank - 2)],
        "channels_per_pixel": table["channels_minus_1"].read(number) + 1,
        "pixels_per_column": table["pixels_minus_1"].read(number) + 1,
    }


def data_type_of(code: int, is_tf32: bool) -> DataType:
    """The element type of a code in the bytes. ValueError for one that no sm_90 map holds."""
    for data_type in DataType:
        stands_for = TF32.get(data_type, data_type)
        if (stands_for.facts.replace_code, data_type in TF32) == (code, is_tf32) and not data_type.is_packed:
            return data_type
    raise ValueError(f"data: element type code {code} with TF32 bit {int(is_tf32)} is in no sm_90 tensor map")


def decode(data: bytes) -> TiledTensorMap | Im2colTensorMap:
    """The call behind 128 bytes that an sm_90 driver wrote.

    Nothing of a tiled or im2col call is lost. A wide call decodes as im2col, with corners of 0 in height and depth: the
    bytes hold neither a wide flag nor the wide mode (``LOST``). TypeError for what is no bytes, ValueError for a wrong
    length and for bytes that no accepted call gives. Source: the recorded encode calls.
    """
    try:
        data = bytes(memoryview(data))
    except TypeError:
        raise TypeError(f"data must be bytes, not {type(data).__name__}") from None
    api, arguments = from_bytes(data)
    tensor_map = DECODED[api](**arguments)
    if not tensor_map.check().accepted or tensor_map.encode() != data:
        raise ValueError("data: no sm_90 encode call gives these bytes; the nearest is " + repr(tensor_map))
    return tensor_map
