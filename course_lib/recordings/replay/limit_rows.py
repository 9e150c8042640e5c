"""Rows that bisected a limit or tried every case of a trap, against the model: one small function a ``kind``."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_lib.model.barrier.countdown import endings, pieces
from course_lib.model.barrier.mbarrier import MBarrier
from course_lib.model.call.tensor_map import Im2colTensorMap, TiledTensorMap
from course_lib.model.copy.transfer import load, reduce, store
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.faults import DeviceFault
from course_lib.model.facts.limits import BOX_DIM_MAX, INNER_UNIT_BYTES, PIXELS_MAX
from course_lib.recordings.replay.comparison import Answer, Compared, attempt, must_have
from course_lib.recordings.replay.copy_rows import operation
from course_lib.rows.row import RecordingError, Row

TRIED_ROW_BYTES = 64  # of the box whose byte counts were tried


def small_map(**changed: Any) -> TiledTensorMap:
    """A legal call of 4 rows of 32 bytes, in which the rows of this kind changed one argument."""
    size = DataType(changed.get("data_type", DataType.UINT8)).size_bytes
    legal = {
        "data_type": DataType.UINT8,
        "global_address": 0,
        "global_dim": (32 // size, 4),
        "global_strides": (32,),
        "box_dim": (32 // size, 4),
    }
    return TiledTensorMap(**{**legal, **changed})


def result_of(tensor_map: TiledTensorMap | Im2colTensorMap) -> int:
    """The CUresult that the model expects."""
    return 0 if tensor_map.check().accepted else 1


def compare_address(row: Row) -> Compared:
    """Is a tensor at this address taken?"""
    return Compared({"result": row["result"]}, {"result": result_of(small_map(global_address=row["address"]))})


def compare_dimension(row: Row) -> Compared:
    """Is a dimension of this size taken?"""
    return Compared({"result": row["result"]}, {"result": result_of(small_map(global_dim=(32, row["dim"])))})


def box_of(size: int, element_strides: Sequence[int]) -> tuple[int, ...] | None:
    """A box of three dimensions that the descriptor counts as ``size`` bytes, or None."""
    most = [BOX_DIM_MAX // stride for stride in (INNER_UNIT_BYTES, *element_strides[1:])]
    for counted in factors(size // INNER_UNIT_BYTES, most):
        return tuple(n * s for n, s in zip((counted[0] * INNER_UNIT_BYTES, *counted[1:]), element_strides, strict=True))
    return None


def factors(number: int, most: Sequence[int]) -> list[tuple[int, ...]]:
    """``number`` as products of as many factors as ``most`` has entries, each at most its entry."""
    if len(most) == 1:
        return [(number,)] if 1 <= number <= most[0] else []
    divisors = [n for n in range(most[0], 0, -1) if number % n == 0]
    return [(n, *rest) for n in divisors for rest in factors(number // n, most[1:])]


def compare_box(row: Row) -> Compared:
    """The largest box taken and the smallest refused, counted with element strides rounded down."""
    strides = row.get("element_strides", [1, 1, 1])
    accepted, refused = row["floor"] if "floor" in row else (row["largest_accepted"], row["smallest_refused"])
    return compare_sizes(accepted, refused, lambda size: try_box(size, strides))


def try_box(size: int, element_strides: Sequence[int]) -> int | None:
    """The model's answer to a box of this size; None where no box has it."""
    box = box_of(size, element_strides)
    if box is None:
        return None
    shape = {"global_dim": (1 << 20,) * 3, "global_strides": (1 << 20,) * 2}
    return result_of(small_map(**shape, box_dim=box, element_strides=element_strides))


def compare_column(row: Row) -> Compared:
    """The largest im2col column taken and the smallest refused."""
    return compare_sizes(row["largest_accepted"], row["smallest_refused"], try_column)


