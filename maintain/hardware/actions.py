"""What only these programs ask of a child process, beside the actions of `gpu.asked`."""

import sys
from collections.abc import Callable
from ctypes import c_char

from course_lib.gpu.child import Child
from course_lib.gpu.context import Gpu
from course_lib.gpu.encode import call
from course_lib.model.facts.limits import DESCRIPTOR_BYTES
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import Row
from maintain.hardware import stale


def encode_without(gpu: Gpu, row: Row, keep: bool) -> Row:
    """The driver's answer to the row's call with the pointer ``null`` left out. The driver may end the process."""
    return {"driver_result": call(tensor_map_of(row), (c_char * (2 * DESCRIPTOR_BYTES))(), null=row["null"])}


ACTIONS: dict[str, Callable[..., Row]] = {
    "encode_without": encode_without,
    "freed": stale.run_freed,
    "after_fault": stale.run_after_fault,
}
COMMAND = (sys.executable, "-m", "course_lib.gpu.child", __name__)


def child_with_actions() -> Child:
    """A child process that knows them, too."""
    return Child(command=COMMAND)
