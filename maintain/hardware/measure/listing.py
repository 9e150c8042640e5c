"""What the compiler makes of the kernels that the lessons read, and of those whose blocks were counted. Needs no GPU."""

from collections.abc import Iterator
from itertools import product

from course_lib.gpu.compile import Macros
from course_lib.gpu.listing import list_kernel, resources
from course_lib.rows.row import Row

TARGET = "sm_90a"
READ: tuple[tuple[str, Macros], ...] = (
    ("row_to_shared", {"ASYNC": 1}),
    ("row_to_shared", {"ASYNC": 0}),
    ("row_to_shared", {"ASYNC": 1, "WAIT": 0}),
)


def kernels_to_count() -> Iterator[tuple[str, Macros]]:
    """The kernels of measure_bandwidth with the macros of its rows."""
    rows: Macros = {"BYTES": 16, "PIECES": 1024}
    for unroll in (1, 2, 4, 8):
        yield "measure_read_plain", rows | {"UNROLL": unroll}
    for unroll, stages in product((1, 4), (1, 2, 3, 4, 6)):
        yield "measure_read_cp_async", rows | {"UNROLL": unroll, "STAGES": stages}
    tiles: tuple[Macros, ...] = ({"FENCE": 1}, {"FENCE": 0}, {"FENCE": 1, "LINEAR": 1})
    yield from (("measure_read_tma", macros) for macros in tiles)


def measure(gpu: object, quick: bool) -> Iterator[Row]:
    """The texts of the kernels to read, then the registers and the shared memory of the others."""
    for kernel, macros in READ:
        yield {"part": "listing"} | list_kernel(kernel, TARGET, **macros)
    for kernel, macros in kernels_to_count():
        yield {"part": "resources"} | resources(kernel, TARGET, **macros)