def try_column(size: int) -> int | None:
    """The model's answer to a column of this size; None where no column has it."""
    for units, pixels in factors(size // INNER_UNIT_BYTES, [BOX_DIM_MAX // INNER_UNIT_BYTES, PIXELS_MAX]):
        return result_of(
            Im2colTensorMap(
                data_type=DataType.UINT8,
                global_address=0,
                global_dim=(1024,) * 4,
                global_strides=(1 << 20,) * 3,
                pixel_box_lower_corner=(0, 0),
                pixel_box_upper_corner=(0, 0),
                channels_per_pixel=units * INNER_UNIT_BYTES,
                pixels_per_column=pixels,
            )
        )
    return None


def compare_sizes(accepted: int, refused: int, answer: Callable[[int], int | None]) -> Compared:
    """The model's answers to the last size taken and the first refused."""
    sizes = {f"result at {accepted} bytes, taken": accepted, f"result at {refused} bytes, refused": refused}
    recorded = dict(zip(sizes, (0, 1), strict=True))
    model = {name: answer(size) for name, size in sizes.items()}
    known = {name: value for name, value in recorded.items() if model[name] is not None}
    return Compared(known, model, "" if known else "no box has these sizes")


def compare_pair(row: Row) -> Compared:
    """Does the engine take this operation on this type?"""
    tensor_map = small_map(data_type=row["data_type"])
    memory, operand = (np.zeros(128, np.uint8) for _ in range(2))

    def perform() -> Answer:
        if row["op"] == "store":
            store(tensor_map, (0, 0), operand, memory)
        else:
            reduce(operation(row["op"]), tensor_map, (0, 0), operand, memory)
        return {}

    return compare_fault(row, perform)


def compare_alignment(row: Row) -> Compared:
    """Does a load to this shared address fault?"""
    tensor_map, window = small_map(swizzle=row["swizzle"]), np.zeros(row["shared_address"] + 2048, np.uint8)

    def perform() -> Answer:
        load(tensor_map, (0, 0), np.zeros(128, np.uint8), window, shared_address=row["shared_address"])
        return {}

    return compare_fault(row, perform)


def compare_fault(row: Row, perform: Callable[[], Answer]) -> Compared:
    """The recorded fault, or none, against what ``perform`` raises."""
    return Compared({"fault": row["fault"]}, *attempt(perform))


def compare_count(row: Row) -> Compared:
    """Does the first phase end that expects this many bytes? Where the model permits both, either agrees."""
    recorded = row["first_phase_completed"]
    permitted = phase_endings(row["box_bytes"], row["expected"])
    return Compared(
        {"first_phase_completed": recorded},
        {"first_phase_completed": recorded if recorded in permitted else not recorded},
    )


def phase_endings(box_bytes: int, expected_bytes: int) -> set[bool]:
    """Whether the phase of a barrier that expects ``expected_bytes`` of a box may end, or may not, or both."""
    box = (TRIED_ROW_BYTES, box_bytes // TRIED_ROW_BYTES)
    barrier = MBarrier(1)
    barrier.expect_tx(expected_bytes)
    barrier.arrive()
    if barrier.state.phase:
        return {True}
    tensor_map = small_map(global_dim=box, global_strides=(TRIED_ROW_BYTES,), box_dim=box)
    return {state.phase > 0 for state in endings(barrier.state, pieces(tensor_map, (0, 0)))}


LIMITS: dict[str, tuple[tuple[str, ...], Callable[[Row], Compared]]] = {
    "address_cap": (("address", "result"), compare_address),
    "dim_cap": (("dim", "result"), compare_dimension),
    "box_cap": (("largest_accepted", "smallest_refused"), compare_box),
    "box_cap_strided": (("element_strides", "floor"), compare_box),
    "im2col_cap": (("largest_accepted", "smallest_refused"), compare_column),
    "reduce_pair": (("op", "data_type", "fault"), compare_pair),
    "shared_alignment": (("shared_address", "swizzle", "fault"), compare_alignment),
    "byte_count": (("box_bytes", "expected", "first_phase_completed"), compare_count),
}


def compare_limit(row: Row) -> Compared:
    """A row of any of these kinds; one of another kind has nothing that the model could answer."""
    if not isinstance(row["kind"], str) or row["kind"] not in LIMITS:
        return Compared({}, {}, f"the model answers no rows of kind {row['kind']!r}")
    needs, compare = LIMITS[row["kind"]]
    must_have(row, *needs)
    try:
        return compare(row)
    except (TypeError, ValueError, DeviceFault) as error:
        raise RecordingError(f"no such {row['kind']}: {error}") from error
