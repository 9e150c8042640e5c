"""Loads of real views: each map is what a NumPy view of one small array says, so that NumPy alone can give the answer.

The array ``a`` has shape (4, 10, 16) and elements of 4 bytes, and lies at 1 MiB. ``view`` in a row is the view in
NumPy's words; its dimensions, strides and address are spelled out beside it, and a test holds them against NumPy.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from course_lib.model.call.sizes import transaction_bytes
from course_lib.model.call.tensor_map import ONES, TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.rows.calls import row_of
from course_lib.rows.memory import window_for
from course_lib.rows.row import Row
from maintain.hardware.cases.drawn import footprint_bytes

SEED = 104
START = 1 << 20  # of the array ``a``


class LoadedView(NamedTuple):
    """A view and the boxes to load from it; arrays innermost first."""

    view: str
    offset: int  # bytes from the start of ``a``
    global_dim: Sequence[int]
    global_strides: Sequence[int]
    box_dim: Sequence[int]
    starts: Sequence[Sequence[int]]  # coordinates
    element_strides: Sequence[int] | None = None


MATRIX = ((0, 0), (4, 2), (12, 8), (-4, -1))
VIEWS = (
    LoadedView("a[1]", 640, (16, 10), (64,), (8, 4), MATRIX),
    LoadedView("a[1]", 640, (16, 10), (64,), (8, 5), MATRIX, (1, 1)),
    LoadedView("a[1]", 640, (16, 10), (64,), (8, 5), MATRIX, (1, 2)),
    LoadedView("a[1]", 640, (16, 10), (64,), (8, 5), MATRIX, (2, 2)),
    LoadedView("a[1]", 640, (16, 10), (64,), (8, 5), MATRIX, (8, 3)),
    LoadedView("a[1]", 640, (16, 10), (64,), (32, 12), MATRIX),
    LoadedView("a[1]", 640, (16, 10), (64,), (4, 4), ((0, 0), (0, 4)), (1, 3)),
    LoadedView("a[1, :, 4:12]", 656, (8, 10), (64,), (8, 4), MATRIX),
    LoadedView("a[1, :, :15]", 640, (15, 10), (64,), (8, 4), MATRIX),
    LoadedView("a[0, 1::3]", 64, (16, 3), (192,), (8, 2), MATRIX),
    LoadedView("a[:, 2]", 128, (16, 4), (640,), (8, 4), (*MATRIX, (8, 1))),
    LoadedView(
        "a.transpose(1, 0, 2)", 0, (16, 4, 10), (640, 64), (8, 2, 3), ((0, 0, 0), (4, 1, 6), (8, 3, 9), (-4, -1, -1))
    ),
    LoadedView("np.broadcast_to(a[0, 3], (6, 16))", 192, (16, 6), (0,), (8, 4), MATRIX),
    LoadedView(
        "np.broadcast_to(a[:, None, 2], (4, 5, 16))", 128, (16, 5, 4), (0, 640), (8, 5, 2), ((0, 0, 0), (8, 2, 3))
    ),
    LoadedView("windows(a[0, 0], 8)[::4]", 0, (8, 3), (16,), (8, 3), ((0, 0), (4, 1), (-4, 2))),
    LoadedView(
        "a[0].reshape(10, 2, 8).transpose(1, 0, 2)",
        0,
        (8, 10, 2),
        (64, 32),
        (8, 4, 2),
        ((0, 0, 0), (0, 3, 0), (4, 8, 1)),
    ),
    LoadedView("a[0, :, None]", 0, (16, 1, 10), (64, 64), (8, 1, 3), ((0, 0, 0), (8, 0, 8))),
    LoadedView("a[0, :, None]", 0, (16, 1, 10), (0, 64), (8, 1, 3), ((0, 0, 0), (8, 0, 8))),
    LoadedView("a[0, :, None]", 0, (16, 1, 10), (2**40 - 16, 64), (8, 1, 3), ((0, 0, 0), (8, 0, 8))),
    LoadedView("a[0, :, None]", 0, (16, 1, 10), (4, 64), (8, 1, 3), ((0, 0, 0),)),
    LoadedView("a[0, :, None]", 0, (16, 1, 10), (2**40, 64), (8, 1, 3), ((0, 0, 0),)),
    LoadedView("a.ravel()", 0, (640,), (), (64,), ((0,), (8,), (600,), (-32,))),
    LoadedView(
        "a.reshape(4, 5, 2, 2, 8)",
        0,
        (8, 2, 2, 5, 4),
        (32, 64, 128, 640),
        (4, 2, 2, 2, 2),
        ((0,) * 5, (4, 0, 1, 3, 2), (4, 1, 0, -1, 3)),
    ),
    LoadedView("band(a[0], (8, 4))", 0, (4, 8), (80,), (4, 4), ((0, 0), (0, 3), (0, 6))),
    LoadedView("a[0, :, 1:]", 4, (15, 10), (64,), (8, 4), ((0, 0),)),
    LoadedView("a[0, ::-1]", 576, (16, 10), (2**64 - 64,), (8, 4), ((0, 0),)),
    LoadedView("a.reshape(64, 10)", 0, (10, 64), (40,), (8, 4), ((0, 0),)),
    LoadedView("a[1]", 640, (16, 10), (64,), (8, 4), ((1, 0), (2, 0), (3, 0), (-1, 0))),
)


def tensor_map_of_view(view: LoadedView) -> TiledTensorMap:
    """The map of a view in the recordings' memory."""
    return TiledTensorMap(
        data_type=DataType.FLOAT32,
        global_address=START + view.offset,
        global_dim=view.global_dim,
        global_strides=view.global_strides,
        box_dim=view.box_dim,
        element_strides=view.element_strides or ONES,
    )


def view_loads() -> Iterator[Row]:
    """Every box of every view."""
    for view in VIEWS:
        m = tensor_map_of_view(view)
        asked = {"seed": SEED, "shared_address": 0, "transaction_bytes": transaction_bytes(m)}
        for at in view.starts:
            window = {"window_bytes": window_for(footprint_bytes(m))}
            yield {"view": view.view} | row_of(m) | {"coordinates": list(at)} | asked | window
