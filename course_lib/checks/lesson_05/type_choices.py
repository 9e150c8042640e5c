"""Which element type serves an array: for a load, a NaN fill, an add, a min. Source: lesson 05's recordings."""

from course_lib.draw.pen.svg import Picture
from course_lib.draw.replies.compare import ComparedRow, compare_rows
from course_lib.model.copy.arithmetic import is_legal
from course_lib.model.copy.element_bits import ROUNDED_ON_LOADS
from course_lib.model.facts.enums import DataType, ReduceOp

SIZES = {
    **dict.fromkeys(("uint8", "int8", "bool", "float8_e4m3fn", "float8_e5m2"), 1),
    **dict.fromkeys(("uint16", "int16", "float16", "bfloat16"), 2),
    **dict.fromkeys(("uint32", "int32", "float32"), 4),
    **dict.fromkeys(("uint64", "int64", "float64", "complex64"), 8),
    "complex128": 16,
}
HAS_NAN = ("float16", "bfloat16", "float32", "float64", "complex64")  # as the fill's 16-bit pattern, in the array's own
ADDS: dict[str, tuple[DataType, ...]] = {
    "uint32": (DataType.UINT32, DataType.INT32),
    "int32": (DataType.UINT32, DataType.INT32),
    "uint64": (DataType.UINT64,),
    "int64": (DataType.UINT64,),
    "float16": (DataType.FLOAT16,),
    "bfloat16": (DataType.BFLOAT16,),
    "float32": (DataType.FLOAT32, DataType.TFLOAT32),
    "float64": (DataType.FLOAT64,),
}
MINS: dict[str, tuple[DataType, ...]] = {
    name: (DataType[name.upper()],) for name in ("uint32", "int32", "uint64", "int64", "float16", "bfloat16")
}


def types_for(dtype: str, use: str) -> tuple[DataType, ...]:
    """Every type that serves an array of ``dtype`` for a ``use``: load, nan fill, add or min; none where none does."""
    same = [t for t in DataType if not t.is_packed and t.size_bytes == SIZES[dtype]]
    copies = tuple(t for t in same if t not in ROUNDED_ON_LOADS)
    if use == "load":
        return copies
    if use == "nan fill":
        return tuple(t for t in copies if t.facts.is_float) if dtype in HAS_NAN else ()
    return (ADDS if use == "add" else MINS).get(dtype, ())


def choice_picture(dtype: str, use: str, name: str) -> Picture:
    """A choice beside what does it."""
    right = " or ".join(t.name for t in types_for(dtype, use)) or "none"
    sentence = f"First difference: {dtype} for {use}."
    return compare_rows(
        f"The type for {dtype}", [ComparedRow(f"{dtype}, {use}", name, right)], ("yours", "right"), sentence
    )


def is_served(data_type: DataType, use: str) -> bool:
    """Does the engine take the type for this use at all?"""
    return is_legal(ReduceOp[use.upper()], data_type)


def choice_slip(dtype: str, use: str, got: DataType | None) -> str:
    """What is wrong with a choice, where that is plain."""
    right = types_for(dtype, use)
    if got is None:
        return f"{' or '.join(t.name for t in right)} does it."
    if got.is_packed or got.size_bytes != SIZES[dtype]:
        return f"An element of {dtype} has {SIZES[dtype]} bytes, one of {got.name} has another size."
    if use == "load":
        return f"A load through {got.name} rounds."
    if use == "nan fill":
        return fill_slip(dtype, got)
    if not is_served(got, use):
        return f"The engine has no {use} on {got.name}: it traps with 715."
    return f"{use} on {got.name} is another arithmetic than that of {dtype}."


def fill_slip(dtype: str, got: DataType) -> str:
    """Why a type does not fill an array with NaN."""
    if got in ROUNDED_ON_LOADS:
        return f"A load through {got.name} rounds what lies inside."
    if not got.facts.is_float:
        return f"{got.name} is no float: the driver refuses the NaN fill."
    return f"The fill 0x7FF7 is a NaN to {got.name}, and no NaN of {dtype}."
