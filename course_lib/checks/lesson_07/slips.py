"""What went wrong at an edge, where a wrong answer tells it: one sentence each, empty where it is not plain."""

import numpy as np
from numpy.typing import NDArray

from course_lib.checks.lesson_07.questions import REFUSED, tensor_view
from course_lib.model.call.sizes import element_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.one_element import QUIET_NAN, SIGNALLING_NAN, kind_of
from course_lib.model.facts.enums import DataType, OobFill
from course_lib.model.facts.limits import INNER_UNIT_BYTES


def whole_columns(m: TiledTensorMap) -> int:
    """The elements of a row that lie in whole 16-byte units."""
    per_unit = INNER_UNIT_BYTES // element_bytes(m)
    return int(m.global_dim[0] // per_unit * per_unit)


def engine_slip(written: NDArray[np.uint8], m: TiledTensorMap, where: tuple[int, int]) -> str:
    """What the engine wrote though it must not, or left to threads; empty if neither. ``written``: 1 where it wrote."""
    tensor = tensor_view(written, m) != 0
    if np.count_nonzero(written) != np.count_nonzero(tensor) * element_bytes(m):
        return "the engine wrote past the end of a row; to put those bytes back afterwards is a race."
    last = min(whole_columns(m), where[0] + m.box_dim[0])
    whole = tensor[where[1] : where[1] + m.box_dim[1], where[0] : last]
    if whole.size and not whole.any():
        return "the engine stored none of them."
    return "" if whole.all() else "the engine left out bytes that lie in whole 16-byte units."


def bits_text(bits: int) -> str:
    """The bits of an element in hex; a refusal in words."""
    return "refused" if bits == REFUSED else hex(bits)


def fill_slip(mine: int, data_type: DataType, oob_fill: OobFill) -> str:
    """What went wrong with a fill, where that is plain."""
    if not data_type.facts.is_float and oob_fill:
        return "The driver takes the NaN fill for floats only."
    if mine == 0x7FF7 and data_type.size_bytes > 2:
        return "The 16-bit pattern is written over and over: a wider element holds it several times."
    if oob_fill and mine == int.from_bytes(bytes.fromhex("7ff7") * (data_type.size_bytes // 2), "little"):
        return "The bytes of each 16 bits are the other way round: the lowest comes first."
    is_nan = kind_of(data_type, mine) in (QUIET_NAN, SIGNALLING_NAN)
    return "That is a NaN, but not the engine's." if oob_fill and is_nan else ""


def spill_slip(got: int, right: int, size: int) -> str:
    """What went wrong with a count, where that is plain."""
    if got * size == right:
        return "Yours counts elements; wanted are bytes."
    if right == 0:
        return "Nothing spills where no row of the box ends inside a 16-byte unit."
    if got > right:
        return "Of a unit in which a row of the tensor ends, the rest spills. Whole units and rows outside are clipped."
    return "Each row of the tensor that the box reaches has its own end." if right % max(got, 1) == 0 else ""


def maximum_slip(got: float) -> str:
    """What went wrong with a maximum, where that is plain."""
    if np.isnan(got):
        return "A NaN came through: np.maximum hands it on, np.fmax takes the number beside it."
    return "0 is the fill, not an element." if got == 0 else ""


def byte_slip(at: int, memory: NDArray[np.uint8], before: NDArray[np.uint8], m: TiledTensorMap) -> str:
    """What went wrong with a byte of memory."""
    row, column = divmod(at - m.global_address, m.global_strides[0])
    row_bytes = m.global_dim[0] * element_bytes(m)
    if not (0 <= row < m.global_dim[1] and column < row_bytes):
        return f"It is byte {column} from the start of row {row}, which has {row_bytes}: it must stay as it was."
    wrong = "and nobody wrote it." if memory[at] == before[at] else "and holds something else than the box."
    return f"It is byte {column} of row {row} of the tensor, {wrong}"
