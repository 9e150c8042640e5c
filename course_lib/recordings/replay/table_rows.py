"""Rows of reduction tables: every operand against every other, bit by bit."""

import numpy as np
from numpy.typing import NDArray

from course_lib.model.copy.arithmetic import UNSIGNED, combine_bits
from course_lib.model.facts.enums import DataType
from course_lib.recordings.replay.comparison import Compared
from course_lib.recordings.replay.copy_rows import operation
from course_lib.rows.row import RecordingError, Row


def compare_table(row: Row) -> Compared:
    """``result[i * n + j]`` is op(operands[i] in memory, operands[j]), all in hex, little-endian."""
    try:
        return Compared({"table": row["result"]}, {"table": operand_table(row).tobytes().hex()})
    except (TypeError, ValueError) as error:
        raise RecordingError(f"no such table: {error}") from error


def operand_table(row: Row) -> NDArray[np.uint8]:
    """The model's table, as bytes."""
    data_type = DataType(row["data_type"])
    operands = np.frombuffer(bytes.fromhex(row["operands"]), UNSIGNED[data_type.facts.bits])
    memory, operand = np.repeat(operands, operands.size), np.tile(operands, operands.size)
    return combine_bits(operation(row["op"]), data_type, memory.view(np.uint8), operand.view(np.uint8))
